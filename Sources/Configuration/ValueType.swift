internal import Linux

/// The reason why a text is not a value of a type.
struct Refusal: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// A type of values, with its parser.
struct ValueType<Value> {
  /// Parses a text; throws the expected format.
  let read: (String) throws(Refusal) -> Value
}

extension ValueType where Value == String {
  /// Any text.
  static var text: ValueType { ValueType { text throws(Refusal) in text } }

  /// A text of at most `limit` bytes.
  static func text(limit: Int) -> ValueType {
    ValueType { text throws(Refusal) in
      if text.utf8.count <= limit { return text }
      throw Refusal("has at most \(limit) bytes")
    }
  }

  /// A device name, which may be part of paths and topics.
  static func deviceName(limit: Int) -> ValueType {
    ValueType { text throws(Refusal) in
      if text == "." || text == ".." { throw Refusal("must not be . or ..") }
      return try ValueType<String>.text(limit: limit).read(text)
    }
  }

  /// An absolute path, since a service's working directory is arbitrary; or one that begins with "~/".
  static var path: ValueType {
    ValueType { text throws(Refusal) in
      guard let path = text.absolutePath else {
        throw Refusal("must be an absolute path, not \"\(text)\"")
      }
      return path
    }
  }

  /// An absolute path, or the URI of a key in a TPM or token, which only OpenSSL's providers parse.
  static var key: ValueType {
    ValueType { text throws(Refusal) in
      let schemes = ["handle:", "pkcs11:"]
      if schemes.contains(where: { text.utf8.starts(with: $0.utf8) }) {
        let lower = text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        let attribute = Array("pin-value".utf8)
        if lower.indices.contains(where: { lower[$0...].starts(with: attribute) }) {
          throw Refusal("must not contain a PIN: name a file with it by pin-source=file:")
        }
        return text
      }
      return try ValueType<String>.path.read(text)
    }
  }

  /// One of the words.
  static func choice(_ words: [String]) -> ValueType {
    choice(words, words)
  }
}

