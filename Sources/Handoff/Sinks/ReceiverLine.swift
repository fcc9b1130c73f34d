internal import Nettle

/// A line of a receiver's answer for the log, which must not contain secrets and texts that tell
/// of people.
///
/// Servers repeat what they received: as it is, or escaped as in a URL, a form, JSON or HTML.
struct ReceiverLine {
  /// The line of the answer.
  let bytes: [UInt8]
  /// Whether the rest of the line was not received.
  let isCut: Bool

  /// How much of the line is shown, in bytes.
  private static let limit = 120
  /// Stands for a text that is left out.
  private static let mark: UInt8 = 0
  /// The longest escaped character, of which the end of a cut line may have a part: two code units
  /// of UTF-16 in JSON.
  private static let longestEscape = 12
  /// How often a line is decoded: some servers put JSON into JSON.
  private static let depth = 2

  /// The beginning of the line in ASCII, with "…" in place of texts. Nil if it contains a secret,
  /// or a text in another form, or if nothing else is left.
  func text(without secrets: [String], _ texts: [String]) -> String? {
    let line = bytes.map { Self.folded($0) }
    let decodedLines = Self.forms(of: line)
    for secret in secrets where finds(Self.folded(secret), in: decodedLines, asWord: false) {
      return nil
    }
    var isHidden = [Bool](repeating: false, count: line.count)
    // Each text is looked for on its own: what hides one may be a part of another.
    for forms in Self.grouped(texts) {
      var rest = line
      for form in forms {
        for place in 0..<min(line.count, Self.limit) {
          guard let length = length(of: form, at: place, in: line, asWord: true) else { continue }
          for place in place..<place + length {
            isHidden[place] = true
            rest[place] = Self.mark
          }
        }
      }
      let lines = rest == line ? decodedLines : Self.forms(of: rest)
      for form in forms where finds(form, in: lines, asWord: true) { return nil }
    }
    return shown(isHidden)
  }

  /// The folded texts, of which neighbours that decode to the same are one group.
  private static func grouped(_ texts: [String]) -> [[[UInt8]]] {
    var groups: [[[UInt8]]] = []
    var last: [UInt8] = []
    for text in texts {
      let form = folded(text)
      let decoded = decoded(form)
      if groups.isEmpty || decoded != last { groups.append([]) }
      groups[groups.count - 1].append(form)
      last = decoded
    }
    return groups
  }

  /// The beginning of the line, with "…" in place of what is hidden. Nil if no word is left.
  private func shown(_ isHidden: [Bool]) -> String? {
    var text: [UInt8] = []
    var hasWord = false
    for (place, byte) in bytes.prefix(Self.limit).enumerated() {
      if !isHidden[place] {
        hasWord = hasWord || Self.isWord(byte)
        text.append(byte >= 0x20 && byte < 0x7f ? byte : UInt8(ascii: "?"))
      } else if place == 0 || !isHidden[place - 1] {
        text += Array("…".utf8)
      }
    }
    return hasWord ? String(decoding: text, as: UTF8.self) : nil
  }

  /// A folded line, and what it decodes to.
  private static func forms(of line: [UInt8]) -> [[UInt8]] {
    var forms = [line]
    for _ in 0..<depth { forms.append(decoded(forms[forms.count - 1])) }
    return forms
  }

  /// Whether a folded text begins in what is shown of a line, in one of its forms.
  private func finds(_ text: [UInt8], in forms: [[UInt8]], asWord: Bool) -> Bool {
    // A text may look escaped itself; "%20" would be in each line.
    let decoded = Self.decoded(text)
    let texts = decoded.contains { Self.isWord($0) } ? [text, decoded] : [text]
    for form in forms {
      // Decoding moves nothing towards the end.
      for place in 0..<min(Self.limit, form.count) {
        for text in texts where length(of: text, at: place, in: form, asWord: asWord) != nil {
          return true
        }
      }
    }
    return false
  }

  /// The length of a text at a place, nil if it is not there. At the end of a cut line, its
  /// beginning is enough. `asWord`: not as a part of a longer word or number.
  private func length(
    of text: [UInt8], at place: Int, in line: [UInt8], asWord: Bool
  ) -> Int? {
    guard let first = text.first, let last = text.last else { return nil }
    if asWord, place > 0, Self.isWord(first), Self.isLetterOrDigit(line[place - 1]) { return nil }
    for offset in text.indices {
      let next = place + offset
      if next < line.count, line[next] == text[offset] { continue }
      let isBeginning = isCut && offset > 0 && next + Self.longestEscape >= line.count
      return isBeginning ? line.count - place : nil
    }
    let end = place + text.count
    if asWord, end < line.count, Self.isWord(last), Self.isLetterOrDigit(line[end]) { return nil }
    return text.count
  }

