import Ink
import Screen
import Testing

@testable import Pad

/// Which pages of a document are prepared, and which are kept.
@Suite struct DocumentSheetsTests {
  let scene = Scene(number: 1, layout: Layout(width: 100, height: 60))

  @Test func `each page is wanted once, and again after a pause if it has not come`() {
    var sheets = DocumentSheets()
    #expect(sheets.want([0, 1], of: scene) == [0, 1])
    #expect(sheets.want([0, 1], of: scene).isEmpty)
    // The person signs, and goes back.
    #expect(sheets.want([], of: scene).isEmpty)
    #expect(sheets.want([0, 1], of: scene) == [0, 1])
    #expect(sheets.want([0, 1], of: scene).isEmpty)
  }

  @Test func `another scene has none of the pages`() {
    var sheets = DocumentSheets()
    _ = sheets.want([0], of: scene)
    let other = Scene(number: 2, layout: scene.layout)
    #expect(sheets.want([0], of: other) == [0])
    #expect(sheets.sheet(0, of: scene) == nil)
  }
}
