public import Commands
internal import Linux

/// The parsed command line of a daemon.
public struct DaemonArguments: Equatable, Sendable {
  /// The configuration file's path.
  public var configuration: String
  /// Whether to check the configuration and exit.
  public var checksOnly = false
  /// The given flags that are specific to this daemon.
  public var flags: [String] = []

  /// Arguments with only a configuration file.
  public init(configuration: String) { self.configuration = configuration }

  /// The action that a command line requests.
  public enum Outcome: Equatable, Sendable {
    /// Run the daemon.
    case run(DaemonArguments)
    /// Print the text to standard output and exit with 0.
    case print(String)
    /// Print the text to standard error and exit with 64 (EX_USAGE).
    case refuse(String)
  }

  /// Parses the command line of a daemon and runs it. Ends the process with the exit code, one of sysexits.h.
  ///
  /// - Parameter versions: The lines of the libraries' versions.
  public static func main(
    _ arguments: [String], _ command: Command, versions: () -> [String],
    run: (DaemonArguments) -> Int32
  ) -> Never {
    switch parse(arguments, for: command, versions: { BuildVersions.lines + versions() }) {
    case .print(let text): Process.end(0, output: text)
    case .refuse(let line): Process.end(64, line)
    case .run(let arguments): Process.end(run(arguments))
    }
  }

  /// The version of all programs.
  public static let version = "0.2.0"

  /// The command line of paraphd.
  public static var pad: Command {
    daemon(
      "paraphd", "Turn a touchscreen and a panel into a signature pad.",
      configuration: PadConfiguration.defaultPath,
      flags: [
        Option(
          flag: "restore-console",
          "Restore the console after a pad that was killed. ExecStopPost= of the service runs this."
        )
      ],
      examples: [
        Command.Example(
          "sudo runuser -u paraph -- paraphd --check-config",
          "Check a configuration, before 'sudo systemctl restart paraphd' uses it.")
      ],
      exitCodes: [
        Command.ExitCode(0, "Ended by SIGTERM or SIGINT."),
        Command.ExitCode(64, "Invalid command line."),
        Command.ExitCode(69, "The panel's driver refuses the mode. A missing panel is waited for."),
        Command.ExitCode(71, "The system refused something that the pad needs."),
        invalidConfiguration,
      ])
  }

  /// The command line of paraph-handoff.
  public static var handoff: Command {
    daemon(
      "paraph-handoff", "Deliver the signatures of a Paraph pad.",
      configuration: HandoffConfiguration.defaultPath,
      checks: " A valid setting that can lose a signature, such as MQTT 3.1.1, is a warning.",
      flags: [
        Option(
          flag: "once",
          "Try to deliver everything that waits, and exit: 0 if everything was delivered, 75 if something is "
            + "left or failed, or if that is unknown.")
      ],
      examples: [
        Command.Example(
          "sudo runuser -u paraph-handoff -- paraph-handoff --check-config",
          "Check a configuration, before 'sudo systemctl reload paraph-handoff' "
            + "uses it and retries everything.")
      ],
      exitCodes: [
        Command.ExitCode(0, "Ended by SIGTERM or SIGINT, or --once delivered everything."),
        Command.ExitCode(64, "Invalid command line."),
        Command.ExitCode(71, "The system refused something that the program needs."),
        Command.ExitCode(
          75, "--once left something, or another paraph-handoff delivers from the spool."),
        invalidConfiguration,
      ])
  }

  /// The command line of paraph-web.
  public static var web: Command {
    daemon(
      "paraph-web", "Serve a Paraph pad to browsers and programs by HTTP.",
      configuration: WebConfiguration.defaultPath, flags: [],
      examples: [
        Command.Example(
          "curl --json '{\"reference\":\"4711\"}' localhost:8420/v1/sign",
          "Ask for a signature."),
        Command.Example(
          "sudo runuser -u paraph-web -- paraph-web --check-config",
          "Check a configuration, before 'sudo systemctl restart paraph-web' "
            + "uses it and cancels an open request."),
      ],
      exitCodes: [
        Command.ExitCode(
          0, "Ended by SIGTERM or SIGINT, or unused for a minute with a socket of systemd."),
        Command.ExitCode(64, "Invalid command line."),
        Command.ExitCode(71, "The system refused something that the program needs."),
        invalidConfiguration,
      ])
  }

