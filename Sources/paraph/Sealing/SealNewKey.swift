import Commands
import Configuration

struct SealNewKey: Runnable {
  static var command: Command {
    Command(
      "new-key", "Make a private key for a pad.",
      discussion: [
        "The key signs manifests on the pad, if [sign] of paraphd.conf names its certificate. \"paraph seal self-sign\" and "
          + "\"paraph seal request\" make that. Make the key on the pad, or in its TPM (see sealing.md): then it is nowhere "
          + "else. Nothing is replaced, and the file is readable by this user only.",
        "Without this program, \"openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out FILE\" makes one, or "
          + "\"openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out FILE\".",
      ],
      options: [
        DaemonArguments.keyType,
        Option(
          "output", short: "o", value: "FILE", values: .file(["key", "pem"]), isRequired: true,
          "Write the key to FILE, in PEM (PKCS #8) without a passphrase."),
      ],
      examples: [
        Command.Example(
          "sudo paraph seal new-key -o /etc/paraph/pad.key", "Make the key of this pad.")
      ], exitCodes: KeyFiles.exitCodes)
  }

  private let options: [String]
  private let output: String

  init(_ arguments: Arguments) throws(UsageError) {
    options = ["--new-key"] + KeyFiles.passed(["type"], arguments)
    output = try arguments.required("output")
  }

  func run() throws(ToolError) { try KeyFiles.write(options, to: output, isSecret: true) }
}
