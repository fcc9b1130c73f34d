import Foundation
import SyntheticHand
import Testing

@testable import Ink

/// What holds for every model, or for the standard one, whatever is drawn.
@Suite struct StrokePropertiesTests {
  static let hostile: [[Sample]] = {
    var random = SeededRandom(seed: 7)
    return (0..<300).map { _ in
      let scale = [1e-6, 0.01, 1, 100, 1e6, 1e20, 3e38][random.integer(0..<7)]
      let clock = random.integer(0..<6)
      var time: Int64 = [0, .max - 1_000_000, .min, 1 << 60][random.integer(0..<4)]
      var place = SIMD2<Double>(random.normal(), random.normal()) * scale
      return (0..<random.integer(1..<60)).map { _ in
        switch clock {
        case 0: break
        case 1: time = time &- 5_000_000
        case 2: time = time &+ Int64(random.integer(0..<20_000_000))
        case 3: time = Int64(truncatingIfNeeded: random.next())
        case 4: time = time &+ (random.integer(0..<10) == 0 ? 3_600_000_000_000 : 8_000_000)
        default: time = time &+ 1
        }
        if random.integer(0..<4) != 0 {
          place += SIMD2(random.normal(), random.normal()) * scale * random.real(0...1)
        }
        return Sample(
          time: time, position: Point(Float(place.x), Float(place.y)),
          pressure: [-1, 0.5, .nan, .infinity, 2, 0][random.integer(0..<6)])
      }
    }
  }()

  @Test(arguments: StrokeModel.Kind.allCases)
  func `no sample makes a model draw NaN or infinity`(kind: StrokeModel.Kind) {
    for (index, samples) in Self.hostile.enumerated() {
      let drawn = DrawnStroke(samples, kind: kind)
      let all = drawn.segments + drawn.steps.flatMap(\.tail)
      for segment in all {
        let points = DrawnStroke.outline(of: segment, kind: kind, steps: 2)
        let fine =
          points.allSatisfy { $0.x.isFinite && $0.y.isFinite }
          && segment.end.weight.isFinite && segment.p0.position.x.isFinite
        #expect(fine, "stroke \(index) of seed 7")
        if !fine { return }
      }
    }
  }

  @Test func `samples with NaN or infinity are not drawn`() {
    for position in [Point(.nan, 0), Point(0, .infinity), Point(-.infinity, .nan)] {
      let good = DuctusTests.line([(0, 0), (1, 0), (2, 0), (3, 0)])
      let bad = Sample(time: 15_000_000, position: position)
      let drawn = DrawnStroke([bad] + good.prefix(2) + [bad] + good.suffix(2))
      #expect(drawn.segments == DrawnStroke(good).segments)
    }
  }

  @Test func `final ink never changes, whatever follows`() {
    for samples in Corpus.pen.prefix(8) where samples.count > 6 {
      let whole = DrawnStroke(samples)
      for count in stride(from: 4, to: samples.count, by: 3) {
        let final = DrawnStroke(Array(samples.prefix(count))).steps[count - 1].final
        #expect(final == whole.steps[count - 1].final)
        let drawn = DrawnStroke(Array(samples.prefix(count))).segments.prefix(final)
        #expect(Array(drawn) == Array(whole.segments.prefix(final)))
      }
    }
  }

