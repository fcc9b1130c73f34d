/// Reads the lines of a configuration file: the part of systemd.syntax(7) in which a line has one
/// meaning. Continued lines, quotes and comments behind values are refused.
struct DocumentParser {
  private(set) var document: Document
  /// Of the line that is read, from 1.
  private var line = 0

  private static let nameLimit = 49
  private static let valueLimit = 4096

  init(_ document: Document) { self.document = document }

  /// Reads a whole file. A byte order mark is skipped; lines end with LF or CR LF.
  mutating func parse(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    for row in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      parse(line: row.last == UInt8(ascii: "\r") ? row.dropLast() : row)
    }
  }

  private mutating func parse(line text: ArraySlice<UInt8>) {
    let trimmed = text.trimmed
    guard let first = trimmed.first, !first.startsComment else { return }
    if let reason = refusal(of: text) {
      document.add(line, reason)
    } else if first == UInt8(ascii: "[") {
      parse(section: trimmed)
    } else {
      parse(entry: trimmed)
    }
  }

  private func refusal(of text: ArraySlice<UInt8>) -> String? {
    if text.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) {
      return "control characters are not allowed"
    }
    if Array(String(decoding: text, as: UTF8.self).utf8) != Array(text) { return "is not UTF-8" }
    if text.first?.isBlank == true {
      return "lines may not be indented; a value cannot go on in the next line"
    }
    return nil
  }

  private mutating func parse(section text: ArraySlice<UInt8>) {
    let inside = text.dropFirst().dropLast().trimmed
    let brackets: [UInt8] = [UInt8(ascii: "["), UInt8(ascii: "]")]
    guard text.last == brackets[1], !inside.isEmpty, !inside.contains(where: brackets.contains)
    else {
      return document.add(line, "a section is [NAME] and nothing else in its line")
    }
    // The keys that follow belong to this section even where it is refused.
    let name = String(decoding: inside, as: UTF8.self)
    let first = document.blocks.first { $0.name == name }
    document.blocks.append(.init(name: name, line: line))
    if inside.count > Self.nameLimit {
      document.add(line, "a section's name has at most \(Self.nameLimit) bytes")
    } else if let first {
      document.add(line, "this section is already in line \(first.line)")
    }
  }

  private mutating func parse(entry text: ArraySlice<UInt8>) {
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
      return document.add(line, "is neither [SECTION] nor key = value")
    }
    let name = text[..<equals].trimmed
    let value = text[(equals + 1)...]
    let key = String(decoding: name, as: UTF8.self)
    if let reason = refusal(name: name) ?? refusal(value: value) {
      return document.add(line, key: key, reason)
    }
    guard let block = document.blocks.indices.last else {
      return document.add(line, key: key, "stands before the first [SECTION]")
    }
    if let earlier = document.blocks[block].entries.first(where: { $0.key == key }) {
      return document.add(line, key: key, "is already in line \(earlier.line)")
    }
    document.blocks[block].entries.append(.init(key: key, value: Array(value.trimmed), line: line))
  }

  private func refusal(name: ArraySlice<UInt8>) -> String? {
    if name.isEmpty || !name.allSatisfy({ $0.isNameByte }) {
      return "a key has only letters, digits and hyphens"
    }
    return name.count > Self.nameLimit ? "a key has at most \(Self.nameLimit) bytes" : nil
  }

  private func refusal(value: ArraySlice<UInt8>) -> String? {
    let trimmed = value.trimmed
    if trimmed.count > Self.valueLimit { return "a value has at most \(Self.valueLimit) bytes" }
    let quote = UInt8(ascii: "\"")
    if trimmed.count > 1 && trimmed.first == quote && trimmed.last == quote {
      return "values are not quoted"
    }
    for (before, byte) in zip(value, value.dropFirst())
    where before.isBlank && byte == UInt8(ascii: ";") {
      return "a comment stands in a line of its own"
    }
    let hash: [UInt8] = Array(" # ".utf8)
    for start in trimmed.indices where trimmed[start...].starts(with: hash) {
      return "a comment stands in a line of its own"
    }
    return nil
  }
}
