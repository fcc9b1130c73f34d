internal import Commands
internal import Linux

/// Reads the sections of a document and rejects those that were never requested.
final class ConfigurationReader {
  private let document: Document
  private var sections: [Section] = []

  init(_ document: Document) { self.document = document }

  /// An optional section. If it is missing, its keys have their defaults.
  func section(_ name: String) -> Section {
    open(name, document.blocks.first { $0.name == name })
  }

  /// The sections `[KIND NAME]`, in the order of the file.
  func sections(_ kind: String) -> [(name: String, section: Section)] {
    document.blocks.compactMap { block in
      let words = Words.split(block.name)
      guard words.count == 2, words[0] == kind else { return nil }
      return (words[1], open(block.name, block))
    }
  }

  private func open(_ name: String, _ block: Document.Block?) -> Section {
    let section = Section(file: document.file, name: name, block: block)
    sections.append(section)
    return section
  }

  /// The lines of the values.
  var origin: ConfigurationOrigin { ConfigurationOrigin(document) }

  /// All requested keys.
  var declared: [Section.Declaration] { sections.flatMap { $0.declared } }

  /// Throws all problems: syntax errors, unknown sections and keys, invalid values.
  func finish() throws(ConfigurationError) {
    var problems = document.problems
    for section in sections {
      section.finish(all: declared)
      problems += section.problems
    }
    for block in document.blocks where !sections.contains(where: { $0.name == block.name }) {
      problems.append(
        ConfigurationProblem(
          file: block.file, line: block.line, section: block.name, key: "",
          reason: "unknown section\(Suggestion.text(block.name, sections.map { $0.name }))"))
    }
    if !problems.isEmpty { throw ConfigurationError(problems) }
  }

  /// Throws a problem of the whole file.
  func refuse(_ reason: String) throws(ConfigurationError) -> Never {
    throw ConfigurationError([
      ConfigurationProblem(file: document.file, line: 0, section: "", key: "", reason: reason)
    ])
  }
}

/// Reads the keys of a section and rejects those that were never requested.
final class Section {
  /// A requested key.
  struct Declaration: Equatable {
    let section: String
    let key: String
  }

  let file: String
  let name: String
  private let line: Int
  private let entries: [Document.Entry]
  private(set) var declared: [Declaration] = []
  private(set) var problems: [ConfigurationProblem] = []

  init(file: String, name: String, block: Document.Block?) {
    self.file = block?.file ?? file
    self.name = name
    line = block?.line ?? 0
    entries = block?.entries ?? []
  }

  /// The value of a key; nil if it is missing, empty, invalid or `word`.
  func value<Value>(
    _ key: String, _ type: ValueType<Value>, unless word: String? = nil
  ) -> Value? {
    guard let text = text(key, unless: word) else { return nil }
    do throws(Refusal) {
      return try type.read(text)
    } catch {
      refuse(key, error.reason)
      return nil
    }
  }

  /// The text of a key; nil if it is missing, empty or `word`.
  private func text(_ key: String, unless word: String?) -> String? {
    declared.append(Declaration(section: name, key: key))
    guard let entry = entries.first(where: { $0.key == key }), !entry.value.isEmpty,
      entry.text != word
    else { return nil }
    return entry.text
  }

  /// The value of a key with a default.
  func value<Value>(_ key: String, _ type: ValueType<Value>, default: Value) -> Value {
    value(key, type) ?? `default`
  }

  /// The value of a required key; nil and a problem if it is missing or invalid.
  func required<Value>(_ key: String, _ type: ValueType<Value>) -> Value? {
    let before = problems.count
    let found = value(key, type)
    if found == nil && problems.count == before { refuse(key, "is missing") }
    return found
  }

  /// The values of all keys with a prefix, by the rest of their names.
  func values<Value>(
    after prefix: String, _ type: ValueType<Value>
  ) -> [(name: String, value: Value)] {
    var found: [(name: String, value: Value)] = []
    for entry in entries where entry.key.utf8.starts(with: prefix.utf8) {
      let name = String(decoding: entry.key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      if name.isEmpty {
        declared.append(Declaration(section: self.name, key: entry.key))
        refuse(entry.key, "needs a name after the hyphen")
      } else if let value = value(entry.key, type) {
        found.append((name, value))
      }
    }
    return found
  }

  /// Adds a problem of a key's value.
  func refuse(_ key: String, _ reason: String) {
    let entry = entries.first { $0.key == key }
    problems.append(
      ConfigurationProblem(
        file: entry?.file ?? file, line: entry?.line ?? line, section: name, key: key,
        reason: reason))
  }

  /// Whether the key has a value.
  func has(_ key: String) -> Bool { entries.contains { $0.key == key && !$0.value.isEmpty } }

  /// Rejects all keys that were never requested. `all`: the requested keys of all sections.
  func finish(all: [Declaration]) {
    let known = declared.map { $0.key }
    for entry in entries where !known.contains(entry.key) {
      // Sections of sinks share most of their keys.
      let isSink = Words.split(name).count > 1
      let elsewhere = all.first {
        !isSink && $0.key == entry.key && Words.split($0.section).count == 1
      }
      let suggestion =
        elsewhere.map { "; it belongs to [\($0.section)]" } ?? Suggestion.text(entry.key, known)
      refuse(entry.key, "unknown key\(suggestion)")
    }
  }
}
