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

  /// A page that is a picture.
  private func picture() throws -> Screen.Sheet {
    .picture(try PagePicture(UploadedPages.picture(), width: 60, limit: 16 << 20))
  }

  /// The pages of these that are ready.
  private func ready(_ sheets: DocumentSheets) -> [Int] {
    (0..<4).filter { sheets.sheet($0, of: scene) != nil }
  }

  @Test func `pages beside the current one are kept up to the limit, which does not count that`()
    throws
  {
    let sheet = try picture()
    #expect(sheet.size > 0)
    for (limit, kept) in [(2 * sheet.size, [0, 1, 2]), (2 * sheet.size - 1, [1, 2]), (0, [1])] {
      var sheets = DocumentSheets(sizeLimit: limit)
      _ = sheets.want([1, 2, 0], of: scene)
      for page in [2, 1, 0] { sheets.take(sheet, page: page, of: scene) }
      #expect(ready(sheets) == kept, "limit \(limit)")
    }
  }

  @Test func `turning the page keeps those that are beside it then, within the limit`() throws {
    let sheet = try picture()
    // The page that was read before is now beside the current one.
    for (limit, missing) in [(sheet.size, [1, 2]), (sheet.size - 1, [1, 2, 0])] {
      var sheets = DocumentSheets(sizeLimit: limit)
      _ = sheets.want([0], of: scene)
      sheets.take(sheet, page: 0, of: scene)
      #expect(ready(sheets) == [0])
      #expect(sheets.want([1, 2, 0], of: scene) == missing, "limit \(limit)")
      #expect(ready(sheets) == (missing.contains(0) ? [] : [0]))
    }
  }

  @Test
  func
    `the page that is read is kept whatever the limit, as are the others while the person signs`()
    throws
  {
    let sheet = try picture()
    var sheets = DocumentSheets(sizeLimit: sheet.size)
    _ = sheets.want([1, 2], of: scene)
    for page in [1, 2, 3] { sheets.take(sheet, page: page, of: scene) }
    #expect(ready(sheets) == [1, 2], "page 3 is not wanted")
    #expect(sheets.want([], of: scene).isEmpty && ready(sheets) == [1, 2])
    #expect(sheets.want([2, 1], of: scene).isEmpty && ready(sheets) == [1, 2])
    #expect(sheets.want([3, 2], of: scene) == [3] && ready(sheets) == [2])
  }
}
