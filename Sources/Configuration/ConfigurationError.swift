internal import Linux

/// One thing that is wrong with a configuration file, and where.
public struct ConfigurationProblem: Equatable, Sendable {
  /// As it was given on the command line.
  public let file: String
  /// From 1; 0 where the whole file is meant.
  public let line: Int
  /// Without brackets; empty before the first section.
  public let section: String
  /// Empty where no key is meant.
  public let key: String
  /// What is wrong, and where it helps, what would be right.
  public let reason: String

  /// One line: "paraphd.conf:12: [touch] contacts: …".
  public var text: String {
    var text = file
    if line > 0 { text += ":\(line)" }
    text += ":"
    if !section.isEmpty { text += " [\(section)]" }
    if !key.isEmpty { text += " \(key):" }
    return text + " " + reason
  }
}

/// A configuration that cannot be used: everything that is wrong with it, in the order of its lines.
public struct ConfigurationError: Error, Equatable, Sendable {
  /// At least one.
  public let problems: [ConfigurationProblem]

  init(_ problems: [ConfigurationProblem]) {
    self.problems = problems.inOrder { $0.line < $1.line }
  }

  /// One line for each problem.
  public var lines: [String] { problems.map { $0.text } }
}
