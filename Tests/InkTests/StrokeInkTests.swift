import Testing

@testable import Ink

@Suite struct StrokeInkTests {
  @Test func `removed ink leaves neither final ink nor a tail`() {
    let dot = Segment(dot: WeightedPoint(Point(1, 1), weight: 1))
    var ink = StrokeInk(capacity: 2)
    ink.finalised.append(dot)
    ink.provisional.append(dot)
    ink.removeAll()
    let counts = (ink.finalised.count, ink.provisional.count)
    #expect(counts == (0, 0))
  }
}
