import Testing

@testable import Ink

@Suite struct TurnTests {
  private func shapes(_ points: [(Float, Float)]) -> [Segment.Shape] {
    DrawnStroke(DuctusTests.line(points)).segments.map(\.shape)
  }

  @Test func `a straight way is one curve for each step`() {
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
    for i in line.x.indices {
      let radius = Point(line.x[i], line.y[i]).length
      #expect(radius > 0.97 && radius < 1.03)
    }
  }

  private func cosine(_ x: Float) -> Float { (x + .pi / 2).sine }
}
