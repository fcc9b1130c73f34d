/// Why bytes are not the JSON that was expected.
public struct JSONError: Error, Equatable, Sendable {
  /// From 1; 0 where no line is meant.
  public let line: Int
  /// What is wrong.
  public let reason: String

  /// "line 3: string expected".
  public var text: String { line > 0 ? "line \(line): \(reason)" : reason }

  init(line: Int = 0, _ reason: String) {
    self.line = line
    self.reason = reason
  }
}
