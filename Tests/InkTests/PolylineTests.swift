import Testing

@testable import Ink

@Suite struct PolylineTests {
  @Test func `straight lines of 3 pt join the samples`() {
    let drawing = Drawing(.polyline, through: [points(0), points(10), points(10, 5)])
    #expect(drawing.finalised.map(\.shape) == [.line, .line])
    #expect(drawing.finalised[0].p0.isAt(0, 0, width: 3))
    #expect(drawing.finalised[1].p0.isAt(10, 0, width: 3))
    #expect(drawing.finalised[1].p1.isAt(10, 5, width: 3))
    let shape = outline(drawing.finalised[0], by: .polyline)
    #expect(agree(shape, [Point(0, -1.5), Point(10, -1.5), Point(10, 1.5), Point(0, 1.5)]))
  }

  @Test func `only the last line is provisional`() {
    let drawing = Drawing(.polyline, through: [points(0), points(10), points(20)])
    #expect(drawing.tails.map(\.count) == [1, 1, 1])
    #expect(drawing.tails[0][0].shape == .dot && drawing.tails[2] == [drawing.finalised[1]])
  }

  @Test func `samples in one place stay a dot, and add nothing to a line`() {
    let dot = Drawing(.polyline, through: [points(1), points(1), points(1)])
    #expect(dot.finalised.map(\.shape) == [.dot])
    let line = Drawing(.polyline, through: [points(1), points(1), points(9), points(9)])
    #expect(line.finalised.map(\.shape) == [.line])
  }
}
