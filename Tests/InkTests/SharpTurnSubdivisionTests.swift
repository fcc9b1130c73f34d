import SyntheticHand
import Testing

@testable import Ink

@Suite struct SharpTurnSubdivisionTests {
  private func shapes(_ points: [(Float, Float)]) -> [Segment.Shape] {
    DrawnStroke(DuctusTests.line(points)).segments.map(\.shape)
  }

  @Test func `a straight line is one curve for each step`() {
    #expect(
      shapes((0..<8).map { (Float($0), 0) }) == [.dot] + Array(repeating: .cubic, count: 7) + [.dot]
    )
  }

  @Test func `a cusp is drawn with round joints`() {
    let there = (0..<6).map { (Float($0), Float(0)) }
    let back = (0..<6).map { (Float(5 - $0), Float(0.1)) }
    #expect(shapes(there + back).contains(.line))
  }

  @Test func `a circle of 1 mm keeps its size and its width`() {
    let circle = (0...60).map { index in
      let angle = Float(index) * 0.3
      return (cosine(angle), angle.sine)
    }
    let drawn = DrawnStroke(DuctusTests.line(circle))
    let line = CentreLine(Array(drawn.segments.dropFirst(6).dropLast(6)))
    // 0.3 mm in each report; `line` makes one every 10 ms.
    let width = WidthLaw.standard.width(speed: 0.3, pressure: -1)
    for i in line.x.indices {
      let radius = Point(line.x[i], line.y[i]).length
      #expect(radius > 0.97 && radius < 1.03)
      #expect(abs(line.weight[i] / width - 1) < 0.02)
    }
    // And as drawn: both edges are circles.
    for segment in drawn.segments.dropFirst(6).dropLast(6) {
      #expect(segment.shape == .cubic)
      for edge in DrawnStroke.outline(of: segment) {
        #expect(abs(abs(edge.length - 1) - width / 2) < 0.03)
      }
    }
  }

  /// What a cubic of these widths is drawn as, whose edges are as its ends and handles say.
  private func drawn(_ p: [Point], weight: Float) -> [Segment] {
    var cubic = Segment(
      WeightedPoint(p[0], weight: weight), WeightedPoint(p[1], weight: weight),
      WeightedPoint(p[2], weight: weight), WeightedPoint(p[3], weight: weight))
    cubic.startEdge = (Node.tangent(of: p[1] - p[0]) ?? .zero).left * (weight / 2)
    cubic.endEdge = (Node.tangent(of: p[3] - p[2]) ?? .zero).left * (weight / 2)
    var ink = RigidArray<Segment>(capacity: 16)
    SharpTurnSubdivision(cubic).draw(into: &ink)
    return (0..<ink.count).map { ink[$0] }
  }

  @Test func `a handle that leads back by less than shows is no reason for a joint`() {
    let hair = drawn(
      [Point(0, 0), Point(-0.02, 0), Point(0.1, 0), Point(0.2, 0)], weight: 1.2)
    #expect(hair.map(\.shape) == [.line])
    let hook = drawn(
      [Point(0, 0), Point(-0.2, 0), Point(0.1, 0), Point(0.2, 0)], weight: 1.2)
    #expect(hook.count > 1)
  }

  @Test func `a turn that is drawn as one line leaves it by no more than 0.02 mm`() {
    var random = SeededRandom(seed: 11)
    var lines = 0
    for _ in 0..<4000 {
      let length = Float(random.real(0.001...0.4))
      func handle() -> Point {
        let angle = Float(random.real(-.pi...(.pi)))
        return Point(cosine(angle), angle.sine)
          * min(Float(random.real(0.001...0.06)), length)
      }
      let points = [Point(0, 0), handle(), Point(length, 0) - handle(), Point(length, 0)]
      let segments = drawn(points, weight: 1)
      guard segments.map(\.shape) == [.line] else { continue }
      lines += 1
      let curve = Segment(
        WeightedPoint(points[0], weight: 1), WeightedPoint(points[1], weight: 1),
        WeightedPoint(points[2], weight: 1), WeightedPoint(points[3], weight: 1))
      for step in 0...20 {
        let place = curve.point(at: Float(step) / 20).position
        let off = place - Point(min(max(place.x, 0), length), 0)
        #expect(off.length < 0.0203, "\(points)")
      }
    }
    #expect(lines > 500)
  }

  private func cosine(_ x: Float) -> Float { (x + .pi / 2).sine }
}
