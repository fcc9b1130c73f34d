import Testing

@testable import Configuration

@Suite struct TemplateTests {
  @Test func `two braces are one in the text`() throws {
    let template = try Template("{{a}}/{id}{{{{{sequence}}}")
    #expect(
      template.parts == [
        .text("{a}/"), .place(.id), .text("{{"), .place(.sequence), .text("}"),
      ])
  }

  @Test(arguments: ["{id", "id}", "{{id}", "{}"])
  func `a brace without its other one is refused, and so is a place without a name`(text: String) {
    #expect(throws: (any Error).self) { try Template(text) }
  }
}
