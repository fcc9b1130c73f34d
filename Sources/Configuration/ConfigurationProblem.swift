/// One thing that is wrong with a configuration file, and where.
public struct ConfigurationProblem: Equatable, Sendable {
  /// Whether the program runs with it.
  public enum Severity: Equatable, Sendable {
    /// It does not: it ends with 78 (EX_CONFIG).
    case error
    /// It does, without what is wrong.
    case warning
  }

  /// Whether the program runs with it.
  public let severity: Severity
  /// As it was given on the command line.
  public let file: String
  /// From 1; 0 where the whole file is meant.
  public let line: Int
  /// Without brackets; empty before the first section.
  public let section: String
  /// Empty where no key is meant.
  public let key: String
  /// The problem in one line, with the remedy where there is one.
  public let reason: String

  init(
    _ severity: Severity = .error, file: String, line: Int, section: String, key: String,
    reason: String
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.section = section
    self.key = key
    self.reason = reason
  }

  /// One line: "paraphd.conf:12: [touch] contacts: …", or "paraphd.conf:12: warning: …".
  public var text: String {
    var text = file
    if line > 0 { text += ":\(line)" }
    text += ":"
    if severity == .warning { text += " warning:" }
    if !section.isEmpty { text += " [\(section)]" }
    if !key.isEmpty { text += " \(key):" }
    return text + " " + reason
  }
}

extension [ConfigurationProblem] {
  /// Whether a program cannot run with one of them.
  public var areFatal: Bool { contains { $0.severity == .error } }

  /// One line for each.
  public var lines: [String] { map { $0.text } }
}
