import Testing

@testable import Ink

// All numbers in points of 1/163 inch, worked out by hand: widths are 160 times the published ones.
@Suite struct VelocityStripTests {
  /// After the first touch: half of 0.003 and half of the widest.
  static let first: Float = 160 * (0.0015 + 0.015)

  /// The filter's answer to a velocity.
  static func filtered(_ before: Float, _ velocity: Float) -> Float {
    let share = (min(max(velocity, 20), 5000) - 20) / 4980
    return before / 2 + 160 * (0.030 - 0.026 * share) / 2
  }

  @Test func `a curve goes from middle to middle with the touch between as control point`() {
    let drawing = Drawing(.velocityStrip, through: [points(0), points(10), points(20, 10)])
    let second = Self.filtered(Self.first, 1000)
    let third = Self.filtered(second, 1414.2136)
    #expect(drawing.finalised.map(\.shape) == [.quad, .quad, .line])
    let start = drawing.finalised[0]
    #expect(start.p0.isAt(0, 0, width: Self.first) && start.p1.position == points(0))
    #expect(start.p2.isAt(5, 0, width: second))
    let curve = drawing.finalised[1]
    #expect(curve.p0 == start.p2)
    #expect(curve.p1.isAt(10, 0, width: (second + third) / 2))
    #expect(curve.p2.isAt(15, 5, width: third))
    #expect(drawing.finalised[2].p1.isAt(20, 10, width: third))
  }

  @Test func `the width follows the clamped velocity through the filter`() {
    #expect(abs(Self.filtered(Self.first, 1000) - 3.310683) < 1e-5)
    let slow = Drawing(.velocityStrip, through: [points(0), points(4)], milliseconds: 1000)
    #expect(slow.finalised[0].p2.isAt(2, 0, width: Self.first / 2 + 2.4))
    let fast = Drawing(.velocityStrip, through: [points(0), points(600)], milliseconds: 10)
    #expect(fast.finalised[0].p2.isAt(300, 0, width: Self.first / 2 + 0.32))
  }

  @Test
  func `a step of up to 3 pt is a line, one of up to 1 pt is not drawn until the hand goes on`() {
    let drawing = Drawing(
      .velocityStrip, through: [points(0), points(2.9), points(3.8), points(8)])
    #expect(drawing.finalised.map(\.shape) == [.line, .line, .quad, .line])
    let ends = drawing.finalised.map { $0.end.position.x / UberSignature.pointSize }
    // To the touch; then on to the middle of the second step, where the curve starts.
    #expect(agree(ends.map { Point($0, 0) }, [2.9, 3.35, 5.9, 8].map { Point($0, 0) }))
    let width = Self.filtered(Self.filtered(Self.first, 290), 90)
    #expect(drawing.tails[2][0].end.isAt(3.8, 0, width: width), "the tail reaches it")
    // Of exactly 1 pt: only its middle is reached.
    let exact = Drawing(.velocityStrip, through: [points(0), points(1), points(8)])
    #expect(exact.finalised.map { $0.end.position } == [points(0.5), points(4.5), points(8)])
  }

  @Test func `a tap is a dot, and a trembling tap too`() {
    for drawing in [
      Drawing(.velocityStrip, through: [points(5, 5)]),
      Drawing(.velocityStrip, through: [points(5, 5), points(5.5, 5), points(5, 5.3)]),
    ] {
      #expect(drawing.finalised.map(\.shape) == [.dot])
      #expect(drawing.finalised[0].p0.isAt(5, 5, width: 2 * Self.first))
    }
  }

  @Test(arguments: [0, -7] as [Int64])
  func `a clock that stands still or steps back keeps the velocity`(step: Int64) {
    let samples = [
      Sample(time: 0, position: points(0)), Sample(time: 10_000_000, position: points(10)),
      Sample(time: 10_000_000 + step, position: points(40)),
    ]
    let second = Self.filtered(Self.first, 1000)
    let drawing = Drawing(.velocityStrip, samples)
    #expect(drawing.finalised[1].p2.isAt(25, 0, width: Self.filtered(second, 1000)))
  }

  @Test func `the strip has a piece for every 1.5 pt and is as wide as its ends`() {
    let drawing = Drawing(.velocityStrip, through: [points(0), points(30), points(60)])
    let curve = drawing.finalised[1]
    let shape = outline(curve, by: .velocityStrip)
    #expect(shape.count == 2 * (20 + 1))
    let size = UberSignature.pointSize
    #expect(agree([shape[0]], [Point(15, -curve.p0.weight / size / 2)]))
    #expect(agree([shape[20]], [Point(45, -curve.p2.weight / size / 2)]))
    #expect(agree([shape[41]], [Point(15, curve.p0.weight / size / 2)]))
  }

  @Test func `neighbouring strips share their edge`() {
    let drawing = Drawing(
      .velocityStrip, through: [points(0), points(20, 3), points(30, 20), points(25, 45)])
    let first = outline(drawing.finalised[1], by: .velocityStrip)
    let second = outline(drawing.finalised[2], by: .velocityStrip)
    let half = first.count / 2
    #expect(agree([first[half - 1], first[half]], [second[0], second[second.count - 1]]))
  }

  @Test func `a line goes on from the edge that the strip has, whatever its own direction is`() {
    let drawing = Drawing(.velocityStrip, through: [points(0), points(2.5), points(2.5, 2.5)])
    #expect(drawing.finalised.map(\.shape) == [.line, .line])
    let first = outline(drawing.finalised[0], by: .velocityStrip)
    let second = outline(drawing.finalised[1], by: .velocityStrip)
    #expect(agree([first[1], first[2]], [second[0], second[3]]))
    // Its own edge at the other end: to the right hand of the way down is the left.
    #expect(agree([second[1] + second[2]], [Point(5, 5)]))
    #expect(second[1].x > second[2].x && abs(second[1].y - 2.5) < 1e-3)
  }
}
