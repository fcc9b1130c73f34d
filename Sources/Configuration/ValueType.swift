/// Why a text is not a value of some type.
struct Refusal: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// From a value's text to what it means.
struct ValueType<Value> {
  /// Throws what would have been right.
  let read: (String) throws(Refusal) -> Value
}

extension ValueType where Value == String {
  /// Any text.
  static var text: ValueType { ValueType { text throws(Refusal) in text } }

  /// A text of so many bytes at most.
  static func text(limit: Int) -> ValueType {
    ValueType { text throws(Refusal) in
      if text.utf8.count <= limit { return text }
      throw Refusal("has at most \(limit) bytes")
    }
  }

  /// A device name, which sinks put into paths and topics.
  static func deviceName(limit: Int) -> ValueType {
    ValueType { text throws(Refusal) in
      if text == "." || text == ".." { throw Refusal("must not be . or ..") }
      return try ValueType<String>.text(limit: limit).read(text)
    }
  }

  /// An absolute path: a service's working folder is nobody's business.
  static var path: ValueType {
    ValueType { text throws(Refusal) in
      guard text.isAbsolute else {
        throw Refusal("must be an absolute path, not \"\(text)\"")
      }
      return text
    }
  }

  /// One of some words.
  static func choice(_ words: [String]) -> ValueType {
    choice(words, words)
  }
}

extension ValueType where Value == Bool {
  /// systemd's words for true and false.
  static var flag: ValueType {
    ValueType { text throws(Refusal) in
      if ["yes", "true", "on", "1"].contains(text) { return true }
      if ["no", "false", "off", "0"].contains(text) { return false }
      throw Refusal("must be yes or no, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == [String] {
  /// Words between blanks, each one of `allowed` and none twice.
  static func list(of allowed: [String]) -> ValueType {
    ValueType { text throws(Refusal) in
      let words = Words.cut(text)
      for (index, word) in words.enumerated() {
        if !allowed.contains(word) {
          throw Refusal("knows \(Words.listed(allowed)), not \"\(word)\"")
        }
        if words[..<index].contains(word) { throw Refusal("names \"\(word)\" twice") }
      }
      return words
    }
  }
}

extension ValueType {
  /// Chooses by word: a value for each, in the same order.
  static func choice(_ words: [String], _ values: [Value]) -> ValueType {
    ValueType { text throws(Refusal) in values[try Words.place(of: text, in: words)] }
  }
}

extension ValueType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// Chooses by the case's own word.
  static func word(of type: Value.Type) -> ValueType {
    choice(Value.allCases.map { $0.rawValue }, Array(Value.allCases))
  }
}
