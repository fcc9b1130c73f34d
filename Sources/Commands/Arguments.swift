internal import CLinux

/// The options and operands of a parsed command line.
public struct Arguments: Sendable {
  /// The names from the program to the command.
  public let command: [String]
  /// The arguments that are no options.
  public let operands: [String]
  private let options: [(name: String, value: String?)]

  init(_ command: [String], _ options: [(name: String, value: String?)], _ operands: [String]) {
    self.command = command
    self.options = options
    self.operands = operands
  }

  /// Whether an option is given.
  public func has(_ option: String) -> Bool { options.contains { $0.name == option } }

  /// Whether an option is given, and not its opposite after it.
  ///
  /// - Parameter fallback: The answer where neither is given.
  public func has(_ option: String, butNot opposite: String, default fallback: Bool) -> Bool {
    options.last { $0.name == option || $0.name == opposite }.map { $0.name == option } ?? fallback
  }

  /// The last value of an option.
  public func value(_ option: String) -> String? {
    options.last { $0.name == option }.flatMap { $0.value }
  }

  /// The value of an option that the command needs.
  public func required(_ option: String) throws(UsageError) -> String {
    guard let value = value(option) else { throw error("option '--\(option)' is missing") }
    return value
  }

  /// All values of an option.
  public func values(_ option: String) -> [String] {
    options.filter { $0.name == option }.compactMap { $0.value }
  }

  /// The number that is an option's value; nil where the option is missing.
  ///
  /// - Parameter range: Which numbers are accepted, in words: "a number from 0 to 100".
  public func number(
    _ option: String, _ range: String, where isAccepted: (Double) -> Bool
  ) throws(UsageError) -> Double? {
    guard let text = value(option) else { return nil }
    guard let number = Arguments.number(text), isAccepted(number) else {
      throw error("option '--\(option)' takes \(range), not '\(text)'")
    }
    return number
  }

  /// Reads a decimal number; nil if the text is none.
  public static func number(_ text: String) -> Double? {
    var number = 0.0
    return unsafe CLinux_readNumber(text, &number) != 0 ? number : nil
  }

  /// A mistake in this command line.
  public func error(_ text: String) -> UsageError { UsageError(command, text) }
}
