internal import CLinux
internal import Linux

/// The command line of a daemon: `-c FILE`, `--check-config` and what every program has; wrong use
/// exits 64 (EX_USAGE).
public struct DaemonArguments: Equatable, Sendable {
  /// The configuration's file.
  public var configuration: String
  /// Check the configuration, and end.
  public var checksOnly = false
  /// Flags of this daemon alone that were given, without dashes.
  public var flags: [String] = []

  /// A configuration, and nothing else said.
  public init(configuration: String) { self.configuration = configuration }

  /// What the command line asks for.
  public enum Outcome: Equatable, Sendable {
    /// Run.
    case run(DaemonArguments)
    /// Print this on standard output and exit with 0.
    case print(String)
    /// Print this on standard error and exit with 64.
    case refuse(String)
  }

  /// A daemon as its command line knows it.
  public struct Program: Sendable {
    /// For example "paraphd".
    public var name: String
    /// What it does, in a line.
    public var summary: String
    /// The file that is read without `-c`.
    public var defaultConfiguration: String
    /// Flags of this daemon alone, without dashes, and what they do.
    public var flags: [(name: String, summary: String)]

    /// All of it.
    public init(
      name: String, summary: String, defaultConfiguration: String,
      flags: [(name: String, summary: String)] = []
    ) {
      self.name = name
      self.summary = summary
      self.defaultConfiguration = defaultConfiguration
      self.flags = flags
    }

    var help: String {
      let common = [
        ("-c, --config FILE", "read FILE instead of \(defaultConfiguration)"),
        ("    --check-config", "check the configuration and exit (0 or 78)"),
      ]
      let last = [("    --version", "print the version"), ("-h, --help", "print this help")]
      let rows = common + flags.map { ("    --\($0.name)", $0.summary) } + last
      let lines = rows.map { row in
        "  \(row.0)\(String(repeating: " ", count: max(1, 22 - row.0.utf8.count)))\(row.1)\n"
      }
      return "usage: \(name) [OPTION]...\n\(summary)\n\n" + lines.joined()
    }
  }

  /// The version of all programs.
  public static let version = "0.1.0"

  /// Reads `arguments`, the program's own name first. Not for two threads: getopt_long(3) has one state.
  public static func parse(_ arguments: [String], for program: Program) -> Outcome {
    let names =
      ["config=", "check-config"] + program.flags.map { $0.name } + ["version", "help"]
    var result = DaemonArguments(configuration: program.defaultConfiguration)
    let refusal = Outcome.refuse(
      "\(program.name): wrong use; \"\(program.name) --help\" lists the options")
    let strings = CStrings(arguments)
    let options = CStrings(names)
    CLinux_restartOptions()
    while true {
      let option = unsafe CLinux_nextOption(
        Int32(arguments.count), strings.pointers, options.constants)
      if option == -1 { break }
      guard option >= 0, Int(option) < names.count else { return refusal }
      switch names[Int(option)] {
      case "config=":
        guard let value = unsafe CLinux_optionValue() else { return refusal }
        result.configuration = unsafe String(cString: value)
      case "check-config": result.checksOnly = true
      case "version": return .print("\(program.name) \(version)\n")
      case "help": return .print(program.help)
      case let flag: result.flags.append(flag)
      }
    }
    return Int(CLinux_firstOperand()) < arguments.count ? refusal : .run(result)
  }
}
