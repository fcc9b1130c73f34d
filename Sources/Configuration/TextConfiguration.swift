/// In which language the pad speaks, and with which letters.
public struct TextConfiguration: Equatable, Sendable {
  /// A language tag (BCP 47), where a request does not bring its own.
  public var language: String
  /// The preferred font; nil: the first that is found.
  public var font: String?
  /// Fonts for what the preferred one lacks, before those that are found.
  public var fallbackFonts: [String]
  /// Where the catalogues of translations are: FOLDER/LANGUAGE/LC_MESSAGES/paraph.mo.
  public var catalogues: String

  init(_ section: Section) {
    language = section.value("language", .language, default: "en")
    font = section.value("font", .path)
    fallbackFonts = section.value("fallback-fonts", .paths, default: [])
    catalogues = section.value("catalogues", .path, default: "/usr/share/locale")
  }
}

extension ValueType where Value == String {
  /// A language tag: letters, digits and hyphens.
  fileprivate static var language: ValueType {
    ValueType { text throws(Refusal) in
      let bytes = Array(text.utf8)
      let isTag =
        bytes.count >= 2 && bytes.count <= 35 && bytes.allSatisfy { $0.isNameByte }
        && bytes.prefix(2).allSatisfy { !$0.isDigit && $0 != UInt8(ascii: "-") }
      if isTag { return text }
      throw Refusal("must be a language such as en, de or pt-BR, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == [String] {
  /// Absolute paths between blanks.
  fileprivate static var paths: ValueType {
    ValueType { text throws(Refusal) in
      let words = Words.cut(text)
      for word in words where !word.isAbsolute {
        throw Refusal("must be absolute paths between blanks, not \"\(word)\"")
      }
      return words
    }
  }
}
