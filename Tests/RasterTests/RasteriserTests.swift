import Ink
import RasterFixtures
import SyntheticHand
import Testing

@testable import Raster

@Suite struct RasteriserTests {
  /// Pixels per millimetre of a panel of 163 dpi.
  let scale = Scale(dpi: 163)

  /// Mean and greatest difference over the pixels that either inks.
  func compare(_ mask: borrowing Coverage, _ reference: ReferenceFill) -> (
    mean: Double, most: Double
  ) {
    let expected = reference.coverage()
    var sum = 0.0
    var most = 0.0
    var count = 0.0
    for y in 0..<reference.height {
      for x in 0..<reference.width {
        let is_ = Double(mask[x, y])
        let should = expected[y * reference.width + x]
        guard is_ > 0 || should > 0 else { continue }
        sum += abs(is_ - should)
        most = max(most, abs(is_ - should))
        count += 1
      }
    }
    return (sum / max(count, 1), most)
  }

  static let scales = [
    Scale(dpi: 163), Scale(x: 6.0173, y: 6.0173), Scale(x: 7.3331, y: 5.0907),
    Scale(x: 1.7, y: 9.31),
  ]

  @Test(arguments: scales, 1...12 as ClosedRange<UInt64>)
  func `an outline is as dark as its area`(scale: Scale, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var rasteriser = Rasteriser()
    for segment in StrokeModel.segments(of: random.stroke(samples: 14, from: Point(8, 8))) {
      var path = Path()
      StrokeModel.outline(of: segment, by: .uberSignature, into: &path)
      var mask = Coverage(width: 100, height: 100)
      var reference = ReferenceFill(width: 100, height: 100)
      _ = rasteriser.add(path, scale: scale, to: &mask)
      reference.add(path, scale: scale)
      let difference = compare(mask, reference)
      #expect(difference.mean <= 0.5 && difference.most <= 4, "seed \(seed): \(difference)")
    }
  }

  @Test(arguments: [0.4, 1, 3.3, 7, 20, 45] as [Float])
  func `a dot of any size is as dark as its area`(diameter: Float) {
    var path = Path()
    let place = Point(8.1, 7.7)
    let dot = WeightedPoint(place, weight: diameter / scale.x)
    StrokeModel.outline(of: Segment(dot: dot), by: .polyline, into: &path)
    var mask = Coverage(width: 100, height: 100)
    var reference = ReferenceFill(width: 100, height: 100)
    var rasteriser = Rasteriser()
    _ = rasteriser.add(path, scale: scale, to: &mask)
    reference.add(path, scale: scale)
    let difference = compare(mask, reference)
    #expect(difference.mean <= 0.5 && difference.most <= 4, "\(difference)")
  }

