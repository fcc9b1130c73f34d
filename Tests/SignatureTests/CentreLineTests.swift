import Ink
import Signature
import SyntheticHand
import Testing

@Suite struct CentreLineTests {
  static let kinds = StrokeModel.Kind.allCases
  let word = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }

  private func lines(_ strokes: [Stroke], _ kind: StrokeModel.Kind) -> [[WeightedPoint]] {
    var lines: [[WeightedPoint]] = []
    CentreLine.walk(strokes, by: kind) { line, point in
      if line == lines.count { lines.append([]) }
      lines[line].append(point)
    }
    return lines
  }

  @Test(arguments: kinds)
  func `points are at most a tenth of a millimetre apart`(_ kind: StrokeModel.Kind) {
    for line in lines(word, kind) {
      for (a, b) in zip(line, line.dropFirst()) {
        #expect((b.position - a.position).length < 0.1001)
        #expect(b != a)
      }
    }
  }

  @Test(arguments: kinds)
  func `every stroke is one line that begins and ends with its ink`(_ kind: StrokeModel.Kind) {
    let lines = lines(word, kind)
    #expect(lines.count == word.count)
    for (line, stroke) in zip(lines, word) {
      var first: Segment?
      var last: Segment?
      stroke.finishedInk(by: kind) { segment, _ in
        first = first ?? segment
        last = segment
      }
      #expect(line.first == first?.point(at: 0))
      #expect(line.last == last?.end)
    }
  }

  @Test(arguments: kinds)
  func `ink begins at the first sample and is never without width`(_ kind: StrokeModel.Kind) throws
  {
    for (line, stroke) in zip(lines(word, kind), word) {
      let start = try #require(line.first)
      #expect((start.position - stroke.samples[0].position).length < 0.001)
      #expect(line.allSatisfy { $0.weight > 0.05 && $0.weight < 3 })
    }
  }

  @Test(arguments: kinds) func `a tap is one point`(_ kind: StrokeModel.Kind) {
    let lines = lines([Stroke([Sample(time: 0, position: Point(3, 4))])], kind)
    #expect(lines.count == 1 && lines.first?.count == 1)
    #expect(lines.first?.first?.position == Point(3, 4))
  }

  @Test(arguments: kinds)
  func `a gap begins a new line, and a stroke without a place is none`(_ kind: StrokeModel.Kind) {
    func row(_ x: Float, _ index: Int) -> Sample {
      Sample(time: Int64(index) * 8_000_000, position: Point(x + Float(index) * 2, 5))
    }
    let stroke = Stroke((0..<6).map { row(0, $0) } + (6..<12).map { row(40, $0) }, gaps: [6])
    let nowhere = Stroke([Sample(time: 0, position: Point(.nan, 0))])
    let lines = lines([nowhere, stroke, nowhere, stroke], kind)
    #expect(lines.count == 4)
    #expect(lines.first?.allSatisfy { $0.position.x < 12 } == true)
    #expect(lines.dropFirst().first?.allSatisfy { $0.position.x > 51 } == true)
  }

  @Test func `an error of the reader ends the walk`() {
    struct Full: Error {}
    var count = 0
    #expect(throws: Full.self) {
      try CentreLine.walk(word, by: .polyline) { (_, _) throws(Full) in
        count += 1
        if count == 7 { throw Full() }
      }
    }
    #expect(count == 7)
  }
}
