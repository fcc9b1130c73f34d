import Ink
import PNG
import Testing

@Suite struct CompareTests {
  /// A part of a picture, row by row.
  private func cut(_ picture: PNGPicture, x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
    (y..<y + height).flatMap { row in
      let first = 3 * (row * picture.width + x)
      return picture.bytes[first..<first + 3 * width]
    }
  }

  private func compare(_ strokes: [[Sample]]) throws -> PNGPicture {
    let folder = try Folder()
    let file = try folder.file("strokes.svc", Fixture.svc(strokes))
    let result = try Tool.run(
      "compare", file, "-o", folder.path("sheet.png"), "--units-per-mm", "1")
    #expect(result.status == 0 && result.error.isEmpty && result.output.isEmpty, "\(result)")
    return try PNGFile.decode(try folder.bytes("sheet.png"))
  }

  @Test func `every model has a column with its own name and its own ink`() throws {
    let sheet = try compare(Fixture.word)
    #expect(sheet.channels == .rgb)
    let count = StrokeModel.Kind.allCases.count
    #expect(sheet.width == 24 + count * 484)
    let columns = (0..<count).map { index in
      (
        name: cut(sheet, x: 24 + index * 484, y: 8, width: 460, height: 50),
        ink: cut(sheet, x: 24 + index * 484, y: 80, width: 460, height: sheet.height - 100)
      )
    }
    #expect(Set(columns.map(\.name)).count == count)
    #expect(Set(columns.map(\.ink)).count == count)
    #expect(columns.allSatisfy { Set($0.name).count > 3 && Set($0.ink).count > 20 })
  }

  @Test(arguments: [
    [[Point(10, 10)]], [[Point(10, 10), Point(10, 10)]], [[Point(0, 0), Point(0.1, 0)]],
    [[Point(0, 50), Point(300, 50)]], [[Point(0, 0), Point(0, 400)], [Point(3, 3)]],
  ])
  func `dots and straight lines have a sheet too`(_ strokes: [[Point]]) throws {
    let sheet = try compare(strokes.map { Fixture.stroke($0) })
    #expect(sheet.width > 400 && sheet.height > 400 && sheet.height < 2000)
  }

  @Test(arguments: ["1e38", "-1e38", "1000001", "-3e9"])
  func `impossible coordinates give one line and exit code 65`(far: String) throws {
    let folder = try Folder()
    for sample in ["[8000000,\(far),2,null]", "[8000000,2,\(far),null]"] {
      let file = try folder.file("strokes.json", Fixture.strokes("[0,1,1,null],\(sample)"))
      for output in ["out.png", "out.svg", "out.inkml"] {
        let command = output == "out.png" ? "compare" : "render"
        let result = try Tool.run(command, file, "-o", folder.path(output))
        #expect(result.isMistake(65) && result.error.contains("--units-per-mm"), "\(result)")
      }
    }
    #expect(try folder.names() == ["strokes.json"])
  }

  @Test(arguments: ["1e-30", "1e-37", "1e-300", "1e-6", "1e30", "1e300"])
  func `any units give a sheet, or one line and exit code 65`(units: String) throws {
    let folder = try Folder()
    let frames = [
      ["0003 002f 0", "0003 0039 7", "0003 0035 400", "0003 0036 200"], ["0003 0035 600"],
      ["0003 0036 0"], ["0003 0035 900"], [], [], ["0003 0039 -1"],
    ]
    for file in [
      try folder.file("panel.evemu", Fixture.evemu(frames)),
      try folder.file("word.svc", Fixture.svc(Fixture.word)),
    ] {
      let result = try Tool.run(
        "compare", file, "-o", folder.path("out.png"), "--units-per-mm", units)
      #expect(
        units == "1e30" || units == "1e300" ? result.status == 0 : result.isMistake(65), "\(result)"
      )
    }
  }

  @Test func `invalid arguments give one line and exit code 64, and data without ink 65`() throws {
    let folder = try Folder()
    let file = try folder.file("word.svc", Fixture.svc(Fixture.word))
    let none = try folder.file("none.svc", "0\n")
    for arguments in [[file], [file, "-o", folder.path("out.svg")]] {
      let result = try Tool.run(["compare"] + arguments)
      #expect(result.isMistake(64), "\(result)")
    }
    let result = try Tool.run("compare", none, "-o", folder.path("out.png"))
    #expect(result.isMistake(65), "\(result)")
    #expect(try folder.names().sorted() == ["none.svc", "word.svc"])
  }
}
