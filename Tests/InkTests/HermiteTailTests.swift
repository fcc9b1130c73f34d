import Testing

@testable import Ink

@Suite struct HermiteTailTests {
  /// The cubic that leaves the origin with the first velocity and reaches `displacement` with the last, in `ticks`.
  private func place(
    _ t: Float, _ displacement: Point, _ first: Point, _ last: Point, _ ticks: Float
  ) -> Point {
    let s = 1 - t
    return displacement * (t * t * (3 - 2 * t)) + first * (ticks * t * s * s) - last
      * (ticks * t * t * s)
  }

  @Test(arguments: [(0.8, 0.8), (1.2, 0.6), (0.7, 1.4)] as [(Float, Float)])
  func `the tail passes the knot in time and ends at the report`(before: Float, after: Float) {
    let tail = HermiteTail(Step(before), Step(after))
    let (displacement, offset, first) = (Point(3, 1), Point(1, 1), Point(0.9, -0.4))
    #expect(tail.step.ticks == before + after)
    let last = tail.endVelocity(displacement, offset, after: first)
    let passed = place(before / (before + after), displacement, first, last, before + after)
    #expect((passed - offset).length < 1e-4)
    // Without a first velocity the curve has no bend at its start, and passes the knot too.
    let natural = tail.naturalEndVelocity(displacement, offset)
    let start = displacement * (1.5 / (before + after)) - natural * 0.5
    let through = place(before / (before + after), displacement, start, natural, before + after)
    #expect((through - offset).length < 1e-4)
  }

  @Test func `a hand that goes evenly straight on keeps its velocity`() {
    let velocity = Point(0.5, 0.25)
    for (before, after) in [(0.8, 0.8), (0.4, 0.6), (2, 0.1), (0.1, 2)] as [(Float, Float)] {
      let tail = HermiteTail(Step(before), Step(after))
      let (displacement, offset) = (velocity * (before + after), velocity * before)
      // Near its ends the knot is taken for one at a share of 0.3 or 0.7.
      guard (0.3...0.7).contains(before / (before + after)) else {
        #expect(tail.endVelocity(displacement, offset, after: velocity).length.isFinite)
        continue
      }
      #expect((tail.endVelocity(displacement, offset, after: velocity) - velocity).length < 1e-5)
      #expect((tail.naturalEndVelocity(displacement, offset) - velocity).length < 1e-5)
    }
  }

  @Test func `a knot beside an end turns the tail no more than one at a third would`() {
    let displacement = Point(1, 0)
    for share in [0.001, 0.02, 0.98, 0.999] as [Float] {
      let tail = HermiteTail(Step(share), Step(1 - share))
      let last = tail.endVelocity(displacement, Point(share, 0.05), after: Point(1, 0))
      // 0.05 over 0.3²·0.7 or 0.7²·0.3, whichever is less.
      #expect(abs(last.y) <= 0.05 / 0.063 * 1.001, "\(share)")
    }
  }
}
