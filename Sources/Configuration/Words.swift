/// Words between blanks.
enum Words {
  /// Cuts a text at its blanks.
  static func cut(_ text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in text.utf8 {
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

  /// "a, b, c".
  static func listed(_ words: [String]) -> String {
    var text = ""
    for word in words { text += text.isEmpty ? word : ", " + word }
    return text
  }
}
