internal import Linux

/// A problem of a configuration file and its position.
public struct ConfigurationProblem: Equatable, Sendable {
  /// Whether a problem prevents the program from running.
  public enum Severity: Equatable, Sendable {
    /// The program exits with 78 (EX_CONFIG).
    case error
    /// The program runs without the affected feature.
    case warning
  }

  /// Whether the problem prevents the program from running.
  public let severity: Severity
  /// The file's path as given.
  public let file: String
  /// The line, from 1; 0 for the whole file.
  public let line: Int
  /// The section's name; empty before the first section.
  public let section: String
  /// The key; empty if no key applies.
  public let key: String
  /// One line with the problem and, if known, the remedy.
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
  /// Whether one of the problems is an error.
  public var areFatal: Bool { contains { $0.severity == .error } }

  /// One line per problem.
  public var lines: [String] { map { $0.text } }

  /// The problems in the order of files and lines: a file is before its drop-ins.
  public var sortedByPlace: [ConfigurationProblem] {
    sorted {
      $0.file == $1.file
        ? $0.line < $1.line : $0.file.utf8.lexicographicallyPrecedes($1.file.utf8)
    }
  }
}

/// All problems of an invalid configuration, in the order of files and lines.
public struct ConfigurationError: Error, Equatable, Sendable {
  /// The problems; at least one.
  public let problems: [ConfigurationProblem]

  init(_ problems: [ConfigurationProblem]) {
    self.problems = problems.sortedByPlace
  }

  /// One line per problem.
  public var lines: [String] { problems.lines }
}

/// The lines of a configuration's values, for problems that are found after parsing.
public struct ConfigurationOrigin: Equatable, Sendable {
  private let document: Document

  init(_ document: Document) { self.document = document }

  /// The file's path as given.
  public var file: String { document.file }

  /// The paths that a change of a configuration modifies: the file, its drop-ins, and their folder.
  public static func paths(of file: String) -> [String] {
    let dropIns = (try? Document.dropIns(of: file)) ?? []
    return [file] + dropIns + [Document.dropInFolder(of: file)]
  }

  /// The file, and how many drop-ins it has.
  public var summary: String {
    switch document.dropIns.count {
    case 0: file
    case 1: "\(file) with 1 drop-in"
    case let count: "\(file) with \(count) drop-ins"
    }
  }

  /// A problem of a key's value, with the file and line of the key, else of its section.
  public func problem(
    _ severity: ConfigurationProblem.Severity, _ section: String, _ key: String, _ reason: String
  ) -> ConfigurationProblem {
    let words = Words.split(section)
    let block = document.blocks.first { Words.split($0.name) == words }
    let entry = block?.entries.first { $0.key == key }
    return ConfigurationProblem(
      severity, file: entry?.file ?? block?.file ?? file, line: entry?.line ?? block?.line ?? 0,
      section: section, key: key, reason: reason)
  }

  /// The keys whose values differ from those of another file, as "[display] card".
  public func changes(since other: ConfigurationOrigin) -> [String] {
    let (new, old) = (document.keys, other.document.keys)
    var changes: [String] = []
    for key in new + old {
      guard document.value(key) != other.document.value(key), !changes.contains(key.text) else {
        continue
      }
      changes.append(key.text)
    }
    return changes
  }

  /// Always true: equal configurations may have different lines.
  public static func == (a: ConfigurationOrigin, b: ConfigurationOrigin) -> Bool { true }
}

extension Document {
  fileprivate struct Key {
    let section: String
    let key: String

    var text: String { "[\(section)] \(key)" }
  }

  fileprivate var keys: [Key] {
    blocks.flatMap { block in block.entries.map { Key(section: block.name, key: $0.key) } }
  }

  fileprivate func value(_ key: Key) -> [UInt8]? {
    blocks.first { $0.name == key.section }?.entries.first { $0.key == key.key }?.value
  }
}
