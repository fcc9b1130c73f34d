/// A command as its users see it: the source of its parsing, help, manual page and completions.
public final class Command: Sendable {
  /// The name, for example "sign".
  public let name: String
  /// One sentence in the imperative that says what the command does.
  public let abstract: String
  /// More about it, a text for each paragraph.
  public let discussion: [String]
  /// The options, without `--help`.
  public let options: [Option]
  /// The arguments that are no options, in order. Only the last one may repeat.
  public let operands: [Operand]
  /// Calls that show its use.
  public let examples: [Example]
  /// The exit codes that only this command has, or that mean something else here.
  public let exitCodes: [ExitCode]
  /// The commands below it; a command has either these or operands.
  public let subcommands: [Command]
  /// The program's version, which `--version` prints; nil below a program.
  public let version: String?

  /// Describes a command.
  public init(
    _ name: String, _ abstract: String, discussion: [String] = [], options: [Option] = [],
    operands: [Operand] = [], examples: [Example] = [], exitCodes: [ExitCode] = [],
    subcommands: [Command] = [], version: String? = nil
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.options = options
    self.operands = operands
    self.examples = examples
    self.exitCodes = exitCodes
    self.subcommands = subcommands
    self.version = version
  }

  /// A call and what it does.
  public struct Example: Sendable {
    /// The whole line, for example "paraph status --json".
    public let line: String
    /// One sentence in the imperative that says what the call does.
    public let text: String

    /// Describes a call.
    public init(_ line: String, _ text: String) {
      self.line = line
      self.text = text
    }
  }

  /// An exit code and its meaning.
  public struct ExitCode: Sendable {
    /// The code.
    public let code: Int32
    /// When the program ends with it.
    public let text: String

    /// Describes a code.
    public init(_ code: Int32, _ text: String) {
      self.code = code
      self.text = text
    }
  }

  /// The options with those that every command has.
  public var allOptions: [Option] {
    let version =
      version == nil
      ? []
      : [
        Option(flag: "version", "Print the version."),
        Option(
          flag: "verbose", "With --version: print the versions of compiler and libraries too."),
      ]
    return options + version + [Option(flag: "help", short: "h", "Print this help.")]
  }

  /// The subcommand of this name.
  public func subcommand(_ name: String) -> Command? { subcommands.first { $0.name == name } }

  /// How it is called, for example "paraph sign [OPTION]... --output FILE".
  ///
  /// - Parameter path: The names from the program to this command.
  public func usage(_ path: [String]) -> String {
    var words = path + ["[OPTION]..."]
    for option in options where option.isRequired { words.append(option.longSpelling) }
    if !subcommands.isEmpty { words.append("COMMAND") }
    words += operands.map { $0.spelling }
    return words.joined(separator: " ")
  }
}
