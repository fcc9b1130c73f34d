import Ink
import Testing

@Suite struct TraceTests {
  static let models = ["default"] + StrokeModel.Kind.allCases.map(\.rawValue)

  struct Row {
    let stroke: Int
    let x, y, width: Double
  }

  /// The rows of a trace; nil where a line is not four fields with four decimals or more.
  private func rows(_ output: String) -> [Row]? {
    var rows: [Row] = []
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let decimals = fields.dropFirst().map { $0.split(separator: ".").last?.count ?? 0 }
      guard fields.count == 4, decimals.allSatisfy({ $0 >= 4 }), let stroke = Int(fields[0]),
        let x = Double(fields[1]), let y = Double(fields[2]), let width = Double(fields[3])
      else { return nil }
      rows.append(Row(stroke: stroke, x: x, y: y, width: width))
    }
    return rows
  }

  private func trace(_ arguments: [String]) throws -> [[Row]] {
    let result = try Tool.run(["trace"] + arguments)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    var strokes: [[Row]] = []
    for row in try #require(rows(result.output)) {
      if row.stroke == strokes.count { strokes.append([]) }
      // Strokes come in order and without holes.
      try #require(row.stroke == strokes.count - 1)
      strokes[row.stroke].append(row)
    }
    return strokes
  }

  private func expectPromises(_ strokes: [[Row]], _ what: String) {
    for stroke in strokes {
      for (a, b) in zip(stroke, stroke.dropFirst()) {
        let (x, y) = (b.x - a.x, b.y - a.y)
        #expect((x * x + y * y).squareRoot() <= 0.1, "\(what): \(a) \(b)")
      }
      #expect(stroke.allSatisfy { $0.width > 0 && $0.width < 10 }, "\(what)")
    }
  }

  @Test(arguments: models)
  func `every stroke is traced in steps of at most a tenth of a millimetre`(_ model: String) throws
  {
    let folder = try Folder()
    let file = try folder.file("word.svc", Fixture.svc(Fixture.word))
    let strokes = try trace([file, "--model", model])
    #expect(strokes.count == Fixture.word.count)
    expectPromises(strokes, model)
    for (stroke, samples) in zip(strokes, Fixture.word) {
      let (first, start) = (try #require(stroke.first), samples[0].position)
      #expect(abs(first.x - Double(start.x)) < 1e-3 && abs(first.y - Double(start.y)) < 1e-3)
    }
  }

  @Test(arguments: models) func `any handwriting keeps the invariants`(_ model: String) throws {
    let folder = try Folder()
    for seed in 0..<12 as Range<UInt64> {
      let scribble = Fixture.scribble(seed: seed)
      let strokes = try trace([
        try folder.file("scribble.svc", Fixture.svc(scribble)), "-m", model,
      ])
      #expect(strokes.count == scribble.count, "seed \(seed)")
      expectPromises(strokes, "seed \(seed)")
    }
  }

  @Test func `the last line is where the stroke ends`() throws {
    let folder = try Folder()
    let file = try folder.file("word.svc", Fixture.svc(Fixture.word))
    for model in ["polyline", "velocityStrip"] {
      for (stroke, samples) in zip(try trace([file, "-m", model]), Fixture.word) {
        let (last, end) = (try #require(stroke.last), try #require(samples.last).position)
        #expect(abs(last.x - Double(end.x)) < 1e-4 && abs(last.y - Double(end.y)) < 1e-4)
      }
    }
  }

  @Test func `coordinates are the file's, divided by the units`() throws {
    let folder = try Folder()
    let places = Fixture.stroke([Point(100, 200), Point(150, 220), Point(200, 200)])
    let file = try folder.file("three.svc", Fixture.svc([places]))
    let plain = try #require(try trace([file, "-m", "polyline"]).first?.last)
    #expect(plain.x == 200 && plain.y == 200)
    let tenth = try trace([file, "-m", "polyline", "--units-per-mm", "10"])
    #expect(tenth.first?.first?.x == 10 && tenth.first?.first?.y == 20)
    #expect(tenth.first?.last?.x == 20 && tenth.first?.last?.y == 20)
    #expect(tenth.first?.last?.width == plain.width)
  }

  @Test func `the widths of uberSignature are its weights and a point`() throws {
    let folder = try Folder()
    // 25 pt apart: weight 3 at the first touch and 4.5 from then on.
    let step = Float(25 * 25.4 / 163)
    let places = (0..<4).map { Point(10 + Float($0) * step, 10) }
    let file = try folder.file("line.svc", Fixture.svc([Fixture.stroke(places)]))
    let stroke = try #require(try trace([file, "-m", "uberSignature"]).first)
    let point = 25.4 / 163
    #expect(abs(try #require(stroke.first).width - 4 * point) < 1e-4)
    #expect(abs(try #require(stroke.last).width - 5.5 * point) < 1e-4)
    let tap = try folder.file("tap.svc", Fixture.svc([Fixture.stroke([Point(5, 6)])]))
    let dot = try trace([tap, "-m", "uberSignature"])
    #expect(dot.count == 1 && dot.first?.count == 1)
    #expect(abs(try #require(dot.first?.first).width - 7 * point) < 1e-4)
  }

  @Test func `a recording is measured by its resolution, and one contact draws`() throws {
    let folder = try Folder()
    let frames = [
      ["0003 002f 0", "0003 0039 7", "0003 0035 400", "0003 0036 200"],
      // A second finger comes, moves, and stays when the first one has gone.
      ["0003 002f 1", "0003 0039 8", "0003 0035 1500", "0003 0036 800"],
      ["0003 002f 0", "0003 0035 600", "0003 002f 1", "0003 0035 1400"],
      ["0003 002f 0", "0003 0039 -1", "0003 002f 1", "0003 0035 1300"],
      ["0003 0035 1200"], ["0003 0039 -1"],
      ["0003 002f 0", "0003 0039 9", "0003 0035 800", "0003 0036 400"],
      // A tap of 50 ms: less would be a ghost of the panel.
      [], [], [], [], ["0003 0039 -1"],
    ]
    let file = try folder.file("panel.evemu", Fixture.evemu(frames))
    let strokes = try trace([file, "-m", "polyline"])
    #expect(strokes.count == 2)
    #expect(strokes.first?.first?.x == 20 && strokes.first?.first?.y == 10)
    #expect(strokes.first?.last?.x == 30 && strokes.first?.last?.y == 10)
    #expect(strokes.last?.map(\.x) == [40] && strokes.last?.map(\.y) == [20])
    let unknown = try folder.file("unknown.evemu", Fixture.evemu(resolution: 0, frames))
    #expect(try trace([unknown, "-m", "polyline"]).first?.last?.x == 600)
    #expect(try trace([file, "-m", "polyline", "--units-per-mm", "50"]).first?.last?.x == 12)
  }

  @Test func `a contact without a position is no stroke, and the numbers stay consecutive`() throws
  {
    let folder = try Folder()
    let frames = [
      ["0003 002f 3", "0003 0039 1"], ["0003 0039 -1"],
      ["0003 002f 0", "0003 0039 2", "0003 0035 400", "0003 0036 200"],
      [], [], [], [], ["0003 0039 -1"],
    ]
    let strokes = try trace([try folder.file("panel.evemu", Fixture.evemu(frames))])
    #expect(strokes.count == 1 && strokes.first?.first?.x == 20)
  }

  @Test(arguments: [
    [], ["nothing.svc", "--model", "pencil"], ["nothing.svc", "--units-per-mm", "0"],
    ["nothing.svc", "--units-per-mm", "x"], ["nothing.svc", "--units-per-mm", "inf"],
    ["nothing.svc", "another.svc"], ["--nonsense", "nothing.svc"],
  ])
  func `invalid arguments give one line and exit code 64`(_ arguments: [String]) throws {
    let result = try Tool.run(["trace"] + arguments)
    #expect(result.isMistake(64), "\(result)")
  }

  @Test(arguments: [
    "", "\n", "hello\n", "{\"version\": 2}", "{", "12\n1 2 three 1 0 0 0\n1 2 3\n", "\0\0",
  ])
  func `a file that is not a recording gives one line and exit code 65`(_ content: String) throws {
    let folder = try Folder()
    let result = try Tool.run("trace", try folder.file("file", content))
    #expect(result.isMistake(65), "\(result)")
    #expect(result.error.contains("file"))
  }

  @Test func `strokes that are too long or too far away give one line and exit code 65`() throws {
    let folder = try Folder()
    for places in [["-1000000", "1000000", "-1000000"], ["0", "3e30"], ["1e7"]] {
      let samples = places.enumerated().map { "[\($0 * 8_000_000),\($1),2,null]" }
      let file = try folder.file("strokes.json", Fixture.strokes(samples.joined(separator: ",")))
      let result = try Tool.run("trace", file)
      #expect(result.isMistake(65) && result.error.contains("--units-per-mm"), "\(result.error)")
    }
  }

  @Test(.enabled(if: hasSharedRecordings, "needs ../shared/recordings"), arguments: models)
  func `real handwriting keeps the invariants`(_ model: String) throws {
    for (name, units) in [("handwriting/page.svc", "1"), ("handwriting/word.svc", "200")] {
      let strokes = try trace([sharedRecording(name), "-m", model, "--units-per-mm", units])
      #expect(!strokes.isEmpty)
      expectPromises(strokes, name)
    }
  }

  @Test(
    .enabled(if: hasSharedRecordings, "needs ../shared/recordings"),
    arguments: [
      ("Atmel-maXTouch-Touchscreen.1-finger-drag-up-down.events", 1),
      ("Atmel-maXTouch-Touchscreen.1-finger-fast-taps.events", 9),
      ("EP0430M09.1-finger-drag-up-down.events", 1), ("EP0430M09.2-finger-scroll-down.events", 1),
      ("N-Trig-MultiTouch.1-finger-drag-NW-SE.events", 1), ("Wacom-DTH2242-Pen.events", 7),
      ("Wacom-ISDv4-E6-Finger.single-center-circle.events", 1), ("dell_canvas_pen.evemu", 1),
    ])
  func `recordings of real devices give the strokes that were drawn`(name: String, count: Int)
    throws
  {
    let path = sharedRecording("evemu/\(name)")
    for model in Self.models {
      // Most of these devices do not know their size: twenty units make the traces short.
      let strokes = try trace([path, "-m", model, "--units-per-mm", "20"])
      #expect(strokes.count == count, "\(model)")
      expectPromises(strokes, "\(name), \(model)")
    }
  }
}
