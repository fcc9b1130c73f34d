/// Words between blanks.
enum Words {
  /// Cuts a text at its blanks.
  static func cut(_ text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in Array(text.utf8) {
      if !byte.isBlank {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  /// "a" and "b" of "a=b"; nil where there is no sign, or nothing before it.
  static func assignment(_ word: String) -> (name: String, value: String)? {
    let bytes = Array(word.utf8)
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > 0 else { return nil }
    return (
      String(decoding: bytes[..<sign], as: UTF8.self),
      String(decoding: bytes[(sign + 1)...], as: UTF8.self)
    )
  }

  /// Where a text is among some words; throws which there are.
  @inline(never)
  static func place(of text: String, in words: [String]) throws(Refusal) -> Int {
    if let place = words.firstIndex(of: text) { return place }
    throw Refusal("must be one of \(listed(words)), not \"\(text)\"")
  }

  /// "a, b, c".
  static func listed(_ words: [String]) -> String {
    var text = ""
    for word in words { text += text.isEmpty ? word : ", " + word }
    return text
  }
}
