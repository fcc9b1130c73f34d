import Control
import Foundation
import Ink
import PNG
import Raster
import Signature
import Spool
import Testing

@Suite struct RenderTests {
  /// The synthetic hand's word as `.svc` in the folder.
  private func word(in folder: Folder) throws -> String {
    try folder.file("word.svc", Fixture.svc(Fixture.word))
  }

  private func picture(_ folder: Folder, _ name: String) throws -> PNGPicture {
    try PNGFile.decode(try folder.bytes(name))
  }

  @Test(arguments: TraceTests.models)
  func `a picture is black ink on white paper with two millimetres around it`(
    _ model: String
  ) throws {
    let folder = try Folder()
    let result = try Tool.run(
      "render", try word(in: folder), "-o", folder.path("out.png"), "--model", model, "--dpi", "254"
    )
    #expect(result.status == 0 && result.error.isEmpty && result.output.isEmpty, "\(result)")
    let picture = try picture(folder, "out.png")
    #expect(picture.channels == .grey && picture.scale == Scale(x: 10, y: 10))
    let ink = picture.darkness()
    let rows = ink.indices.filter { ink[$0] > 0 }.map { $0 / picture.width }
    let columns = ink.indices.filter { ink[$0] > 0 }.map { $0 % picture.width }
    #expect(rows.min() == 20 && rows.max() == picture.height - 21)
    #expect(columns.min() == 20 && columns.max() == picture.width - 21)
    #expect(ink.contains(255))
  }

  @Test func `the density is 300 unless it is asked for, and the ink grows with it`() throws {
    let folder = try Folder()
    let file = try word(in: folder)
    _ = try Tool.run("render", file, "-o", folder.path("plain.png"))
    _ = try Tool.run("render", file, "-o", folder.path("fine.png"), "--dpi", "600")
    let (plain, fine) = (try picture(folder, "plain.png"), try picture(folder, "fine.png"))
    #expect(abs(try #require(plain.scale).dpi - 300) < 0.1)
    #expect(abs(Double(fine.width) / Double(plain.width) - 2) < 0.02)
  }

  @Test func `an animation is an SVG, and refused in other formats`() throws {
    let folder = try Folder()
    let file = try word(in: folder)
    #expect(try Tool.run("render", file, "--animate", "-o", folder.path("out.svg")).status == 0)
    let text = String(decoding: try folder.bytes("out.svg"), as: UTF8.self)
    #expect(text.contains("<set attributeName"))
    let refused = try Tool.run("render", file, "--animate", "-o", folder.path("out.png"))
    #expect(refused.status == 64 && refused.error.contains("'--animate'"), "\(refused)")
  }

  @Test func `the animation of the landing page is what the tool draws`() throws {
    let folder = try Folder()
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    // Without the touch of Done, as `make documents` has it.
    let lines = try String(
      contentsOfFile: root + "/Tests/Fixtures/signature.evemu", encoding: .utf8
    ).split(separator: "\n", omittingEmptySubsequences: false)
    let hand = lines.filter { line in
      let fields = line.split(separator: " ")
      return fields.first != "E:" || (Double(fields[1]) ?? 0) < 5.5
    }
    let file = try folder.file("hand.evemu", hand.joined(separator: "\n"))
    let result = try Tool.run("render", file, "--animate", "-o", folder.path("ink.svg"))
    #expect(result.status == 0, "\(result)")
    let kept = try Data(contentsOf: URL(fileURLWithPath: root + "/config/pictures/ink.svg"))
    #expect(try folder.bytes("ink.svg") == [UInt8](kept), "run 'make documents'")
  }

  @Test func `the models draw differently`() throws {
    let folder = try Folder()
    let file = try word(in: folder)
    var pictures: [[UInt8]] = []
    for kind in StrokeModel.Kind.allCases {
      _ = try Tool.run("render", file, "-o", folder.path("out.png"), "-m", kind.rawValue)
      pictures.append(try folder.bytes("out.png"))
    }
    #expect(Set(pictures).count == StrokeModel.Kind.allCases.count)
  }

  @Test func `an untrimmed picture has the whole glass`() throws {
    let folder = try Folder()
    let strokes = [Fixture.stroke([Point(30, 10), Point(50, 25)])]
    let file = try folder.file("line.svc", Fixture.svc(strokes))
    _ = try Tool.run(
      "render", file, "-o", folder.path("out.png"), "--no-trim", "--dpi", "127", "-m", "polyline")
    let picture = try picture(folder, "out.png")
    #expect(picture.width == 52 * 5 && picture.height == 27 * 5)
    let ink = picture.darkness()
    #expect(ink[(17 * 5 + 2) * picture.width + 40 * 5] == 255)
  }

