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
      stroke.finalisedInk(by: kind) { segment, _ in
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

  @Test(arguments: [
    [Point(0, 0), Point(9, 0), Point(9, 3), Point(6, 3)],
    [Point(50, 70), Point(52, 72), Point(51, 60), Point(53, 61)],
    [Point(120, 20), Point(123, 20), Point(123, 23), Point(132, 14)],
    [Point(0, 0), Point(9, 0), Point(9, 3)],
    [Point(50, 70), Point(52, 72), Point(51, 60)],
  ])
  func `a curve is followed in as few steps as keep the spacing`(_ touches: [Point]) {
    let stroke = Stroke(
      touches.enumerated().map { Sample(time: Int64($0) * 8_000_000, position: $1) })
    var points: [WeightedPoint] = []
    CentreLine.walk([stroke], by: .uberSignature, spacing: 0.5) { points.append($1) }
    var curve: Segment?
    stroke.finalisedInk(by: .uberSignature) { segment, _ in curve = segment }
    guard let curve else { return #expect(Bool(false), "there is no ink") }
    #expect(curve.shape == (touches.count == 4 ? .cubic : .quad))
    let longest = zip(touches, touches.dropFirst()).map { ($1 - $0).length }.max() ?? 0
    let degree = Float(touches.count - 1)
    #expect(points.count == Int((degree * longest / 0.5).rounded(.up)) + 1)
    for (index, point) in points.enumerated() {
      #expect(point == curve.point(at: Float(index) / Float(points.count - 1)))
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e-30] as [Float])
  func `a line that goes nowhere has one point, whatever the spacing is`(spacing: Float) {
    let tap = Stroke([Sample(time: 0, position: Point(3, 4))])
    var count = 0
    CentreLine.walk([tap], by: .ductus, spacing: spacing) { _, _ in count += 1 }
    #expect(count == 1)
  }

  @Test(arguments: kinds) func `a tap is one point`(_ kind: StrokeModel.Kind) {
    let lines = lines([Stroke([Sample(time: 0, position: Point(3, 4))])], kind)
    #expect(lines.count == 1 && lines.first?.count == 1)
    #expect(lines.first?.first?.position == Point(3, 4))
  }

  @Test(arguments: kinds)
  func `a gap begins a new line, and a stroke without a position has none`(_ kind: StrokeModel.Kind)
  {
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

  @Test func `a curve of two steps is followed by way of its middle`() {
    let touches = [Point(0, 0), Point(1, 0), Point(1, 1)]
    let stroke = Stroke(
      touches.enumerated().map { Sample(time: Int64($0) * 8_000_000, position: $1) })
    var curve: Segment?
    stroke.finalisedInk(by: .uberSignature) { segment, _ in curve = segment }
    var points: [WeightedPoint] = []
    CentreLine.walk([stroke], by: .uberSignature, spacing: 1) { points.append($1) }
    #expect(points.count == 3 && points.dropFirst().first == curve?.point(at: 0.5))
  }
}
