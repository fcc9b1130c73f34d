import Testing

@testable import Ink

@Suite struct DuctusTests {
  static func line(_ points: [(Float, Float)], every milliseconds: Int64 = 10) -> [Sample] {
    points.enumerated().map {
      Sample(time: Int64($0) * milliseconds * 1_000_000, position: Point($1.0, $1.1))
    }
  }

  @Test func `a tap is a dot of 7 pt`() {
    let drawn = DrawnStroke(Self.line([(10, 20)]))
    #expect(drawn.segments.map(\.shape) == [.dot])
    #expect(drawn.segments.first?.isCap == false)
    #expect(drawn.segments.first?.p0 == WeightedPoint(Point(10, 20), weight: WidthLaw.standard.dot))
  }

  @Test func `a motionless finger is a dot, however often it is reported`() {
    let drawn = DrawnStroke(Self.line(Array(repeating: (10, 20), count: 50)))
    #expect(drawn.segments.map(\.shape) == [.dot])
  }

  @Test func `two samples are a line with round ends`() {
    let drawn = DrawnStroke(Self.line([(0, 0), (3, 4)]))
    #expect(drawn.segments.map(\.shape) == [.dot, .cubic, .dot])
    #expect(drawn.segments[1].p0.position == Point(0, 0))
    #expect(drawn.segments[1].end.position == Point(3, 4))
  }

  @Test func `a stroke starts at its first and ends at its last sample`() {
    for stroke in Corpus.pen where stroke.count > 1 {
      let line = CentreLine(DrawnStroke(stroke).segments)
      #expect(line.x[0] == stroke[0].position.x && line.y[0] == stroke[0].position.y)
      #expect((line.end - stroke[stroke.count - 1].position).length < 1e-4)
    }
  }

  @Test func `the tail ends under the finger`() {
    let stroke = Corpus.pen[0]
    let drawn = DrawnStroke(stroke)
    for (sample, step) in zip(stroke, drawn.steps) {
      let end = step.tail.last?.end.position ?? .zero
      #expect((end - sample.position).length < 1e-4)
    }
  }

  @Test func `a knot is final two knots later`() {
    let drawn = DrawnStroke(Self.line((0..<20).map { (Float($0), 0) }))
    // A cap and one curve per knot; the third sample after the first makes the first knot final.
    #expect(drawn.steps.prefix(5).map(\.final) == [0, 0, 0, 2, 3])
  }

  @Test func `finalised and provisional ink are one line without a gap`() {
    for stroke in Corpus.pen.prefix(12) {
      let drawn = DrawnStroke(stroke)
      for step in drawn.steps.dropLast() where step.final > 0 {
        let end = drawn.segments[step.final - 1].end
        #expect(step.tail.first?.p0 == end)
      }
    }
  }

  @Test func `neighbours share their joint's edge to the last bit`() {
    for stroke in Corpus.pen {
      let curves = DrawnStroke(stroke).segments.filter { $0.shape == .cubic || $0.shape == .line }
      for (a, b) in zip(curves, curves.dropFirst()) {
        #expect(a.p3 == b.p0)
        if a.shape == .cubic && b.shape == .cubic { #expect(a.endEdge == b.startEdge) }
      }
    }
  }

  @Test func `no curve crosses a gap`() {
    var samples = Self.line((0..<10).map { (Float($0), 0) })
    samples += (0..<10).map {
      Sample(time: 2_000_000_000 + Int64($0) * 10_000_000, position: Point(9, 5 + Float($0)))
    }
    let line = CentreLine(DrawnStroke(samples).segments)
    #expect(line.x.allSatisfy { $0 <= 9.0001 })
    #expect(zip(line.x, line.y).allSatisfy { $0.1 >= -0.0001 && ($0.1 == 0 || $0.0 > 8.9999) })
  }

  @Test func `a report that comes twice changes nothing`() {
    let stroke = Corpus.pen[1]
    let doubled = stroke.flatMap { [$0, $0] }
    #expect(DrawnStroke(doubled).segments == DrawnStroke(stroke).segments)
  }

  @Test func `pressure widens, and half of it changes nothing`() {
    func width(_ pressure: Float) -> Float {
      let samples = Self.line((0..<20).map { (Float($0), 0) }).map {
        Sample(time: $0.time, position: $0.position, pressure: pressure)
      }
      return DrawnStroke(samples).segments.last?.p0.weight ?? 0
    }
    #expect(abs(width(0.5) - width(-1)) < 1e-5)
    #expect(width(0.9) > width(0.5))
    #expect(width(0.1) < width(0.5))
  }
}