  /// A closed contour of random edges around (50, 50).
  func scrawl(_ random: inout SeededRandom, reach: ClosedRange<Float>) -> Path {
    var path = Path()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      path.move(to: random.point(reach, reach))
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        switch Int.random(in: 0...2, using: &random) {
        case 0: path.line(to: random.point(reach, reach))
        case 1: path.quad(random.point(reach, reach), to: random.point(reach, reach))
        default:
          path.cubic(
            random.point(reach, reach), random.point(reach, reach),
            to: random.point(reach, reach))
        }
      }
    }
    return path
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `parts beyond the raster are clipped`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var rasteriser = Rasteriser()
    let path = scrawl(&random, reach: -30...130)
    let one = Scale(x: 1, y: 1)
    // The same outline in the middle of a raster that holds all of it.
    var whole = Coverage(width: 240, height: 240)
    _ = rasteriser.add(path, scale: one, offset: SIMD2(64, 64), to: &whole)
    var part = Coverage(width: 100, height: 99)
    let rect = rasteriser.add(path, scale: one, to: &part)
    var differences = 0
    var inked = PixelRect.empty
    for y in 0..<99 {
      for x in 0..<100 {
        if abs(Int(part[x, y]) - Int(whole[x + 64, y + 64])) > 1 { differences += 1 }
        if part[x, y] > 0 {
          inked = inked.union(PixelRect(Int32(x), Int32(y), Int32(x) + 1, Int32(y) + 1))
        }
      }
    }
    #expect(rect.union(inked) == rect, "seed \(seed)")
    #expect(differences == 0, "seed \(seed)")
  }

  @Test(arguments: 0..<2, [Float(0), 0x1p-12, -0x1p-12, 0x1p-10, -0x1p-10])
  func `an edge whose steps are nearly a pixel leaves no streak`(turn: Int, less: Float) {
    for row in stride(from: Float(20), to: 24, by: 0.5) {
      var path = Path()
      func point(_ x: Float, _ y: Float) -> Point { turn == 0 ? Point(x, y) : Point(y, x) }
      path.move(to: point(0.9995, row))
      path.line(to: point(40, row + 39 + less))
      path.line(to: point(60, row - 10 + less))
      var mask = Coverage(width: 100, height: 100)
      var reference = ReferenceFill(width: 100, height: 100)
      var rasteriser = Rasteriser()
      let one = Scale(x: 1, y: 1)
      _ = rasteriser.add(path, scale: one, to: &mask)
      reference.add(path, scale: one)
      let difference = compare(mask, reference)
      #expect(difference.most <= 8, "from row \(row): \(difference)")
    }
  }

  @Test func `damage has the rows of the ink and the columns of the control points`() {
    var mask = Coverage(width: 100, height: 100)
    var rasteriser = Rasteriser()
    var path = Path()
    path.move(to: Point(30.5, 80.5))
    path.cubic(Point(30.5, 0.5), Point(60.5, 0.5), to: Point(60.5, 80.5))
    // The curve turns at 80.5 − ¾·80.
    #expect(
      rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask) == PixelRect(30, 20, 61, 81))
    #expect((30..<61).contains { mask[$0, 20] > 0 } && mask[45, 80] > 0)
    // Sixteen columns are handled together, and those without ink stay as they are.
    var beside = 0
    for y in 0..<100 {
      for x in 0..<100 where x < 30 || x >= 61 || y < 20 || y >= 81 { beside += Int(mask[x, y]) }
    }
    #expect(beside == 0)
    path.removeAll()
    path.move(to: Point(80.5, 30.5))
    path.cubic(Point(0.5, 30.5), Point(0.5, 60.5), to: Point(80.5, 60.5))
    #expect(
      rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask) == PixelRect(0, 30, 81, 61))
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `an outline is the same in bands`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var rasteriser = Rasteriser()
    let path = scrawl(&random, reach: -60...160)
    let one = Scale(x: 1, y: 1)
    var mask = Coverage(width: 100, height: 99)
    _ = rasteriser.add(path, scale: one, to: &mask)
    let banded = Coverage(width: 100, height: 99)
    _ = rasteriser.fillInBands(
      path, scale: one, offset: .zero, PixelRect(width: 100, height: 99),
      into: Coverage.Sink(pixels: banded.pixels, stride: banded.stride))
    var most = 0
    for y in 0..<99 {
      for x in 0..<100 { most = max(most, abs(Int(mask[x, y]) - Int(banded[x, y]))) }
    }
    #expect(most <= 4, "seed \(seed)")
  }

  @Test func `an outline larger than the raster and the buffer covers all of it`() {
    var path = Path()
    path.move(to: Point(-1e5, -1e5))
    path.line(to: Point(1e5, -1e5))
    path.line(to: Point(1e5, 1e5))
    path.line(to: Point(-1e5, 1e5))
    var mask = Coverage(width: 1500, height: 1100)
    var rasteriser = Rasteriser()
    let rect = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
    #expect(rect == PixelRect(0, 0, 1500, 1100))
    let isFilled = mask.isEven(255, in: 0..<1500)
    #expect(isFilled)
  }

  @Test(arguments: [1000, 2000, 5000, 30000, 130_000])
  func `edges over the borders of bands stay within the buffer`(width: Int) {
    var rasteriser = Rasteriser()
    for slant in [0, 0.37] as [Float] {
      var path = Path()
      path.move(to: Point(0, -50))
      path.line(to: Point(Float(width), -50))
      path.line(to: Point(Float(width) - slant, 1050))
      path.line(to: Point(slant, 1050))
      var mask = Coverage(width: width, height: 700_000 / width)
      let rect = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
      #expect(rect == PixelRect(width: width, height: mask.height))
      #expect(mask[width / 2, mask.height - 1] == 255)
    }
  }

  @Test(arguments: [131_100, 200_000]) func `an outline of any width is filled`(width: Int) {
    var rasteriser = Rasteriser()
    var path = Path()
    path.move(to: Point(3, 0))
    path.line(to: Point(Float(width), 0))
    path.line(to: Point(Float(width), 3))
    path.line(to: Point(0, 3))
    var mask = Coverage(width: width, height: 3)
    #expect(
      rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
        == PixelRect(width: width, height: 3))
    #expect(mask[1, 0] == 0 && mask[0, 2] == 128)
    let isFilled = mask.isEven(255, in: 3..<width)
    #expect(isFilled)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `curves along the borders of pixels stay within the buffer`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var rasteriser = Rasteriser()
    // In units of 1/4096 pixel above and below a border of pixels.
    func place() -> Point {
      let x = Float.random(in: 0...300, using: &random)
      let units = [0, 0, 0, 0.5, 1, 1.5, 2, 3, 40][Int.random(in: 0..<9, using: &random)] as Float
      let row: Float = Int.random(in: 0..<8, using: &random) == 0 ? 20 : 0
      return Point(x, row + units / 4096)
    }
    var mask = Coverage(width: 310, height: 24)
    for _ in 0..<200 {
      var path = Path()
      path.move(to: place())
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if Bool.random(using: &random) {
          path.cubic(place(), place(), to: place())
        } else {
          path.quad(place(), to: place())
        }
      }
      _ = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
    }
    expectEmpty(rasteriser, seed)
  }

  /// What stays in the cells would show in any later outline.
  private func expectEmpty(_ rasteriser: borrowing Rasteriser, _ seed: UInt64) {
    let cells = UnsafeBufferPointer(
      start: rasteriser.cells.cells - 8, count: rasteriser.cells.prepared + 16)
    let marks = UnsafeBufferPointer(
      start: rasteriser.cells.marks, count: rasteriser.cells.prepared / 16)
    #expect(!cells.contains { $0 != 0 } && !marks.contains { $0 != 0 }, "seed \(seed)")
  }

  @Test func `a path that begins with an edge is filled by itself`() {
    for verb in 0..<3 {
      var rasteriser = Rasteriser()
      var mask = Coverage(width: 64, height: 64)
      _ = rasteriser.add(box(2, 2, 60, 60), scale: Scale(x: 1, y: 1), to: &mask)
      mask.clear()
      var path = Path()
      switch verb {
      case 0: path.line(to: Point(30, 30))
      case 1: path.quad(Point(30, 30), to: Point(40, 30))
      default: path.cubic(Point(30, 30), Point(35, 30), to: Point(40, 30))
      }
      path.line(to: Point(40, 30))
      path.line(to: Point(40, 40))
      path.line(to: Point(30, 40))
      _ = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
      var wrong = 0
      for y in 0..<64 {
        for x in 0..<64 {
          let isInside = (30..<40).contains(x) && (30..<40).contains(y)
          if mask[x, y] != (isInside ? 255 : 0) { wrong += 1 }
        }
      }
      #expect(wrong == 0)
      expectEmpty(rasteriser, 0)
    }
  }

  @Test func `a circle that needs many bands is round`() {
    var path = Path()
    let centre = Point(700.3, 500.6)
    let dot = WeightedPoint(centre, weight: 1900)
    StrokeModel.outline(of: Segment(dot: dot), by: .polyline, into: &path)
    var mask = Coverage(width: 1400, height: 1000)
    var rasteriser = Rasteriser()
    _ = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
    var (wrong, looked) = (0, 0)
    for y in stride(from: 0, to: 1000, by: 50) {
      for x in stride(from: 0, to: 1400, by: 7) {
        let way = Point(Float(x) + 0.5, Float(y) + 0.5) - centre
        let distance = (way * way).sum().squareRoot()
        // The four Béziers of a circle are up to 0.03 % too wide.
        guard distance < 949 || distance > 951.5 else { continue }
        looked += 1
        if mask[x, y] != (distance < 949 ? 255 : 0) { wrong += 1 }
      }
    }
    #expect(wrong == 0 && looked > 3000)
  }

  @Test(arguments: [
    Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e20,
  ])
  func `an invalid position leaves no ink`(value: Float) {
    for broken in 0..<4 {
      for coordinate in 0...1 {
        var points = [Point(10, 10), Point(40, 15), Point(35, 40), Point(12, 30)]
        points[broken][coordinate] = value
        var path = Path()
        path.move(to: points[0])
        path.cubic(points[1], points[2], to: points[3])
        var mask = Coverage(width: 64, height: 64)
        var rasteriser = Rasteriser()
        let rect = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
        #expect(rect.isEmpty)
        #expect((0..<64).allSatisfy { y in (0..<64).allSatisfy { mask[$0, y] == 0 } })
      }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `nothing is left in the buffer after any outline`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var rasteriser = Rasteriser()
    let far = Float.random(in: 1...5000, using: &random)
    let path = scrawl(&random, reach: -far...far)
    var mask = Coverage(width: 100, height: 99)
    _ = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
    expectEmpty(rasteriser, seed)
  }

  @Test func `outlines without area leave nothing`() {
    var rasteriser = Rasteriser()
    var mask = Coverage(width: 64, height: 64)
    var path = Path()
    let scale = Scale(x: 1, y: 1)
    #expect(rasteriser.add(path, scale: scale, to: &mask).isEmpty)
    path.move(to: Point(10, 10))
    path.move(to: Point(20, 10))
    path.line(to: Point(20, 40))
    path.line(to: Point(20, 20))
    path.move(to: Point(30, 30))
    path.cubic(Point(30, 30), Point(30, 30), to: Point(30, 30))
    path.move(to: Point(40, 30))
    path.line(to: Point(60, 30))
    _ = rasteriser.add(path, scale: scale, to: &mask)
    #expect((0..<64).allSatisfy { y in (0..<64).allSatisfy { mask[$0, y] == 0 } })
  }

  @Test func `a bow-tie is inked on both sides`() {
    var path = Path()
    path.move(to: Point(10, 10))
    path.line(to: Point(50, 40))
    path.line(to: Point(50, 10))
    path.line(to: Point(10, 40))
    var mask = Coverage(width: 64, height: 64)
    var reference = ReferenceFill(width: 64, height: 64)
    var rasteriser = Rasteriser()
    _ = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
    reference.add(path, scale: Scale(x: 1, y: 1))
    #expect(mask[15, 25] == 255)
    #expect(mask[45, 25] == 255)
    // Only the pixels at the crossing, where both sides meet, may be too light.
    #expect(compare(mask, reference).mean <= 0.5)
  }
}
