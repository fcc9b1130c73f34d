import Testing

@testable import Ink

// All numbers in points of 1/163 inch, worked out by hand from the published arithmetic:
// weight w(d) = max(0, 50 − d)·0.1 + 2, and ink 1 pt wider than its weight.
@Suite struct UberSignatureTests {
  @Test(arguments: [(0, 7), (10, 6), (25, 4.5), (50, 2), (51, 2), (1000, 2)] as [(Float, Float)])
  func `the weight falls by a tenth of the distance, from 7 to 2`(distance: Float, weight: Float) {
    let size = UberSignature.pointSize
    #expect(abs(UberSignature.weight(distance: distance * size) / size - weight) < 1e-4)
  }

  @Test func `a tap is a dot of 7 pt`() throws {
    let drawing = Drawing(.uberSignature, through: [points(10, 10)])
    #expect(drawing.tails[0].map(\.shape) == [.dot])
    #expect(drawing.finalised == drawing.tails[0])
    #expect(drawing.finalised[0].p0.isAt(10, 10, width: 7))
  }

  @Test func `two, three and four touches are a line, a quad and a cubic`() {
    let drawing = Drawing(
      .uberSignature, through: [points(0), points(10), points(30), points(80)])
    #expect(drawing.tails.map { $0.map(\.shape) } == [[.dot], [.line], [.quad], [.cubic]])
    let cubic = drawing.tails[3][0]
    #expect(cubic.p0.isAt(0, 0, width: 4))
    #expect(cubic.p1.isAt(10, 0, width: 7))
    #expect(cubic.p2.isAt(30, 0, width: 6))
    #expect(cubic.p3.isAt(80, 0, width: 3))
  }

  @Test func `the fifth touch moves the fourth point into the middle and starts the next curve`() {
    let drawing = Drawing(
      .uberSignature,
      through: [points(0), points(10), points(20), points(20, 10), points(50, 50), points(50, 70)])
    // 29.1548 from (20, 0) to the middle (35, 25) between it and the fifth touch: w = 4.0845.
    let cubic = drawing.finalised[0]
    #expect(cubic.shape == .cubic)
    #expect(cubic.p2.isAt(20, 0, width: 7))
    #expect(cubic.p3.isAt(35, 25, width: 5.08452))
    // The fifth touch is 50 from the fourth as it was touched: w = 2, and not w(29.1548).
    let next = drawing.tails[4][0]
    #expect(next.shape == .line)
    #expect(next.p0.isAt(35, 25, width: 5.08452))
    #expect(next.p1.isAt(50, 50, width: 3))
    #expect(drawing.tails[5][0].shape == .quad)
    #expect(drawing.tails[5][0].p2.isAt(50, 70, width: 6))
    #expect(drawing.finalised.count == 2, "one curve, and the tail at the end")
  }

  @Test func `each curve takes three more touches`() {
    let drawing = Drawing(.uberSignature, through: (0..<11).map { points(Float($0) * 10) })
    #expect(
      drawing.tails.map { $0[0].shape }
        == [.dot, .line, .quad, .cubic, .line, .quad, .cubic, .line, .quad, .cubic, .line])
    #expect(drawing.finalised.map(\.shape) == [.cubic, .cubic, .cubic, .line])
    for (curve, next) in zip(drawing.finalised, drawing.finalised.dropFirst()) {
      #expect(curve.p3 == next.p0)
    }
  }

  @Test func `a touch nearer than 2 pt to the one that counted last is dropped`() {
    let drawing = Drawing(
      .uberSignature,
      through: [points(0), points(1.9), points(2.01), points(3.99), points(4.02)])
    #expect(drawing.tails.map { $0[0].shape } == [.dot, .dot, .line, .line, .quad])
    #expect(drawing.tails[4][0].p1.isAt(2.01, 0, width: 7.799))
    #expect(drawing.tails[4][0].p2.isAt(4.02, 0, width: 7.799))
  }

  @Test func `a touch at exactly 2 pt counts`() {
    let drawing = Drawing(.uberSignature, through: [points(0), points(2)])
    #expect(drawing.finalised[0].shape == .line)
  }

  @Test func `a line is a trapezium of both widths with butt ends`() {
    let drawing = Drawing(.uberSignature, through: [points(0), points(10)])
    let shape = outline(drawing.finalised[0], by: .uberSignature)
    #expect(agree(shape, [Point(0, -2), Point(10, -3.5), Point(10, 3.5), Point(0, 2)]))
  }

  @Test func `a quad's edges are led by the mean of both perpendiculars`() {
    let drawing = Drawing(.uberSignature, through: [points(0), points(10), points(10, 10)])
    let shape = outline(drawing.finalised[0], by: .uberSignature)
    // Half of (0, −6) and (6, 0) is (1.5, −1.5); half a point along it is (0.3536, −0.3536).
    let b = Point(1.85355, -1.85355)
    #expect(
      agree(
        shape,
        [
          Point(0, -2), Point(10, 0) + b, Point(13.5, 10), Point(6.5, 10), Point(10, 0) - b,
          Point(0, 2),
        ]))
  }

  @Test func `a cubic's edges run from control line to control line and back`() {
    let drawing = Drawing(
      .uberSignature, through: [points(0), points(10), points(10, 10), points(20, 10)])
    let shape = outline(drawing.finalised[0], by: .uberSignature)
    let turn = Point(1.85355, -1.85355)
    #expect(
      agree(
        shape,
        [
          Point(0, -2), Point(10, 0) + turn, Point(10, 10) + turn, Point(20, 6.5),
          Point(20, 13.5), Point(10, 10) - turn, Point(10, 0) - turn, Point(0, 2),
        ]))
  }

  @Test func `where the hand turns back the control line is as long as the outline stroke is wide`()
  {
    let drawing = Drawing(.uberSignature, through: [points(0), points(10), points(0)])
    let shape = outline(drawing.finalised[0], by: .uberSignature)
    #expect((shape[1] - shape[4]).length > 0.999 && (shape[1] - shape[4]).length < 1.001)
    #expect(agree([(shape[1] + shape[4]) / 2], [Point(10, 0)]))
  }

  @Test func `no control line is shorter than 1 pt at any turn`() {
    for step in 0...2000 {
      // (1 − u², 2u)/(1 + u²) lies at the angle whose half has the tangent u: 0° to 178.9°.
      let u = Float(step) / 20
      let turned = Point(1 - u * u, 2 * u) / (1 + u * u) * 10
      let drawing = Drawing(
        .uberSignature, through: [points(0), points(10), points(10 + turned.x, turned.y)])
      let shape = outline(drawing.finalised[0], by: .uberSignature)
      #expect((shape[1] - shape[4]).length > 0.999, "tangent \(u)")
    }
  }

  @Test func `a fifth touch on the third collapses the join to a point, and ink goes on`() {
    let drawing = Drawing(
      .uberSignature,
      through: [points(0), points(10), points(20), points(20, 10), points(20), points(30)])
    let cubic = drawing.finalised[0]
    #expect(cubic.p3.isAt(20, 0, width: 8))
    let shape = outline(cubic, by: .uberSignature)
    #expect(agree([shape[3], shape[4]], [Point(20, -0.5), Point(20, 0.5)]))
    #expect(drawing.finalised[1].p2.isAt(30, 0, width: 7))
  }
}