  // MARK: Letters

  /// Whether a text has a letter or a digit.
  static func hasWord(_ text: Substring.UTF8View) -> Bool { text.contains { isWord($0) } }

  /// Also of other scripts. Their neighbours do not count, which may be quotation marks.
  private static func isWord(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || byte >= 0x80 }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  /// In lower case. A form writes a blank as a plus sign.
  private static func folded(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "+"): UInt8(ascii: " ")
    default: byte
    }
  }

  private static func folded(_ text: String) -> [UInt8] { text.utf8.map { folded($0) } }

  // MARK: Decoding

  /// Decodes what is escaped as in a URL, JSON, a program's text or HTML, in a folded line.
  private static func decoded(_ line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = line[...]
    while let byte = rest.first {
      if let (bytes, length) = escape(rest) {
        result += bytes.map { folded($0) }
        rest = rest.dropFirst(length)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// The escaped bytes that the text begins with, and the length of the escape; nil: none.
  private static func escape(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
    guard let first = text.first else { return nil }
    switch first {
    case UInt8(ascii: "%"): return byte(text.dropFirst()).map { ([$0], 3) }
    case UInt8(ascii: "\\"): return backslash(text)
    case UInt8(ascii: "&"): return entity(text)
    default: return nil
    }
  }

  private static func backslash(
    _ text: ArraySlice<UInt8>
  ) -> (bytes: [UInt8], length: Int)? {
    guard let letter = text.dropFirst().first else { return nil }
    let rest = text.dropFirst(2)
    switch letter {
    case UInt8(ascii: "u"):
      guard let unit = unit(rest) else { return nil }
      guard unit & 0xfc00 == 0xd800, rest.dropFirst(4).starts(with: Array("\\u".utf8)),
        let low = self.unit(rest.dropFirst(6)), low & 0xfc00 == 0xdc00
      else { return (utf8(unit), 6) }
      return (utf8(0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff), longestEscape)
    case UInt8(ascii: "x"): return byte(rest).map { ([$0], 4) }
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return ([0x20], 2)
    default: return ([letter], 2)
    }
  }

  private static func entity(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
    let name = Array(text.dropFirst().prefix(8).prefix { $0 != UInt8(ascii: ";") })
    let length = name.count + 2
    guard text.count >= length, text[text.startIndex + length - 1] == UInt8(ascii: ";") else {
      return nil
    }
    if name.first == UInt8(ascii: "#") {
      let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      var code: UInt32 = 0
      for digit in digits {
        guard let value = value(digit), isHexadecimal || value < 10 else { return nil }
        // At most seven digits.
        code = code * (isHexadecimal ? 16 : 10) + UInt32(value)
      }
      return digits.isEmpty ? nil : (utf8(code), length)
    }
    let names: [(name: String, byte: UInt8)] = [
      ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
      ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")),
    ]
    for known in names where name.elementsEqual(known.name.utf8) { return ([known.byte], length) }
    return nil
  }

  /// Two hexadecimal digits.
  private static func byte(_ text: ArraySlice<UInt8>) -> UInt8? {
    number(text, digits: 2).map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Four hexadecimal digits.
  private static func unit(_ text: ArraySlice<UInt8>) -> UInt32? { number(text, digits: 4) }

  private static func number(_ text: ArraySlice<UInt8>, digits count: Int) -> UInt32? {
    let digits = text.prefix(count)
    guard digits.count == count else { return nil }
    var number: UInt32 = 0
    for digit in digits {
      guard let value = value(digit) else { return nil }
      number = number << 4 | UInt32(value)
    }
    return number
  }

  /// Of a hexadecimal digit of either case.
  private static func value(_ digit: UInt8) -> UInt8? {
    isLetterOrDigit(digit) ? Hexadecimal.value(of: digit | 0x20) : nil
  }

  /// Empty if the code is no character's.
  private static func utf8(_ code: UInt32) -> [UInt8] {
    guard let scalar = Unicode.Scalar(code) else { return [] }
    var text = ""
    text.unicodeScalars.append(scalar)
    return Array(text.utf8)
  }
}