  /// The command line of paraph-seal.
  public static var seal: Command {
    Command(
      "paraph-seal", "Seal files to certificates, and sign manifests with the pad's key.",
      options: [
        Option(
          flag: "unseal",
          "Open the sealed file on standard input, and write it to standard output. \"paraph unseal\" runs this for the "
            + "files of a signature."),
        Option(
          "key", value: "KEY", values: .file(["pem", "key"]),
          "With --unseal: the recipient's private key in PEM, without a passphrase. With --request and --self-sign: the pad's, "
            + "which may also be in a TPM or token: its URI begins with handle: or pkcs11:."),
        Option(
          "certificate", value: "FILE", values: .file(["pem", "crt"]),
          "With --unseal: the recipient's certificate in PEM. Without it, every recipient of the file is tried. With --verify: "
            + "the pad's, or those of its former keys and of its key."
        ),
        Option(
          "sign-key", value: "KEY", values: .file(["pem", "key"]),
          "The pad's key, for a request to sign: a file or URI as for --key. Without it, the credential paraph-key of the "
            + "service."),
        Option(
          flag: "verify",
          "Check that the owner of the certificate has made the signature on standard input, or that an authority has "
            + "certified its signer, whose name is written to standard output. \"paraph verify\" runs this."
        ),
        Option(
          "content", value: "FILE", values: .file(["json"]),
          "With --verify: what was signed. Without it, only the files of certificates are checked."),
        Option(
          "ca", value: "FILE", values: .file(["pem", "crt"]),
          "With --verify: the certificates of authorities in PEM."),
        Option(
          "time", value: "SECONDS",
          "With --ca: when the certificates must be valid, in seconds since 1970. Without it, now."),
        Option(
          flag: "new-key",
          "Make a key, and write it to standard output in PEM. \"paraph seal new-key\" runs this."),
        keyType,
        Option(
          flag: "request",
          "Make a request for a certificate (PKCS #10), and write it to standard output in PEM. \"paraph seal request\" "
            + "runs this."),
        Option(
          flag: "self-sign",
          "Make a certificate that the key itself signs, and write it to standard output in PEM. \"paraph seal "
            + "self-sign\" runs this."),
        subject, days,
      ],
      examples: [
        Command.Example(
          "paraph-seal --unseal --key notary.key < strokes.json.cms > strokes.json",
          "Open a sealed file where the key is.")
      ],
      exitCodes: [
        Command.ExitCode(
          0, "Success, or the request was answered; the reply says whether it failed."),
        Command.ExitCode(64, "Invalid command line."),
        Command.ExitCode(
          65, "The input is not valid, not sealed to this key, or not signed by this certificate."),
        Command.ExitCode(66, "A key or certificate cannot be read."),
        Command.ExitCode(74, "Input or output failed."),
      ], version: version)
  }

  /// The kind of a new key.
  public static var keyType: Option {
    Option(
      "type", value: "TYPE", values: .oneOf(["ec", "rsa"]), default: "ec",
      "The kind of key: ec is on the curve P-256, rsa has 3072 bits.")
  }

  /// The name of a certificate's owner.
  public static var subject: Option {
    Option(
      "subject", value: "NAME",
      "The pad's distinguished name, such as /CN=counter-3/O=Post. A backslash makes the next character part of the value."
    )
  }

  /// How long a certificate is valid.
  public static var days: Option {
    Option(
      "days", value: "N", default: "3650",
      "The certificate is valid from now for N days, 36500 at most.")
  }

  private static var invalidConfiguration: Command.ExitCode {
    Command.ExitCode(
      78, "Invalid configuration; standard error has a line for each problem.")
  }

  static func daemon(
    _ name: String, _ abstract: String, configuration: String, checks: String = "",
    flags: [Option], examples: [Command.Example] = [], exitCodes: [Command.ExitCode] = []
  ) -> Command {
    Command(
      name, abstract,
      options: [
        Option(
          "config", short: "c", value: "FILE", values: .file([]), default: configuration,
          "Read the configuration from FILE."),
        Option(
          flag: "check-config",
          "Check the configuration, print a line for each problem, and exit: 78 if there is an error, else 0."
            + checks),
      ] + flags,
      examples: examples, exitCodes: exitCodes, version: version)
  }

  /// Parses a command line that starts with the program's name.
  ///
  /// Not thread-safe, because getopt_long(3) has global state.
  ///
  /// - Parameter program: `pad`, `handoff` or `web`.
  public static func parse(
    _ arguments: [String], for program: Command, versions: () -> [String] = { [] }
  ) -> Outcome {
    do throws(UsageError) {
      switch try program.parse(Array(arguments.dropFirst()), versions: versions) {
      case .print(let text): return .print(text)
      case .run(let arguments): return .run(DaemonArguments(arguments, program))
      }
    } catch {
      return .refuse("\(program.name): \(error.line)")
    }
  }

  private init(_ arguments: Arguments, _ program: Command) {
    let path = program.options.first { $0.name == "config" }?.defaultValue ?? ""
    configuration = arguments.value("config") ?? path
    checksOnly = arguments.has("check-config")
    for option in program.options.dropFirst(2) where arguments.has(option.name) {
      flags.append(option.name)
    }
  }
}
