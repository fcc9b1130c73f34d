import Ink
import Testing

@testable import Touch

@Suite struct HandwritingReaderTests {
  private func read(_ text: String) throws -> Handwriting {
    guard case .handwriting(let handwriting) = try Recording(Array(text.utf8), file: "r") else {
      throw RecordingError.malformed(file: "r", line: 0, reason: "not handwriting")
    }
    return handwriting
  }

  @Test func `rows in the air end a stroke and are not ink`() throws {
    let strokes = try read(
      """
      6
      10 20 100 1 0 0 500
      11 20 108 1 0 0 510
      12 20 116 0 0 0 0
      13 20 124 0 0 0 0
      14 20 132 1 0 0 400
      15 20 140 1 0 0 0
      """
    ).strokes
    #expect(strokes.map { $0.map { $0.x } } == [[10, 11], [14, 15]])
    #expect(strokes[1].map { $0.time } == [132_000_000, 140_000_000])
  }

  @Test func `a row with pressure and without the button begins a stroke`() throws {
    let strokes = try read(
      "4\n1 1 0 0 0 0 300\n2 1 10 1 0 0 300\n3 1 20 0 0 0 250\n4 1 30 1 0 0 250\n"
    ).strokes
    #expect(strokes.map { $0.map { $0.x } } == [[1, 2], [3, 4]])
  }

  @Test func `times are seconds where one is fractional`() throws {
    let strokes = try read("2\n52.81 81.31 0.000000 1 5 5 0\n52.83 81.31 0.007000 1 5 5 0.01\n")
      .strokes
    #expect(strokes[0].map { $0.time } == [0, 7_000_000])
    let whole = try read("2\n5 8 0.000 1 5 5 1\n6 8 7.000 1 5 5 1\n").strokes
    #expect(whole[0].map { $0.time } == [0, 7_000_000])
  }

  @Test func `samples are the rows divided by the units, without pressure`() throws {
    let handwriting = try read("1\n4034 7509 8 1 0 0 1023\n")
    #expect(
      handwriting.samples(unitsPerMillimetre: 100) == [
        [Sample(time: 8_000_000, position: Point(40.34, 75.09))]
      ])
  }

  @Test func `a last row that was cut off is left out`() throws {
    for cut in ["", "1", "1 2 3 1", "1 2 3 1 0 0", "1 2 3 1 0 -", "1 2 3 1 0 0 x\n"] {
      #expect(
        try read("9\n5 5 0 1 0 0 1\n" + cut).strokes == [[.init(time: 0, x: 5, y: 5, pressure: 1)]])
    }
  }

  @Test(arguments: [
    (
      "2\n1 2 3\n4 5 6 1 0 0 1\n",
      "r:2: not seven numbers: x y t button azimuth altitude pressure"
    ),
    (
      "2\n1 2 nan 1 0 0 1\n4 5 6 1 0 0 1\n",
      "r:2: not seven numbers: x y t button azimuth altitude pressure"
    ),
    (
      "2\n1 2 1e300 1 0 0 1\n4 5 6 1 0 0 1\n",
      "r:2: not seven numbers: x y t button azimuth altitude pressure"
    ),
    (
      "2\n1.7e308 2 0 1 0 0 1\n4 5 6 1 0 0 1\n",
      "r:2: not seven numbers: x y t button azimuth altitude pressure"
    ),
    (
      "2\n1 -1.7e308 0 1 0 0 1\n4 5 6 1 0 0 1\n",
      "r:2: not seven numbers: x y t button azimuth altitude pressure"
    ),
    (
      "2\n1 2 8e12 1 0 0 1\n4 5 6 1 0 0 1\n",
      "r:2: not seven numbers: x y t button azimuth altitude pressure"
    ),
    ("2\n1 2 8e11 1 0 0 1\n4 5 0.5 1 0 0 1\n", "r: times beyond a century"),
    ("-4\n4 5 6 1 0 0 1\n", "r:1: the first line is not the number of rows"),
  ]) func `errors are reported with their line`(text: String, expected: String) {
    do {
      _ = try read(text)
      Issue.record("was read")
    } catch {
      #expect((error as? RecordingError)?.text == expected)
    }
  }

  @Test func `numbers may have signs and exponents`() throws {
    let strokes = try read("1\n-1.5e1 +2.5E-1 .5 1 0 0 1\n").strokes
    #expect(strokes == [[.init(time: 500_000_000, x: -15, y: 0.25, pressure: 1)]])
  }

  /// A scan of the lines with the standard library's number parser.
  @Test(.needsRecordings, arguments: ["page.svc", "word.svc"])
  func `every row of a real file is in its stroke`(name: String) throws {
    let text = try SharedRecordings.text("handwriting/\(name)")
    var strokes: [[Double]] = [[]]
    for line in text.split(separator: "\n").dropFirst() {
      let values = line.split(separator: " ").compactMap { Double($0.filter { $0 != "\r" }) }
      guard values.count == 7 else { continue }
      if values[3] == 0 && values[6] == 0 {
        strokes.append([])
      } else {
        strokes[strokes.count - 1] += [values[0], values[1]]
      }
    }
    #expect(
      try read(text).strokes.map { $0.flatMap { [$0.x, $0.y] } } == strokes.filter { !$0.isEmpty })
  }

  @Test func `a file can be played however far apart its rows are`() throws {
    let far = "2\n-9.9e8 9.9e8 -3.9e12 1 0 0 1\n9.9e8 -9.9e8 3.9e12 1 0 0 1\n"
    let events = try read(far).recording(width: 154, height: 86).events
    #expect(events.map(\.time).max() == 7_800_000_000_005_000_000)
    #expect(events.allSatisfy { (0...15_400).contains($0.value) })
  }
}