  @Test func `a signature's strokes give the picture that the pad saved`() throws {
    let folder = try Folder()
    let strokes = Fixture.word.map { Stroke($0) }
    let recorded = RecordedStrokes(
      width: 150, height: 85, scaleX: 5, scaleY: 5.5, model: "velocityStrip",
      strokes: strokes)
    let file = try folder.file(
      "strokes.json", String(decoding: recorded.bytes, as: UTF8.self))
    let result = try Tool.run(
      "render", file, "-o", folder.path("out.png"), "--no-trim", "--dpi", "panel")
    #expect(result.status == 0, "\(result.error)")
    let saved = try InkPicture(
      of: strokes, by: .velocityStrip, scale: Scale(x: 5, y: 5.5), frame: .glass(Point(150, 85)))
    #expect(try picture(folder, "out.png").darkness() == saved.coverage)
  }

  @Test func `the strokes that sign writes give the picture of the same strokes.json`() throws {
    let folder = try Folder()
    var strokes = [[Point(20, 20), Point(24, 26), Point(30, 20)], [Point(35, 22), Point(40, 30)]]
      .map { Stroke(Fixture.stroke($0)) }
    for index in strokes[0].samples.indices {
      strokes[0].samples[index].pressure = 0.25 * Float(index + 1)
    }
    strokes[0].samples.append(Sample(time: 30_000_000, position: Point(44, 20), pressure: 0.5))
    strokes[0].gaps = [3]
    let signature = SavedSignature(
      id: "0190c8a4", digest: "ab", time: 1_795_255_200_000_000_000, reference: nil, width: 30,
      height: 10, dpi: 300, png: [], glass: Point(150, 85), strokes: strokes)
    let pad = try ScriptedPad { request in
      if case .open(let request) = request { [.signed(request.number, signature)] } else { [] }
    }
    let written = folder.path("written.json")
    #expect(try Tool.run("sign", "--socket", pad.socket, "-o", written).status == 0)
    let recorded = RecordedStrokes(
      width: 150, height: 85, scaleX: 5, scaleY: 5, model: StrokeModel.Kind.standard.rawValue,
      strokes: strokes)
    let saved = try folder.file("strokes.json", String(decoding: recorded.bytes, as: UTF8.self))
    for (file, output) in [(written, "written.svg"), (saved, "saved.svg")] {
      let result = try Tool.run("render", file, "-o", folder.path(output))
      #expect(result.status == 0, "\(result)")
    }
    #expect(try folder.bytes("written.svg") == folder.bytes("saved.svg"))
  }

  @Test(arguments: [
    "[1]", "[{}]", #"[{"samples":[{"t":0,"x":1}]}]"#, #"[{"samples":[{"t":1e300,"x":1,"y":1}]}]"#,
    #"[{"samples":[{"t":0,"x":1e300,"y":1}]}]"#,
    #"[{"samples":[{"t":0,"x":1,"y":1}],"gaps":[1]}]"#, "[", "[]",
  ])
  func `an array that has no strokes gives one line and exit code 65`(_ text: String) throws {
    let folder = try Folder()
    let file = try folder.file("strokes.json", text)
    let result = try Tool.run("render", file, "-o", folder.path("out.png"))
    #expect(result.isMistake(65) && result.error.contains(file), "\(result)")
    #expect(try folder.names() == ["strokes.json"])
  }

  @Test func `transparent ink has its coverage for opacity`() throws {
    let folder = try Folder()
    let file = try word(in: folder)
    _ = try Tool.run("render", file, "-o", folder.path("paper.png"))
    _ = try Tool.run("render", file, "-o", folder.path("clear.png"), "--transparent")
    let (paper, clear) = (try picture(folder, "paper.png"), try picture(folder, "clear.png"))
    #expect(clear.channels == .rgba)
    #expect(clear.darkness() == paper.darkness())
  }

  @Test(arguments: ["svg", "inkml"]) func `the suffix selects the format`(_ suffix: String) throws {
    let folder = try Folder()
    let result = try Tool.run(
      "render", try word(in: folder), "-o", folder.path("out.\(suffix.uppercased())"))
    #expect(result.status == 0, "\(result.error)")
    let text = String(decoding: try folder.bytes("out.\(suffix.uppercased())"), as: UTF8.self)
    #expect(text.contains(suffix == "svg" ? "<svg xmlns=" : "<ink xmlns="))
    let pieces = text.components(separatedBy: suffix == "svg" ? "<path " : "<trace ")
    #expect(pieces.count == 1 + Fixture.word.count)
  }

