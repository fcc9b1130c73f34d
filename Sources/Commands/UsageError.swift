/// A command line that cannot be understood: exit code 64 (EX_USAGE).
public struct UsageError: Error, Equatable, Sendable {
  /// The names from the program to the command.
  public let command: [String]
  /// The mistake.
  public let text: String

  /// Describes a mistake.
  public init(_ command: [String], _ text: String) {
    self.command = command
    self.text = text
  }

  /// "sign: unknown option '--x'; try 'paraph sign --help'": the line without the program's name.
  public var line: String {
    let subject = command.count > 1 ? command.dropFirst().joined(separator: " ") + ": " : ""
    return "\(subject)\(text); try '\(command.joined(separator: " ")) --help'"
  }
}
