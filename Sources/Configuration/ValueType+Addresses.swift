extension ValueType where Value == String {
  /// A URL of one of these schemes, with a host, and without a user: passwords do not stand here.
  static func address(_ schemes: [String]) -> ValueType {
    ValueType { text throws(Refusal) in
      let bytes = Array(text.utf8)
      guard
        let scheme = schemes.first(where: { bytes.starts(with: Array("\($0)://".utf8)) })
      else {
        throw Refusal(
          "must start with \(Words.listed(schemes.map { $0 + "://" })), not \"\(text)\"")
      }
      let rest = bytes.dropFirst(scheme.utf8.count + 3)
      let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      if authority.isEmpty { throw Refusal("names no host") }
      if authority.contains(UInt8(ascii: "@")) {
        throw Refusal("must not name a user: secrets have keys of their own")
      }
      if !bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") }) {
        throw Refusal("must be ASCII without blanks and quotes")
      }
      return text
    }
  }

  /// Letters, digits, and some of "-._" and others.
  static func name(_ others: String, limit: Int) -> ValueType {
    ValueType { text throws(Refusal) in
      let fits = text.utf8.allSatisfy { $0.isNameByte || others.utf8.contains($0) }
      if fits && text.utf8.count <= limit { return text }
      throw Refusal("must be at most \(limit) letters, digits, - and \(others), not \"\(text)\"")
    }
  }

  /// ASCII that can stand in a line of HTTP.
  static var headerValue: ValueType {
    ValueType { text throws(Refusal) in
      if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
      throw Refusal("must be ASCII")
    }
  }
}
