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

  /// Percent-encoded (RFC 3986, section 2.1).
  static func percent(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Everything that is no letter, digit, "-", "." or "_" becomes "_"; never empty.
  static func plain(_ text: String) -> String {
    let bytes = text.utf8.map { isUnreserved($0) ? $0 : UInt8(ascii: "_") }
    return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
  }
}