  private static let inkMLSchema = ProcessInfo.processInfo.environment["PARAPH_INKML_SCHEMA"]

  /// With PARAPH_INKML_SCHEMA=…/inkml.xsd (of the Recommendation; its imports beside it) and xmllint.
  @Test(.enabled(if: inkMLSchema != nil, "PARAPH_INKML_SCHEMA does not name the schema"))
  func `InkML is valid by the schema of the W3C`() throws {
    let schema = try #require(Self.inkMLSchema)
    let folder = try Folder()
    let result = try Tool.run("render", try word(in: folder), "-o", folder.path("out.inkml"))
    #expect(result.status == 0, "\(result.error)")
    let check = Process()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/xmllint")
    check.arguments = ["--noout", "--nonet", "--schema", schema, folder.path("out.inkml")]
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
  }

  @Test func `missing units are guessed, and the guess is reported`() throws {
    let folder = try Folder()
    let file = try folder.file("word.svc", Fixture.svc(Fixture.word, units: 100))
    let result = try Tool.run("render", file, "-o", folder.path("out.png"), "--dpi", "100")
    #expect(result.status == 0)
    #expect(result.error.contains("using 100 units per millimetre"), "\(result.error)")
    #expect(try picture(folder, "out.png").width < 1000)
    let told = try Tool.run(
      "render", file, "-o", folder.path("told.png"), "--dpi", "100", "--units-per-mm", "100")
    #expect(told.error.isEmpty)
    #expect(try folder.bytes("told.png") == folder.bytes("out.png"))
  }

  @Test func `invalid arguments give one line and exit code 64, and leave no file`() throws {
    let folder = try Folder()
    let file = try word(in: folder)
    for arguments in [
      [file], [file, "-o", folder.path("out.gif")], [file, "-o", folder.path("out")],
      [file, "-o", folder.path("out.png"), "--dpi", "0"],
      [file, "-o", folder.path("out.png"), "--dpi", "many"],
      [file, "-o", folder.path("out.png"), "--margin", "-1"],
      [file, "-o", folder.path("out.png"), "-m", "crayon"], ["-o", folder.path("out.png")],
    ] {
      let result = try Tool.run(["render"] + arguments)
      #expect(result.isMistake(64), "\(arguments) \(result)")
    }
    #expect(try folder.names() == ["word.svc"])
  }

  @Test func `data without a picture gives one line and exit code 65, and leaves no file`() throws {
    let folder = try Folder()
    for (content, arguments) in [
      ("", []), ("0\n", []), ("2\n1 1 0 0 0 0 0\n2 2 1 0 0 0 0\n", []),
      (Fixture.svc([Fixture.stroke([.zero, Point(90000, 90000)])]), ["--units-per-mm", "1"]),
      (Fixture.svc(Fixture.word), ["--dpi", "panel"]),
    ] {
      let file = try folder.file("file.svc", content)
      let result = try Tool.run(["render", file, "-o", folder.path("out.png")] + arguments)
      #expect(result.isMistake(65), "\(content.prefix(40)) \(result)")
    }
    #expect(try folder.names() == ["file.svc"])
  }

  @Test func `a signature with absurd dimensions gives one line and exit code 65`() throws {
    let folder = try Folder()
    let recorded = RecordedStrokes(
      width: 150, height: 85, scaleX: 1e12, scaleY: 1e12, model: "ductus",
      inkWidth: 1e-10...1e-10, strokes: [Stroke([Sample(time: 0, position: .zero)])])
    let file = try folder.file(
      "strokes.json", String(decoding: recorded.bytes, as: UTF8.self))
    let result = try Tool.run(
      "render", file, "-o", folder.path("out.png"), "--trim", "--dpi", "panel")
    #expect(result.isMistake(65), "\(result)")
    #expect(try folder.names() == ["strokes.json"])
  }

  @Test func `a missing folder is named`() throws {
    let folder = try Folder()
    let result = try Tool.run(
      "render", try word(in: folder), "-o", folder.path("nowhere/out.png"))
    #expect(result.isMistake(73) && result.error.contains("nowhere/out.png"), "\(result)")
  }

  @Test func `an existing picture is replaced atomically`() throws {
    let folder = try Folder()
    let file = try word(in: folder)
    _ = try folder.file("out.png", "an earlier picture")
    #expect(try Tool.run("render", file, "-o", folder.path("out.png")).status == 0)
    #expect(try picture(folder, "out.png").width > 0)
    #expect(try folder.names().sorted() == ["out.png", "word.svc"])
  }
}
