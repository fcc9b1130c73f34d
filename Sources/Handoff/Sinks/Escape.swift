internal import CLibcurl

/// Escapes untrusted text for one segment of a path.
enum Escape {
  /// Percent-encodes a text (RFC 3986, section 2.1).
  ///
  /// The result is never empty, and contains no "." or ".." between encoded slashes: a server may decode the
  /// path before it resolves dots (section 6.2.2).
  static func percentEncoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while true {
      let segment = rest.prefix { !isSeparator($0) }
      rest = rest.dropFirst(segment.count)
      bytes += withoutDots(Array(segment)) + rest.prefix(1)
      if rest.isEmpty { break }
      rest = rest.dropFirst()
    }
    let safe = bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
    guard let encoded = unsafe curl_easy_escape(nil, safe, Int32(clamping: bytes.count)) else {
      return "_"
    }
    defer { unsafe curl_free(encoded) }
    return unsafe String(cString: encoded)
  }

  /// Replaces every byte except letters, digits, "-", "." and "_" with "_". The result is never empty, "." or
  /// "..".
  static func plain(_ text: String) -> String {
    let bytes = text.utf8.map { isUnreserved($0) ? $0 : UInt8(ascii: "_") }
    return bytes.isEmpty ? "_" : String(decoding: withoutDots(bytes), as: UTF8.self)
  }

  /// Makes a text the value of an HTTP header (RFC 9110, section 5.5): percent-encodes "%" and every byte except
  /// printable ASCII, and blanks at the ends, which the protocol would remove. The result is never empty.
  static func header(_ text: String) -> String {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    for (index, byte) in source.enumerated() {
      let isAtEnd = index == 0 || index == source.count - 1
      if byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") || byte == 0x20 && !isAtEnd {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), upperDigit(byte >> 4), upperDigit(byte & 15)]
      }
    }
    return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
  }

  private static func upperDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// Replaces the dots of "." and ".." with underscores.
  private static func withoutDots(_ bytes: [UInt8]) -> [UInt8] {
    guard (1...2).contains(bytes.count), bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) else {
      return bytes
    }
    return bytes.map { _ in UInt8(ascii: "_") }
  }
}
