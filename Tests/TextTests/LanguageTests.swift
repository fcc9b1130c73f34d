import Testing

@testable import Text

@Suite struct LanguageTests {
  @Test func `tags and POSIX names are understood`() {
    #expect(Language("pt_BR.UTF-8")?.tag == "pt-BR")
    #expect(Language("DE")?.primary == "de")
    #expect(Language("ar-EG")?.direction == .rightToLeft)
    #expect(Language("ja")?.direction == .leftToRight)
  }

  @Test(arguments: ["", "e", "../de", "12", "de de", "é", String(repeating: "a", count: 36)])
  func `an invalid tag is refused`(_ text: String) {
    #expect(Language(text) == nil)
  }

  @Test func `a directional mark decides like a letter, and what is isolated does not`() throws {
    func direction(_ text: String, _ language: Language = .english) -> TextDirection {
      TextDirection(of: PlainText(text).scalars[...], language)
    }
    let arabic = try #require(Language("ar"))
    for mark in ["\u{200F}", "\u{61C}"] { #expect(direction(mark + "Acme") == .rightToLeft) }
    #expect(direction("\u{200E}אב") == .leftToRight)
    #expect(direction("7: אב") == .rightToLeft)
    for isolate in ["\u{2066}", "\u{2067}", "\u{2068}"] {
      #expect(direction(isolate + "אב\u{2069} Acme") == .leftToRight)
      #expect(direction(isolate + "a\u{2066}b\u{2069}c\u{2069}אב") == .rightToLeft)
      // Without its end, the isolate is the rest.
      #expect(direction(isolate + "Acme", arabic) == .rightToLeft)
    }
    #expect(direction("\u{2069}אב") == .rightToLeft)
  }
}
