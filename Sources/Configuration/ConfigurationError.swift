internal import Linux

/// A configuration that cannot be used: everything that is wrong with it, in the order of its lines.
public struct ConfigurationError: Error, Equatable, Sendable {
  /// At least one.
  public let problems: [ConfigurationProblem]

  init(_ problems: [ConfigurationProblem]) {
    self.problems = problems.sorted { $0.line < $1.line }
  }

  /// One line for each problem.
  public var lines: [String] { problems.lines }
}