extension ValueType where Value == Bool {
  /// A boolean in systemd's spellings.
  static var flag: ValueType {
    ValueType { text throws(Refusal) in
      if ["yes", "true", "on", "1"].contains(text) { return true }
      if ["no", "false", "off", "0"].contains(text) { return false }
      throw Refusal("must be yes or no, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == [String] {
  /// Unique words of `allowed`, separated by blanks.
  static func list(of allowed: [String]) -> ValueType {
    ValueType { text throws(Refusal) in
      let words = Words.split(text)
      for (index, word) in words.enumerated() {
        if !allowed.contains(word) {
          throw Refusal("must be of \(Words.listed(allowed)), not \"\(word)\"")
        }
        if words[..<index].contains(word) { throw Refusal("duplicate \"\(word)\"") }
      }
      return words
    }
  }
}

extension ValueType {
  /// The value at the index of its word.
  static func choice(_ words: [String], _ values: [Value]) -> ValueType {
    ValueType { text throws(Refusal) in values[try Words.place(of: text, in: words)] }
  }
}

extension ValueType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// The case with this raw value.
  static func word(of type: Value.Type) -> ValueType {
    choice(Value.allCases.map { $0.rawValue }, Array(Value.allCases))
  }
}

extension ValueType where Value == Int {
  /// An integer of a range.
  static func integer(_ range: ClosedRange<Int>) -> ValueType {
    ValueType { text throws(Refusal) in try Number.integer(text, in: range) }
  }
}

extension ValueType where Value == Float {
  /// A number of a range, with an optional fraction.
  static func decimal(_ range: ClosedRange<Double>) -> ValueType {
    ValueType { text throws(Refusal) in Float(try Number.decimal(text, in: range)) }
  }
}

extension ValueType where Value == Int64 {
  /// A size in bytes; K, M, G and T are powers of 1024 as in systemd.
  static func bytes(_ range: ClosedRange<Int64>) -> ValueType {
    ValueType { text throws(Refusal) in
      guard let (number, unit) = Number.split(text),
        let power = bytePowers.first(where: { $0.unit == unit })?.bytes
      else {
        throw Refusal("must be a size such as 64M, not \"\(text)\"")
      }
      let value = number * power
      if value >= Double(range.lowerBound) && value <= Double(range.upperBound) {
        return Int64(value)
      }
      throw Refusal("must be from \(range.lowerBound) to \(range.upperBound) bytes, not \(text)")
    }
  }

  private static var bytePowers: [(unit: String, bytes: Double)] {
    [("", 1), ("K", 1024), ("M", 1_048_576), ("G", 1_073_741_824), ("T", 1_099_511_627_776)]
  }

  /// A duration in nanoseconds: "5s", "1min 30s", "500ms"; without a unit, seconds (systemd.time(7)).
  static func duration(_ range: ClosedRange<Int64>) -> ValueType {
    ValueType { text throws(Refusal) in
      var total = 0.0
      for word in Words.split(text) {
        guard let (number, unit) = Number.split(word),
          let length = units.first(where: { $0.unit == unit })?.nanoseconds
        else {
          throw Refusal("must be a duration such as 5s or 2min, not \"\(text)\"")
        }
        total += number * length
      }
      if total >= Double(range.lowerBound) && total <= Double(range.upperBound) {
        return Int64(total)
      }
      let (low, high) = (seconds(range.lowerBound), seconds(range.upperBound))
      throw Refusal("must be from \(low) to \(high), not \(text)")
    }
  }

  private static func seconds(_ value: Int64) -> String {
    Number.text(Double(value) / 1_000_000_000) + "s"
  }

  private static var units: [(unit: String, nanoseconds: Double)] {
    let second = 1_000_000_000.0
    return [
      ("us", 1000), ("ms", 1_000_000), ("", second), ("s", second), ("sec", second),
      ("min", 60 * second), ("m", 60 * second), ("h", 3600 * second), ("d", 86400 * second),
      ("w", 604_800 * second),
    ]
  }
}

extension ValueType where Value == Int64? {
  /// A duration from a second to a week in nanoseconds, or "never".
  static var durationOrNever: ValueType {
    let duration = ValueType<Int64>.duration(1_000_000_000...604_800_000_000_000)
    return ValueType { text throws(Refusal) in text == "never" ? nil : try duration.read(text) }
  }
}

extension ValueType where Value == String {
  /// A URL of one of these schemes with a host and without a user.
  static func address(_ schemes: [String]) -> ValueType {
    ValueType { text throws(Refusal) in
      let bytes = text.utf8
      guard
        let scheme = schemes.first(where: { bytes.starts(with: "\($0)://".utf8) })
      else {
        throw Refusal(
          "must start with \(Words.listed(schemes.map { $0 + "://" })), not \"\(text)\"")
      }
      let rest = bytes.dropFirst(scheme.utf8.count + 3)
      let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      if authority.isEmpty { throw Refusal("has no host") }
      if authority.contains(UInt8(ascii: "@")) {
        throw Refusal("must not contain a user: secrets have their own keys")
      }
      if !bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") }) {
        throw Refusal("must be ASCII without blanks and quotes")
      }
      return text
    }
  }

  /// At most `limit` letters, digits, hyphens and `others`.
  static func name(_ others: String, limit: Int) -> ValueType {
    ValueType { text throws(Refusal) in
      let fits = text.utf8.allSatisfy { $0.isNameByte || others.utf8.contains($0) }
      if fits && text.utf8.count <= limit { return text }
      throw Refusal("must be at most \(limit) letters, digits, - and \(others), not \"\(text)\"")
    }
  }

  /// Printable ASCII for an HTTP header.
  static var headerValue: ValueType {
    ValueType { text throws(Refusal) in
      if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
      throw Refusal("must be ASCII")
    }
  }
}
