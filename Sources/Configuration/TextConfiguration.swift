/// The section `[text]`: the pad's language and fonts.
public struct TextConfiguration: Equatable, Sendable {
  /// The language tag (BCP 47) for requests without their own.
  public var language: String
  /// The preferred font's file; nil: the first installed one.
  public var font: String?
  /// Font files for letters that the preferred font lacks, before the installed ones.
  public var fallbackFonts: [String]
  /// The folder of the catalogues: FOLDER/LANGUAGE/LC_MESSAGES/paraph.mo.
  public var catalogues: String
  /// A file whose lines are shown while no program asks for a signature; nil: none.
  public var notes: String?
  /// Whether words and buttons are large.
  public var isLarge: Bool

  init(_ section: Section) {
    language = section.value("language", .language, default: "en")
    font = section.value("font", .path)
    fallbackFonts = section.value("fallback-fonts", .paths, default: [])
    catalogues = section.value("catalogues", .path, default: "/usr/share/locale")
    notes = section.value("notes", .path)
    isLarge = section.value("size", .choice(["normal", "large"], [false, true]), default: false)
  }
}

extension ValueType where Value == String {
  /// A language tag: letters, digits and hyphens.
  fileprivate static var language: ValueType {
    ValueType { text throws(Refusal) in
      let bytes = text.utf8
      let isTag =
        bytes.count >= 2 && bytes.count <= 35 && bytes.allSatisfy { $0.isNameByte }
        && bytes.prefix(2).allSatisfy { !$0.isDigit && $0 != UInt8(ascii: "-") }
      if isTag { return text }
      throw Refusal("must be a language such as en, de or pt-BR, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == [String] {
  /// Absolute paths separated by blanks.
  static var paths: ValueType {
    ValueType { text throws(Refusal) in
      var paths: [String] = []
      for word in Words.split(text) {
        guard let path = word.absolutePath else {
          throw Refusal("must be absolute paths separated by blanks, not \"\(word)\"")
        }
        paths.append(path)
      }
      return paths
    }
  }
}
