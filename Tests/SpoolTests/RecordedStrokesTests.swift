import Ink
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Spool

@Suite struct RecordedStrokesTests {
  @Test func `every number reads back as the same bits`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    func float() -> Float {
      while true {
        let value = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
        if value.isFinite { return value }
      }
    }
    let count = Soak.rounds(5000, full: 50_000)
    let samples = (0..<count).map { index in
      Sample(
        time: Int64.random(in: Int64.min...Int64.max, using: &generator),
        position: index % 2 == 0
          ? Point(float(), float())
          : Point(
            Float.random(in: 0...300, using: &generator),
            Float.random(in: 0...200, using: &generator)),
        pressure: index % 3 == 0 ? -1 : Float.random(in: 0...1, using: &generator))
    }
    let strokes = RecordedStrokes(
      width: 154.08, height: 85.92, scaleX: 5.19, scaleY: 5.2, model: "uber \"x\"",
      strokes: [.init(samples, gaps: [0, 7, count - 1]), .init([]), .init([samples[0]])])
    #expect(try RecordedStrokes(strokes.bytes) == strokes, "seed \(seed)")
  }

  @Test func `the width of the ink is kept where it was configured`() throws {
    let wide = RecordedStrokes(
      width: 100, height: 50, scaleX: 8, scaleY: 8, model: "ductus", inkWidth: 0.3...1.5,
      strokes: [])
    #expect(try RecordedStrokes(wide.bytes) == wide)
    #expect(throws: ValidationError("strokes.json: ink_width is not a range")) {
      try RecordedStrokes(
        Array(
          #"{"version": 1, "area": [1, 2], "scale": [1, 1], "model": "x", "ink_width": [2, 1]}"#
            .utf8))
    }
  }

  @Test func `small and large coordinates have their digits and no exponent`() {
    let sample = Sample(time: 5, position: Point(0.00002, 16_777_216))
    let strokes = RecordedStrokes(
      width: 100, height: 50, scaleX: 8, scaleY: 8, model: "polyline", strokes: [.init([sample])])
    let text = String(decoding: strokes.bytes, as: UTF8.self)
    #expect(text.contains("[5,0.00002,16777216.0,null]"), "\(text)")
  }

  @Test func `the text has the documented format`() {
    let sample = Sample(time: 5, position: Point(0.1, -2), pressure: 0.25)
    let strokes = RecordedStrokes(
      width: 100, height: 50, scaleX: 8, scaleY: 8, model: "polyline",
      strokes: [.init([sample, Sample(time: 6, position: Point(1, 2))], gaps: [1])])
    #expect(
      String(decoding: strokes.bytes, as: UTF8.self) == """
        {"version": 1,
        "area": [100.0, 50.0],
        "scale": [8.0, 8.0],
        "model": "polyline",
        "strokes": [
        {"samples": [
        [5,0.1,-2.0,0.25],
        [6,1.0,2.0,null,true]]}]}

        """)
  }

  @Test(arguments: [
    ("{}", "version is not 1"),
    (#"{"version": 1, "area": [1]}"#, "area is not two numbers above 0"),
    (#"{"version": 1, "area": [1, 2], "scale": [1, 0]}"#, "scale is not two numbers above 0"),
    (#"{"version": 1, "area": [1, 2], "scale": [0, 1]}"#, "scale is not two numbers above 0"),
    (#"{"version": 1, "area": [1, 2], "scale": [-1, 1]}"#, "scale is not two numbers above 0"),
    (#"{"version": 1, "area": [1, 2], "scale": [1, 1]}"#, "model is not a text"),
    (#"{"version": 1, "area": [1, 2], "scale": [1, 1], "model": "x"}"#, "strokes is not an array"),
    (
      #"{"version": 1, "area": [1, 2], "scale": [1, 1], "model": "x", "strokes": [{"samples": [[1, 2, 3]]}]}"#,
      "stroke 0 has no samples or an invalid sample"
    ),
    (
      #"{"version": 1, "area": [1, 2], "scale": [1, 1], "model": "x", "strokes": [{"samples": [[1, 2e300, 3, 4]]}]}"#,
      "stroke 0 has no samples or an invalid sample"
    ),
  ])
  func `invalid members are named`(text: String, reason: String) {
    let error = #expect(throws: ValidationError.self) { try RecordedStrokes(Array(text.utf8)) }
    #expect(error?.reason == "strokes.json: " + reason)
  }
}
