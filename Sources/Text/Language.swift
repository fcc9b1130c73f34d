/// A language as BCP 47 writes it: "de", "pt-BR", "ar".
///
/// It chooses letter forms where languages that share a script differ (Chinese and Japanese), the
/// rules of line breaking, and the direction of a text that has no letters.
public struct Language: Sendable, Equatable {
  /// Letters, digits and hyphens, at most 35 (RFC 5646, 4.4.1).
  public let tag: String

  /// English.
  public static let english = Language(trusted: "en")

  /// Nil for what cannot be a tag. POSIX spelling ("pt_BR.UTF-8") is understood.
  public init?(_ text: String) {
    var tag: [UInt8] = []
    for byte in Array(text.utf8) {
      let hyphen = UInt8(ascii: "-")
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "@") { break }
      let letter = byte == UInt8(ascii: "_") ? hyphen : byte
      guard letter == hyphen || letter.isAlphanumeric, tag.count < 35 else { return nil }
      tag.append(letter)
    }
    guard tag.count >= 2, tag[0].isLetter, tag[1].isLetter else { return nil }
    self.init(trusted: String(decoding: tag, as: UTF8.self))
  }

  private init(trusted tag: String) { self.tag = tag }

  /// Its first part in lower case: "pt" of "pt-BR".
  public var primary: String {
    let letters = Array(tag.utf8).prefix { $0 != UInt8(ascii: "-") }
    return String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
  }

  /// Whether there can be a language of this tag: ISO 639 names them by two or three letters, and of the
  /// longer ones that RFC 5646, 2.2.1, has room for, none is registered.
  public var canBe: Bool { primary.utf8.count <= 3 }

  /// As gettext names its folders: "pt_BR".
  var underscored: String {
    String(
      decoding: Array(tag.utf8).map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 },
      as: UTF8.self)
  }

  /// Where lines of this language start.
  public var direction: TextDirection {
    Language.rightToLeft.contains(primary) ? .rightToLeft : .leftToRight
  }

  /// Languages that are usually written in a right-to-left script (CLDR, likely subtags).
  private static let rightToLeft = [
    "ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "syr", "ug", "ur", "yi",
  ]
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
  fileprivate var isAlphanumeric: Bool {
    isLetter || self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9")
  }
}
