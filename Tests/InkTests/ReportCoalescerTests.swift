import Testing

@testable import Ink

@Suite struct ReportCoalescerTests {
  @Test func `only a fast panel's reports share a knot, four at most, within 6 ms of the first`() {
    var knot = ReportCoalescer()
    #expect(knot.open(.zero, after: 0.2) == 0.2)
    #expect(knot.admits(after: 0.2, period: 0.2))
    #expect(!knot.admits(after: 0.2, period: 0.6))
    #expect(!knot.admits(after: 0.6, period: 0.2))
    for _ in 0..<2 { _ = knot.join(.zero, after: 0.2, variance: 0) }
    #expect(!knot.admits(after: 0.2, period: 0.2))
    #expect(knot.admits(after: 0.1, period: 0.2))
    _ = knot.join(.zero, after: 0.05, variance: 0)
    #expect(!knot.admits(after: 0.01, period: 0.2))
  }

  @Test func `on a calm panel the knot is its last report, on a trembling one their mean`() {
    func join(noise: Float) -> (place: Point, lag: Float, interval: Float) {
      var knot = ReportCoalescer()
      _ = knot.open(Point(1, 0), after: 1)
      _ = knot.join(Point(2, 0), after: 0.2, variance: noise)
      let place = knot.join(Point(3, 6), after: 0.2, variance: noise)
      return (place, knot.lag, knot.interval)
    }
    let calm = join(noise: 0)
    #expect(calm.place == Point(3, 6) && calm.lag == 0 && abs(calm.interval - 1.4) < 1e-6)
    let trembling = join(noise: 1e6)
    #expect((trembling.place - Point(2, 2)).length < 1e-5)
    #expect(abs(trembling.lag - 0.2) < 1e-5 && abs(trembling.interval - 1.2) < 1e-5)
  }

  @Test func `no time is lost or counted twice from knot to knot`() {
    for noise in [0, 0.0004, 0.01, 1] as [Float] {
      var knot = ReportCoalescer()
      var (intervals, passed) = (Float(0), Float(0))
      for index in 0..<12 {
        passed += 0.15
        if index % 4 == 0 {
          if index > 0 { intervals += knot.interval }
          _ = knot.open(Point(Float(index), 0), after: 0.15)
        } else {
          _ = knot.join(Point(Float(index), 0), after: 0.15, variance: noise)
        }
      }
      #expect(abs(intervals + knot.interval + knot.lag - passed) < 1e-5, "\(noise)")
    }
  }
}
