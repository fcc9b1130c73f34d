import Commands
import Configuration

struct SealKeyRequest: Runnable {
  static var command: Command {
    Command(
      "request", "Make a request for the certificate of a pad's key.",
      discussion: [
        "An authority makes a certificate of the request (PKCS #10), which has the name of the pad and its public key.",
        "Without this program, \"openssl req -new -key KEY -subj NAME -out FILE\" makes one.",
      ],
      options: [
        KeyFiles.key, KeyFiles.subject,
        Option(
          "output", short: "o", value: "FILE", values: .file(["csr", "pem"]), isRequired: true,
          "Write the request to FILE, in PEM. Nothing is replaced."),
      ],
      examples: [
        Command.Example(
          "paraph seal request --key pad.key --subject /CN=counter-3/O=Post -o pad.csr",
          "Make a request for the pad at counter 3.")
      ], exitCodes: KeyFiles.exitCodes)
  }

  private let options: [String]
  private let output: String

  init(_ arguments: Arguments) throws(UsageError) {
    options = ["--request"] + KeyFiles.passed(["key", "subject"], arguments)
    output = try arguments.required("output")
  }

  func run() throws(ToolError) { try KeyFiles.write(options, to: output, isSecret: false) }
}
