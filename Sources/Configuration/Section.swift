/// A section that is being read: asking for a key declares it, and what was never asked for is unknown.
final class Section {
  /// A key that the program knows.
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
    self.file = file
    self.name = name
    line = block?.line ?? 0
    entries = block?.entries ?? []
  }

  /// The value of a key; nil where it is left out, empty or wrong, or `word`.
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

  /// What the file gives a key; nil where it is left out or empty, or `word`. Declares the key. On its own,
  /// for every type has a `value` of its own.
  @inline(never)
  private func text(_ key: String, unless word: String?) -> String? {
    declared.append(Declaration(section: name, key: key))
    guard let entry = entries.first(where: { $0.key == key }), !entry.value.isEmpty,
      entry.text != word
    else { return nil }
    return entry.text
  }

  /// The value of a key that has a default.
  func value<Value>(_ key: String, _ type: ValueType<Value>, default: Value) -> Value {
    value(key, type) ?? `default`
  }

  /// The value of a key that must be there; nil after a refusal.
  func required<Value>(_ key: String, _ type: ValueType<Value>) -> Value? {
    let before = problems.count
    let found = value(key, type)
    if found == nil && problems.count == before { refuse(key, "is missing") }
    return found
  }

  /// The values of all keys that start with `prefix`, by what follows it.
  func values<Value>(
    after prefix: String, _ type: ValueType<Value>
  ) -> [(name: String, value: Value)] {
    var found: [(name: String, value: Value)] = []
    for entry in entries where entry.key.utf8.starts(with: prefix.utf8) {
      let name = String(decoding: entry.key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      if let value = value(entry.key, type), !name.isEmpty { found.append((name, value)) }
    }
    return found
  }

  /// Notes that the value of a key cannot be used.
  func refuse(_ key: String, _ reason: String) {
    let line = entries.first { $0.key == key }?.line ?? line
    problems.append(
      ConfigurationProblem(file: file, line: line, section: name, key: key, reason: reason))
  }

  /// Whether the file gives this key a value.
  func has(_ key: String) -> Bool { entries.contains { $0.key == key && !$0.value.isEmpty } }

  /// Refuses every key that was never asked for.
  func finish() {
    for entry in entries where !declared.contains(where: { $0.key == entry.key }) {
      refuse(entry.key, "unknown key")
    }
  }
}
