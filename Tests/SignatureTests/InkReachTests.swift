import Ink
import Testing

@testable import Signature

/// Outlines as points.
@Suite struct InkReachTests {
  private func points(_ path: borrowing Path, steps: Int) -> [Point] {
    var points: [Point] = []
    path.flatten(steps: steps) { points.append($0) }
    return points
  }

  private func close(_ a: [Point], _ b: [Point]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { ($0 - $1).length < 1e-5 }
  }

  @Test func `each curve begins where the edge before it ends`() {
    var path = Path()
    path.move(to: Point(0, 0))
    path.quad(Point(1, 2), to: Point(2, 0))
    path.quad(Point(3, -2), to: Point(4, 0))
    path.cubic(Point(4, 4), Point(8, 4), to: Point(8, 0))
    path.cubic(Point(8, -4), Point(4, -4), to: Point(4, 0))
    path.line(to: Point(0, 0))
    #expect(
      close(
        points(path, steps: 2),
        [
          Point(0, 0), Point(1, 1), Point(2, 0), Point(3, -1), Point(4, 0), Point(6, 3),
          Point(8, 0), Point(6, -3), Point(4, 0), Point(0, 0),
        ]))
  }

  @Test(arguments: [(false, 0), (true, 8)] as [(Bool, Float)])
  func `the reversed area is that of an outline that runs the other way round`(
    isReversed: Bool, area: Float
  ) {
    // Along one edge and back along the other.
    var outline = [Point(0, 0), Point(2, 0), Point(4, 0), Point(4, 3), Point(2, 1), Point(0, 3)]
    if isReversed { outline.reverse() }
    var path = Path()
    path.move(to: outline[0])
    for corner in outline.dropFirst() { path.line(to: corner) }
    #expect(path.reversedArea() == area)
  }
}
