/// A key and its text in a PNG: `tEXt` where it is ASCII, `iTXt` (UTF-8) otherwise.
public struct PNGText: Equatable, Sendable {
  /// 1 to 79 printable ASCII characters, for example "Creation Time".
  public let key: String
  /// Any text without NUL.
  public let value: String

  /// A text; whether it can be written is checked when it is.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  /// The registered key for a time (RFC 3339, as the PNG specification's third edition asks).
  public static func creationTime(_ value: String) -> PNGText { PNGText("Creation Time", value) }

  /// The registered key for the program that wrote the file.
  public static func software(_ value: String) -> PNGText { PNGText("Software", value) }

  var isASCII: Bool { Array(value.utf8).allSatisfy { $0 < 0x80 } }

  /// PNG specification, 11.3.4.2: no leading, trailing or doubled spaces in a key.
  var isValid: Bool {
    var before: UInt8 = 0x20
    for byte in Array(key.utf8) {
      guard byte >= 0x20, byte < 0x7f, !(byte == 0x20 && before == 0x20) else { return false }
      before = byte
    }
    // Both an empty key and one that ends in a space leave a space here.
    return before != 0x20 && key.utf8.count <= 79 && !Array(value.utf8).contains(0)
  }
}
