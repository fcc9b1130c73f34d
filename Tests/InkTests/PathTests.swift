import Testing

@testable import Ink

@Suite struct PathTests {
  /// The verbs and the points of a path, which belong together.
  private func expectWhole(_ path: borrowing Path) {
    let sizes = [Path.Verb.move: 1, .line: 1, .quad: 2, .cubic: 3]
    let verbs = path.verbs.indices.map { path.verbs[$0] }
    let count = path.points.count
    #expect(verbs.first == nil || verbs.first == .move)
    #expect(count == verbs.reduce(0) { $0 + (sizes[$1] ?? 0) })
  }

  @Test func `an edge without a contour starts one at its first point`() {
    var path = Path()
    path.line(to: Point(1, 2))
    let lines = (path.verbs.indices.map { path.verbs[$0] }, path.points[0])
    #expect(lines.0 == [.move, .line] && lines.1 == Point(1, 2))
    path.removeAll()
    path.quad(Point(3, 4), to: Point(5, 6))
    let quads = path.points.indices.map { path.points[$0] }
    #expect(quads == [Point(3, 4), Point(3, 4), Point(5, 6)])
    path.removeAll()
    path.cubic(Point(3, 4), Point(5, 6), to: Point(7, 8))
    expectWhole(path)
    let count = path.verbs.count
    #expect(count == 2)
  }

  @Test(arguments: [1, 2, 3, 7]) func `edges beyond the capacity are dropped whole`(capacity: Int) {
    for verb in [Path.Verb.move, .line, .quad, .cubic] {
      var path = Path(capacity: capacity)
      path.move(to: .zero)
      for _ in 0..<capacity + 5 {
        switch verb {
        case .move: path.move(to: Point(1, 1))
        case .line: path.line(to: Point(1, 1))
        case .quad: path.quad(Point(1, 1), to: Point(2, 2))
        case .cubic: path.cubic(Point(1, 1), Point(2, 2), to: Point(3, 3))
        }
      }
      expectWhole(path)
      let (count, overflowed) = (path.verbs.count, path.overflowed)
      #expect(count == capacity && overflowed)
    }
  }

  @Test
  func `a contour that does not fit is dropped whole, and no edge continues the previous one`() {
    let ring = WeightedPoint(Point(9, 9), weight: 2)
    for capacity in 8...10 {
      var path = Path(capacity: capacity)
      path.circle(around: Point(5, 5), diameter: 2)
      // Half a disc is three verbs, a line with round ends is seven.
      StrokeModel.outline(of: Segment(ring, ring), by: .ductus, into: &path)
      let overflowed = path.overflowed
      #expect(overflowed)
      path.line(to: Point(80, 80))
      path.halfDisc(around: Point(70, 70), from: Point(1, 0))
      expectWhole(path)
      let reach = path.points.indices.map { path.points[$0].x }.max()
      let count = path.verbs.count
      #expect(count == 5 && reach == 6)
      path.removeAll()
      path.line(to: Point(1, 1))
      let again = (path.verbs.count, path.overflowed)
      #expect(again == (2, false))
    }
  }

  @Test(arguments: [0.02, 1, 1.24, 7, 300] as [Float])
  func `a dot is round`(diameter: Float) {
    let centre = Point(40, 30)
    let dot = Segment(dot: WeightedPoint(centre, weight: diameter))
    for kind in StrokeModel.Kind.allCases {
      let polygon = DrawnStroke.outline(of: dot, kind: kind, steps: 32)
      for point in polygon {
        let radius = (point - centre).length
        #expect(abs(radius / (diameter / 2) - 1) < 0.001 + 2e-5 / diameter, "\(kind)")
      }
    }
  }
}
