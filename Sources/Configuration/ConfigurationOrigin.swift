/// Where the values of a configuration stand in its file, for what is found wrong with them later.
public struct ConfigurationOrigin: Equatable, Sendable {
  private let document: Document

  init(_ document: Document) { self.document = document }

  /// The file, as it was named when it was read.
  public var file: String { document.file }

  /// Something that is wrong with a key's value, with the line of the key, else of its section.
  public func problem(
    _ severity: ConfigurationProblem.Severity, _ section: String, _ key: String, _ reason: String
  ) -> ConfigurationProblem {
    let words = Words.cut(section)
    let block = document.blocks.first { Words.cut($0.name) == words }
    let line = block?.entries.first { $0.key == key }?.line ?? block?.line ?? 0
    return ConfigurationProblem(
      severity, file: file, line: line, section: section, key: key, reason: reason)
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

  /// Always true: configurations are equal if they say the same, wherever it stands.
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
