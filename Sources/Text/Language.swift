/// A language tag of BCP 47: "de", "pt-BR", "ar".
///
/// The language selects letter forms (Chinese and Japanese differ), line breaking rules, and the direction of
/// texts without letters.
public struct Language: Sendable, Equatable {
  /// The tag: at most 35 letters, digits and hyphens (RFC 5646, 4.4.1).
  public let tag: String

  /// English.
  public static let english = Language(trusted: "en")

  /// Parses a tag or a POSIX locale ("pt_BR.UTF-8"); nil if it is invalid.
  public init?(_ text: String) {
    var tag: [UInt8] = []
    for byte in text.utf8 {
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

  /// The primary subtag in lower case: "pt" of "pt-BR".
  public var primary: String {
    let letters = tag.utf8.prefix { $0 != UInt8(ascii: "-") }
    return String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
  }

  /// Whether the primary subtag can be a language: ISO 639 has codes of two or three letters.
  ///
  /// RFC 5646, 2.2.1, reserves longer subtags, but none is registered.
  public var isPlausible: Bool { primary.utf8.count <= 3 }

  /// The tag as gettext's folder name: "pt_BR".
  var underscored: String {
    String(
      decoding: tag.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 },
      as: UTF8.self)
  }

  /// The usual direction of the language's script.
  public var direction: TextDirection {
    Language.rightToLeft.contains(primary) ? .rightToLeft : .leftToRight
  }

  /// Languages that usually use a right-to-left script (CLDR, likely subtags).
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

/// The base direction of a paragraph.
public enum TextDirection: Sendable, Equatable {
  /// Lines start at the left.
  case leftToRight
  /// Lines start at the right.
  case rightToLeft

  /// The direction of the first strong letter or mark outside isolates (UAX 9, P2 and P3), else of the language.
  init(of scalars: ArraySlice<UInt32>, _ language: Language) {
    // How many isolates are open. Without its end, one reaches to the end of the paragraph.
    var depth = 0
    for scalar in scalars {
      if (0x2066...0x2068).contains(scalar) {
        depth += 1
      } else if scalar == 0x2069 {
        depth = max(0, depth - 1)
      } else if depth == 0, let direction = TextDirection(strong: scalar) {
        self = direction
        return
      }
    }
    self = language.direction
  }

  /// The direction of a letter or a directional mark; nil: the code point has none.
  private init?(strong scalar: UInt32) {
    switch scalar {
    // HarfBuzz counts the marks among the code points that all scripts share.
    case 0x200E: self = .leftToRight
    case 0x200F, 0x061C: self = .rightToLeft
    default:
      if CodePoint.isShared(CodePoint.script(scalar)) { return nil }
      self = CodePoint.isRightToLeft(scalar) ? .rightToLeft : .leftToRight
    }
  }
}
