internal import CLibinih

/// Feeds a file to libinih line by line and takes the entries back.
///
/// inih tells its handler no line numbers, cuts what is longer than its buffer (200 bytes on Debian)
/// and knows Python's dialect: indented continuations, inline comments, `key: value`. So every line is
/// looked at here first, and only what means the same to inih and to systemd.syntax(7) goes on; a long
/// value goes on as the continuation lines that the file itself may not use.
final class LineSource {
  var document: Document
  private let bytes: [UInt8]
  private var position = 0
  private var line = 0
  /// The rest of a value too long for inih's buffer.
  private var pending: ArraySlice<UInt8> = []
  private var continues = false

  /// inih's MAX_SECTION and MAX_NAME, without the terminating zero.
  private static let nameLimit = 49
  private static let valueLimit = 4096

  init(_ bytes: [UInt8], _ document: Document) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
    self.document = document
  }

  func parse() {
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    let result = unsafe ini_parse_stream(
      { buffer, size, stream in
        guard let buffer = unsafe buffer, let stream = unsafe stream else { return nil }
        let source = unsafe Unmanaged<LineSource>.fromOpaque(stream).takeUnretainedValue()
        guard let text = source.nextText(limit: Int(size) - 2) else { return nil }
        for (index, byte) in text.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
        // Newer releases (59) leave out what follows a full buffer without the line's end.
        unsafe buffer[text.count] = CChar(bitPattern: UInt8(ascii: "\n"))
        unsafe buffer[text.count + 1] = 0
        return unsafe buffer
      }, this,
      { stream, _, name, value in
        guard let stream = unsafe stream, let name = unsafe name, let value = unsafe value else {
          return 0
        }
        let source = unsafe Unmanaged<LineSource>.fromOpaque(stream).takeUnretainedValue()
        unsafe source.take(String(cString: name), Array(String(cString: value).utf8))
        return 1
      }, this)
    if result != 0 && document.problems.isEmpty { document.add(line, "cannot be understood") }
  }

  private func take(_ key: String, _ value: [UInt8]) {
    guard let block = document.blocks.indices.last else { return }
    if continues, let entry = document.blocks[block].entries.indices.last {
      document.blocks[block].entries[entry].value += value
    } else {
      document.blocks[block].entries.append(.init(key: key, value: value, line: line))
    }
  }

  /// The next text for inih, at most `limit` bytes; nil at the end.
  private func nextText(limit: Int) -> [UInt8]? {
    if !pending.isEmpty {
      continues = true
      return [UInt8(ascii: " ")] + nextPiece(limit: limit - 1)
    }
    continues = false
    while let text = nextLine() {
      guard let accepted = accept(text) else { continue }
      pending = accepted[...]
      return Array(nextPiece(limit: limit))
    }
    return nil
  }

  /// Takes a piece off `pending` that neither starts nor ends in what inih would strip, nor in the middle of a
  /// letter of several bytes.
  private func nextPiece(limit: Int) -> ArraySlice<UInt8> {
    var cut = min(pending.endIndex, pending.startIndex + limit)
    while cut < pending.endIndex && !isSafeCut(cut) && cut > pending.startIndex { cut -= 1 }
    if cut == pending.startIndex {
      document.add(line, "has too many spaces in a row")
      pending = []
      return []
    }
    let piece = pending[..<cut]
    pending = pending[cut...]
    return piece
  }

  private func isSafeCut(_ cut: Int) -> Bool {
    !pending[cut].isBlank && !pending[cut - 1].isBlank && !pending[cut].startsComment
      && pending[cut] & 0xc0 != 0x80
  }

  /// The next line of the file without its end.
  private func nextLine() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let rest = bytes[position...]
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    position = end + 1
    line += 1
    let text = rest[..<end]
    return text.last == UInt8(ascii: "\r") ? text.dropLast() : text
  }

  /// What inih gets for a line; nil for blank lines, comments and what is refused.
  private func accept(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let trimmed = text.trimmed
    guard let first = trimmed.first, !first.startsComment else { return nil }
    if let reason = refusal(of: text) {
      document.add(line, reason)
      return nil
    }
    return first == UInt8(ascii: "[") ? acceptSection(trimmed) : acceptEntry(trimmed)
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

  private func acceptSection(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let inside = text.dropFirst().dropLast().trimmed
    let brackets: [UInt8] = [UInt8(ascii: "["), UInt8(ascii: "]")]
    guard text.last == brackets[1], !inside.isEmpty, !inside.contains(where: brackets.contains)
    else {
      document.add(line, "a section is [NAME] and nothing else in its line")
      return nil
    }
    // The keys that follow belong to this section even where it is refused.
    let name = String(decoding: inside, as: UTF8.self)
    let first = document.blocks.first { $0.name == name }
    document.blocks.append(.init(name: name, line: line))
    if inside.count > Self.nameLimit {
      document.add(line, "a section's name has at most \(Self.nameLimit) bytes")
      return nil
    }
    if let first { document.add(line, "this section is already in line \(first.line)") }
    return [brackets[0]] + inside + [brackets[1]]
  }

  private func acceptEntry(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
      document.add(line, "is neither [SECTION] nor key = value")
      return nil
    }
    let name = text[..<equals].trimmed
    let value = text[(equals + 1)...]
    let key = String(decoding: name, as: UTF8.self)
    if let reason = refusal(name: name) ?? refusal(value: value) {
      document.add(line, key: key, reason)
      return nil
    }
    if document.blocks.isEmpty {
      document.add(line, key: key, "stands before the first [SECTION]")
      return nil
    }
    let earlier = document.blocks.last?.entries.first { $0.key == key }
    if let earlier {
      document.add(line, key: key, "is already in line \(earlier.line)")
      return nil
    }
    return Array(name) + [UInt8(ascii: "=")] + Array(value.trimmed)
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
