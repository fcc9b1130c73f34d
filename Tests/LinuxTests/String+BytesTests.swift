import Linux
import Testing

@Suite struct StringSameTests {
  @Test(arguments: ["", "ft5x06", "Grüße", "a\u{301}"])
  func `a text is the same as its copy`(text: String) {
    #expect(text.isSame(as: String(Array(text))))
  }

  @Test(arguments: [("", "a"), ("ft5x06", "ft5x0"), ("card0", "card1"), ("á", "a\u{301}")])
  func `texts of different bytes differ even if they look alike`(one: String, other: String) {
    #expect(!one.isSame(as: other))
    #expect(!other.isSame(as: one))
  }
}
