internal import Configuration
internal import Spool

extension Template {
  /// Every place filled with what the manifest says; `escape` makes a text of anybody's safe.
  func text(for manifest: Manifest, escape: (String) -> String) -> String {
    let date = Array(manifest.time.utf8)
    func digits(_ range: Range<Int>) -> String { String(decoding: date[range], as: UTF8.self) }
    return text { place in
      switch place {
      case .id: manifest.id.text
      case .sequence: "\(manifest.sequence)"
      case .device: escape(manifest.device)
      case .year: digits(0..<4)
      case .month: digits(5..<7)
      case .day: digits(8..<10)
      // The configuration refuses it where items fill the places.
      case .machine: ""
      }
    }
  }

  /// Every place filled that is known without an item.
  func text(device: String, machine: String) -> String {
    text { place in
      switch place {
      case .device: Escape.plain(device)
      case .machine: machine
      case .id, .sequence, .year, .month, .day: ""
      }
    }
  }
}

/// Ways to make a text harmless.
enum Escape {
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

  /// A text that a path resolves to another place ("", ".", "..") is written with underscores instead.
  private static func withoutDots(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if bytes.isEmpty || bytes.count > 2 { return Array(bytes) }
    let isDots = bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    return isDots ? bytes.map { _ in UInt8(ascii: "_") } : Array(bytes)
  }

  /// Percent-encoded (RFC 3986, section 2.1); never empty, "." or "..", also between encoded slashes:
  /// section 6.2.2 lets a server decode before it resolves dots.
  static func percent(_ text: String) -> String {
    if text.isEmpty { return "_" }
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while true {
      let segment = rest.prefix { !isSeparator($0) }
      rest = rest.dropFirst(segment.count)
      for byte in withoutDots(segment) + rest.prefix(1) {
        if isUnreserved(byte) {
          bytes.append(byte)
        } else {
          bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
        }
      }
      if rest.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      rest = rest.dropFirst()
    }
  }

  /// Everything that is no letter, digit, "-", "." or "_" becomes "_"; never empty, "." or "..".
  static func plain(_ text: String) -> String {
    let bytes = text.utf8.map { isUnreserved($0) ? $0 : UInt8(ascii: "_") }
    return bytes.isEmpty ? "_" : String(decoding: withoutDots(bytes[...]), as: UTF8.self)
  }
}
