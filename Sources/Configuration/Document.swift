internal import CLinux
internal import Linux

/// The sections, keys and values of a configuration file and its drop-ins, with their files and lines.
struct Document: Sendable {
  /// A key with its value.
  struct Entry: Sendable {
    let key: String
    let value: [UInt8]
    let file: String
    let line: Int

    var text: String { String(decoding: value, as: UTF8.self) }
  }

  /// A section.
  struct Block: Sendable {
    let name: String
    let file: String
    let line: Int
    var entries: [Entry] = []
  }

  /// The main file's path as given.
  let file: String
  /// The paths of the drop-ins that were read, in their order.
  private(set) var dropIns: [String] = []
  var blocks: [Block] = []
  var problems: [ConfigurationProblem] = []

  /// The maximum size of a file in bytes.
  static let sizeLimit = 1 << 20

  init(file: String) { self.file = file }

  /// Parses a file and collects its syntax errors in `problems`.
  static func parse(_ bytes: [UInt8], file: String) -> Document {
    var parser = DocumentParser(Document(file: file))
    parser.parse(bytes)
    return parser.document
  }

  /// Reads and parses a file and its drop-ins, `FILE.d/*.conf` in byte order. Later values replace earlier ones.
  static func read(_ path: String) throws(ConfigurationError) -> Document {
    var document = try readAlone(path)
    for dropIn in try dropIns(of: path) { document.merge(try readAlone(dropIn)) }
    return document
  }

  /// The folder of a file's drop-ins.
  static func dropInFolder(of path: String) -> String { path + ".d" }

  /// The paths of a file's drop-ins, in their order.
  static func dropIns(of path: String) throws(ConfigurationError) -> [String] {
    let folder = dropInFolder(of: path)
    do throws(Errno) {
      let names = try Folder.names(of: folder)
      return names.filter {
        $0.utf8.first != UInt8(ascii: ".") && $0.utf8.ends(with: ".conf".utf8)
      }
      .map { "\(folder)/\($0)" }
    } catch {
      if error.rawValue == ENOENT { return [] }
      throw ConfigurationError([problem(folder, "cannot be read: \(error.text)")])
    }
  }

  /// Adds the sections of a drop-in. Its keys replace the same keys of the same sections.
  private mutating func merge(_ other: Document) {
    dropIns.append(other.file)
    problems += other.problems
    for block in other.blocks {
      let words = Words.split(block.name)
      guard let place = blocks.firstIndex(where: { Words.split($0.name) == words }) else {
        blocks.append(block)
        continue
      }
      for entry in block.entries {
        if let known = blocks[place].entries.firstIndex(where: { $0.key == entry.key }) {
          blocks[place].entries[known] = entry
        } else {
          blocks[place].entries.append(entry)
        }
      }
    }
  }

  private static func readAlone(_ path: String) throws(ConfigurationError) -> Document {
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try FileDescriptor(opening: path, O_RDONLY).readAll(limit: sizeLimit)
    } catch {
      throw ConfigurationError([problem(path, "cannot be read: \(error.text)")])
    }
    guard let bytes else {
      throw ConfigurationError([problem(path, "is larger than \(sizeLimit) bytes")])
    }
    return parse(bytes, file: path)
  }

  private static func problem(_ path: String, _ reason: String) -> ConfigurationProblem {
    ConfigurationProblem(file: path, line: 0, section: "", key: "", reason: reason)
  }

  /// Adds a problem of the current section.
  fileprivate mutating func add(_ line: Int, key: String = "", _ reason: String) {
    problems.append(
      ConfigurationProblem(
        file: file, line: line, section: blocks.last?.name ?? "", key: key, reason: reason))
  }
}

/// Parses a configuration file: a subset of systemd.syntax(7).
///
/// Rejects continued lines, quotes and comments after values.
private struct DocumentParser {
  private(set) var document: Document
  /// The number of the current line, from 1.
  private var line = 0

  private static let nameLimit = 49
  private static let valueLimit = 4096

  init(_ document: Document) { self.document = document }

  /// Parses a file. Skips a byte order mark; lines end with LF or CR LF.
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
    if !String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) { return "is not UTF-8" }
    if text.first?.isBlank == true {
      return "indented lines are not allowed; a value cannot continue on the next line"
    }
    return nil
  }

  private mutating func parse(section text: ArraySlice<UInt8>) {
    let inside = text.dropFirst().dropLast().trimmed
    let brackets: [UInt8] = [UInt8(ascii: "["), UInt8(ascii: "]")]
    guard text.last == brackets[1], !inside.isEmpty, !inside.contains(where: brackets.contains)
    else {
      return document.add(line, "a section is [NAME] alone on its line")
    }
    // The following keys belong to this section even if it is rejected.
    let isLong = inside.count > Self.nameLimit
    // Messages repeat it.
    let name =
      String(decoding: isLong ? inside.prefix(Self.nameLimit) : inside, as: UTF8.self)
      + (isLong ? "…" : "")
    let first = document.blocks.first { $0.name == name }
    document.blocks.append(.init(name: name, file: document.file, line: line))
    if isLong {
      document.add(line, "a section name has at most \(Self.nameLimit) bytes")
    } else if let first {
      document.add(line, "duplicate section; the first is on line \(first.line)")
    }
  }

  private mutating func parse(entry text: ArraySlice<UInt8>) {
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
      return document.add(line, "must be [SECTION] or key = value")
    }
    let name = text[..<equals].trimmed
    let value = text[(equals + 1)...]
    let key = String(decoding: name, as: UTF8.self)
    if let reason = refusal(name: name) ?? refusal(value: value) {
      return document.add(line, key: key, reason)
    }
    guard let block = document.blocks.indices.last else {
      return document.add(line, key: key, "key before the first [SECTION]")
    }
    if let earlier = document.blocks[block].entries.first(where: { $0.key == key }) {
      return document.add(line, key: key, "duplicate key; the first is on line \(earlier.line)")
    }
    document.blocks[block].entries.append(
      .init(key: key, value: Array(value.trimmed), file: document.file, line: line))
  }

  private func refusal(name: ArraySlice<UInt8>) -> String? {
    if name.isEmpty || !name.allSatisfy({ $0.isNameByte }) {
      return "a key consists of letters, digits and hyphens"
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
      return "a comment must be on its own line"
    }
    for start in trimmed.indices where trimmed[start...].starts(with: " # ".utf8) {
      return "a comment must be on its own line"
    }
    return nil
  }
}

extension UInt8 {
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var startsComment: Bool { self == UInt8(ascii: "#") || self == UInt8(ascii: ";") }
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isNameByte: Bool {
    let lower = self | 0x20
    return isDigit || lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
      || self == UInt8(ascii: "-")
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without blanks at both ends.
  var trimmed: ArraySlice<UInt8> {
    var slice = self
    while slice.first?.isBlank == true { slice = slice.dropFirst() }
    while slice.last?.isBlank == true { slice = slice.dropLast() }
    return slice
  }
}
