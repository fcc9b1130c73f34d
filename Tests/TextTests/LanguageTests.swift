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
}