  @Test func `no report moves ink by more than a quarter of a millimetre when it becomes final`() {
    for samples in Corpus.finger {
      let line = CentreLine(DrawnStroke(samples).segments)
      for sample in samples { #expect(line.nearest(to: sample.position).distance < 0.25) }
    }
  }

  @Test func `ink is never narrower or wider than the law allows`() {
    for samples in Corpus.pen + Corpus.finger + Self.hostile {
      let widths = DrawnStroke(samples).segments.flatMap { Self.widths($0) }
      #expect(widths.allSatisfy { $0 >= WidthLaw.standard.narrowest * 0.9999 })
      #expect(widths.allSatisfy { $0 <= WidthLaw.standard.widest * 1.0001 })
    }
  }

  private static func widths(_ segment: Segment) -> [Float] {
    [segment.p0.weight, segment.p1.weight, segment.p2.weight, segment.p3.weight]
  }

  private static let otherWidths: [ClosedRange<Float>] = [0.2...0.3, 0.3...3, 1...1]

  @Test(arguments: otherWidths)
  func `ink of another width keeps to its own range and ends at the same place`(
    _ range: ClosedRange<Float>
  ) {
    let law = WidthLaw(narrowest: range.lowerBound, widest: range.upperBound)
    for samples in Corpus.pen + Corpus.finger + Self.hostile {
      let stroke = DrawnStroke(samples, law: law)
      let widths = stroke.segments.flatMap { Self.widths($0) }
      #expect(widths.allSatisfy { $0 >= range.lowerBound * 0.9999 })
      #expect(widths.allSatisfy { $0 <= range.upperBound * 1.0001 })
      #expect(stroke.segments.last?.p3.position == DrawnStroke(samples).segments.last?.p3.position)
    }
  }

  @Test(arguments: otherWidths)
  func `ink of another width is drawn along the same line`(_ range: ClosedRange<Float>) {
    let law = WidthLaw(narrowest: range.lowerBound, widest: range.upperBound)
    for samples in Corpus.pen.prefix(16) + Corpus.finger.prefix(8) {
      let line = CentreLine(DrawnStroke(samples).segments)
      for segment in DrawnStroke(samples, law: law).segments {
        #expect(line.nearest(to: segment.end.position).distance < 0.001)
      }
    }
  }

  @Test func `width changes by no more than two millimetres on a millimetre`() {
    // One on one from knot to knot; the pieces of a sharp turn share its change as they share its way.
    for samples in Corpus.pen + Corpus.finger {
      for segment in DrawnStroke(samples).segments where segment.shape == .cubic {
        let way =
          (segment.p1.position - segment.p0.position).length
          + (segment.p2.position - segment.p1.position).length
          + (segment.p3.position - segment.p2.position).length
        #expect(abs(segment.p3.weight - segment.p0.weight) <= 2 * way + 1e-4)
      }
    }
  }

  @Test func `every piece is as wide as its weight, also in turns`() {
    var counts = [Segment.Shape.line: 0, .cubic: 0]
    var wrong: [Segment] = []
    for samples in Corpus.pen + Corpus.finger {
      for segment in DrawnStroke(samples).segments where segment.shape != .dot {
        counts[segment.shape]? += 1
        let polygon = DrawnStroke.outline(of: segment, steps: 48)
        for step in 0...8 {
          let point = segment.point(at: Float(step) / 8)
          let room = Self.distance(from: point.position, to: polygon)
          var isRight = Self.winding(of: polygon, around: point.position) != 0 || room < 0.002
          if segment.shape == .line {
            // Round at both ends; where the width changes, its edges are not parallel to the way.
            let way = (segment.p3.position - segment.p0.position).length
            let slope = abs(segment.p3.weight - segment.p0.weight) / 2
            let least = min(segment.p0.weight, segment.p3.weight) / 2
            let most = max(segment.p0.weight, segment.p3.weight) / 2
            isRight = isRight && room >= (slope < way ? least * 0.98 : 0) - 0.002
            isRight = isRight && room <= most + 0.002
          } else {
            // At its ends a piece has a straight edge instead.
            let ends = min(
              (point.position - segment.p0.position).length,
              (point.position - segment.p3.position).length)
            isRight = isRight && room >= min(point.weight * 0.5, ends) * 0.88 - 0.002
          }
          if !isRight { wrong.append(segment) }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    #expect(counts.values.allSatisfy { $0 > 100 }, "\(counts)")
  }

  @Test func `a disc as wide as the narrowest ink fits everywhere on the line`() {
    for samples in Corpus.pen.prefix(16) + Corpus.finger.prefix(8) {
      let drawn = DrawnStroke(samples)
      let polygons = drawn.outlines()
      let boxes = polygons.map { Box($0) }
      for segment in drawn.segments where !segment.isCap {
        let point = segment.point(at: 0.5)
        for direction in 0..<8 {
          let angle = Float(direction) * .pi / 4
          let place =
            point.position + Point(cos(angle), sin(angle)) * (WidthLaw.standard.narrowest * 0.48)
          let covered = zip(polygons, boxes).contains { polygon, box in
            box.contains(place) && Self.winding(of: polygon, around: place) != 0
          }
          #expect(covered)
        }
      }
    }
  }

  @Test func `the tail ends round at the newest report, also in turns`() {
    for samples in Corpus.pen.prefix(24) + Corpus.finger.prefix(12) {
      let drawn = DrawnStroke(samples)
      for (sample, step) in zip(samples, drawn.steps) {
        let polygons = step.tail.map { DrawnStroke.outline(of: $0, steps: 24) }
        for direction in 0..<8 {
          let angle = Float(direction) * .pi / 4
          let place =
            sample.position + Point(cos(angle), sin(angle)) * (WidthLaw.standard.narrowest * 0.45)
          #expect(polygons.contains { Self.winding(of: $0, around: place) != 0 })
        }
      }
    }
  }

  @Test func `moved ink is the same ink elsewhere`() {
    for samples in Corpus.pen.prefix(12) {
      let away = Point(37.5, -12.25)
      let moved = samples.map {
        Sample(time: $0.time, position: $0.position + away, pressure: $0.pressure)
      }
      let (a, b) = (
        CentreLine(DrawnStroke(samples).segments), CentreLine(DrawnStroke(moved).segments)
      )
      #expect(a.x.count == b.x.count)
      for i in 0..<min(a.x.count, b.x.count) {
        #expect((Point(a.x[i], a.y[i]) + away - Point(b.x[i], b.y[i])).length < 1e-3)
        #expect(abs(a.weight[i] - b.weight[i]) < 1e-3)
      }
    }
  }

  @Test func `turned ink is the same ink turned`() {
    for samples in Corpus.pen.prefix(12) {
      let (c, s) = (Float(cos(0.7)), Float(sin(0.7)))
      func turn(_ p: Point) -> Point { Point(c * p.x - s * p.y, s * p.x + c * p.y) }
      let turned = samples.map {
        Sample(time: $0.time, position: turn($0.position), pressure: $0.pressure)
      }
      let line = CentreLine(DrawnStroke(turned).segments)
      for segment in DrawnStroke(samples).segments where !segment.isCap {
        let near = line.nearest(to: turn(segment.point(at: 0.5).position))
        #expect(near.distance < 2e-3)
        #expect(abs(near.weight - segment.point(at: 0.5).weight) < 2e-3)
      }
    }
  }

  @Test(arguments: [60.0, 240, 500])
  func `the report rate does not change the ink`(hertz: Double) {
    var random = SeededRandom(seed: 21)
    let strokes = (0..<8).flatMap { _ in LognormalHand.pen.signature(&random) }
    var widths: [Float] = []
    var distances: [Float] = []
    for stroke in strokes {
      let usual = Digitiser(rhythm: .even(hertz: 120)).samples(of: stroke, &random)
      let other = Digitiser(rhythm: .even(hertz: hertz)).samples(of: stroke, &random)
      let a = CentreLine(DrawnStroke(usual).segments)
      let b = CentreLine(DrawnStroke(other).segments)
      for sample in usual where sample.time <= other.last?.time ?? 0 {
        let (p, q) = (a.nearest(to: sample.position), b.nearest(to: sample.position))
        distances.append(q.distance)
        widths.append(abs(q.weight / p.weight - 1))
      }
    }
    print(
      hertz, "width", widths.percentile(0.5), widths.percentile(0.9), "distance",
      distances.percentile(0.5), distances.percentile(0.9))
    #expect(widths.percentile(0.5) <= 0.03)
    #expect(widths.percentile(0.9) <= 0.08)
    #expect(distances.percentile(0.5) <= 0.025)
    #expect(distances.percentile(0.9) <= 0.090)
  }

  struct Box {
    var low = Point(repeating: .infinity)
    var high = Point(repeating: -.infinity)
    init(_ points: [Point]) {
      for point in points {
        low = Point(min(low.x, point.x), min(low.y, point.y))
        high = Point(max(high.x, point.x), max(high.y, point.y))
      }
    }
    func contains(_ p: Point) -> Bool {
      p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y
    }
  }

  static func distance(from point: Point, to polygon: [Point]) -> Float {
    var best = Float.infinity
    for index in polygon.indices {
      let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let (ex, ey) = (point.x - a.x, point.y - a.y)
      let square = dx * dx + dy * dy
      let t = square > 0 ? min(1, max(0, (ex * dx + ey * dy) / square)) : 0
      let (fx, fy) = (ex - t * dx, ey - t * dy)
      best = min(best, fx * fx + fy * fy)
    }
    return best.squareRoot()
  }

  static func winding(of polygon: [Point], around point: Point) -> Int {
    var winding = 0
    for index in polygon.indices {
      let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
      let side = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y)
      if a.y <= point.y, b.y > point.y, side > 0 { winding += 1 }
      if a.y > point.y, b.y <= point.y, side < 0 { winding -= 1 }
    }
    return winding
  }
}
