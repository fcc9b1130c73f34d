import Commands
import Configuration

struct SealSelfSign: Runnable {
  static var command: Command {
    Command(
      "self-sign", "Make a certificate of a pad's key, signed by the key itself.",
      discussion: [
        "For pads without an authority: copy the certificate to where signatures are verified, in a way that you trust. It "
          + "is for signatures alone, not for sealing. It is valid from now on, by the clock of this machine.",
        "Without this program, \"openssl req -x509 -new -key KEY -subj NAME -days N -addext basicConstraints=critical,CA:FALSE "
          + "-addext keyUsage=critical,digitalSignature,nonRepudiation -out FILE\" makes one.",
      ],
      options: [
        KeyFiles.key, KeyFiles.subject, DaemonArguments.days,
        Option(
          "output", short: "o", value: "FILE", values: .file(["pem", "crt"]), isRequired: true,
          "Write the certificate to FILE, in PEM. Nothing is replaced."),
      ],
      examples: [
        Command.Example(
          "paraph seal self-sign --key pad.key --subject /CN=counter-3 -o pad.pem",
          "Make the certificate of the pad at counter 3.")
      ], exitCodes: KeyFiles.exitCodes)
  }

  private let options: [String]
  private let output: String

  init(_ arguments: Arguments) throws(UsageError) {
    options = ["--self-sign"] + KeyFiles.passed(["key", "subject", "days"], arguments)
    output = try arguments.required("output")
  }

  func run() throws(ToolError) { try KeyFiles.write(options, to: output, isSecret: false) }
}
