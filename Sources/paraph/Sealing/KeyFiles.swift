import Commands
import Configuration
import Linux

/// What the commands below `paraph seal` share: each is a run of paraph-seal, whose output becomes a new file.
enum KeyFiles {
  static var key: Option {
    Option(
      "key", value: "KEY", values: .file(["key", "pem"]), isRequired: true,
      "The pad's key: a file in PEM without a passphrase, or a key in a TPM or token by its URI, which begins with handle: or "
        + "pkcs11:.")
  }

  static var subject: Option {
    Option(
      "subject", value: "NAME", isRequired: true, DaemonArguments.subject.help)
  }

  static var exitCodes: [Command.ExitCode] {
    [
      Command.ExitCode(65, "The key or the subject is not valid."),
      Command.ExitCode(66, "The key cannot be read."),
      Command.ExitCode(69, "The program paraph-seal is not beside this one."),
      Command.ExitCode(73, "The output exists, or cannot be created."),
    ]
  }

  /// These options as they were given, for paraph-seal.
  static func passed(_ names: [String], _ arguments: Arguments) -> [String] {
    names.compactMap { name in arguments.value(name).map { "--\(name)=\($0)" } }
  }

  /// Writes the output of paraph-seal to a new file: readable by the owner only if it is secret,
  /// otherwise by all who verify.
  static func write(
    _ options: [String], to path: String, isSecret: Bool
  ) throws(ToolError) {
    try NewFile.checkAbsence(of: path)
    let run: SealRun
    do throws(Errno) {
      run = try SealRun(options, input: [])
    } catch { throw ToolError(.unavailable, "\(SealRun.program): \(error.text)") }
    guard run.end == .exit(0), !run.output.isEmpty else { throw run.failure }
    try NewFile.write(run.output, to: path, isSecret: isSecret)
  }
}
