import AllocationCount
import Ink
import RasterFixtures
import SyntheticHand
import Testing

@testable import Raster

@Suite struct InkPlanesTests {
  let scale = Scale(x: 1, y: 1)

  @Test func `a pixel is covered by the area that lies in it`() {
    var planes = InkPlanes(width: 100, height: 80)
    let rect = planes.addFinalised(box(10.25, 20.5, 40, 50), scale: scale)
    #expect(rect == PixelRect(10, 20, 41, 51))
    #expect(planes[9, 30] == 0)
    #expect(planes[10, 30] == 191)
    #expect(planes[11, 20] == 128)
    #expect(planes[10, 20] == 96)
    #expect(planes[39, 49] == 255)
    #expect(planes[40, 49] == 0)
  }

  @Test func `a shared edge closes without a seam`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.addFinalised(box(10, 10, 30.3, 30), scale: scale)
    _ = planes.addFinalised(box(30.3, 10, 60, 30), scale: scale)
    #expect(planes[30, 20] == 255)
  }

  @Test func `a new stroke lies over an earlier one`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.addFinalised(box(10, 10, 20.5, 30), scale: scale)
    planes.endStroke()
    _ = planes.addFinalised(box(10, 10, 20.5, 30), scale: scale)
    #expect(planes[20, 20] == 192)
    #expect(planes[19, 20] == 255)
  }

  @Test func `a picture lies over earlier ink, and its pixels beyond the pad are dropped`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.addFinalised(box(0, 0, 10, 79.5), scale: scale)
    let picture: [UInt8] = [1, 2, 128, 255, 5, 6]
    let rect = planes.addPicture(picture.span, in: PixelRect(-1, 78, 1, 81))
    #expect(rect == PixelRect(0, 78, 1, 80))
    // Of the first and second row, the pixels beyond the left edge are dropped.
    #expect(planes[0, 78] == 255 && planes[0, 79] == 255 && planes[1, 79] == 128)
    #expect(
      planes.addPicture([UInt8](repeating: 9, count: 4).span, in: PixelRect(50, 50, 52, 52))
        == PixelRect(50, 50, 52, 52))
    #expect(planes[51, 51] == 9 && planes[52, 51] == 0)
  }

  @Test func `removing the tail leaves no trace`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.addFinalised(box(10, 10, 20.5, 30), scale: scale)
    planes.endStroke()
    let whole = PixelRect(width: 100, height: 80)
    let before = planes.coverage(of: whole)
    let tail = planes.addTail(box(15.5, 15, 70, 20.25), scale: scale)
    #expect(planes.coverage(of: whole) != before)
    #expect(planes.clearTail() == tail)
    #expect(planes.coverage(of: whole) == before)
  }

  @Test func `clearing leaves an empty pad`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.addFinalised(box(-10, 10, 20.5, 300), scale: scale)
    #expect(planes.clear() == PixelRect(0, 9, 21, 80))
    #expect(planes.coverage(of: PixelRect(width: 100, height: 80)).allSatisfy { $0 == 0 })
    #expect(planes.bounds.isEmpty)
  }

  @Test func `wiped ink uses no memory after its release`() {
    var planes = InkPlanes(width: 6400, height: 3840)
    let size = 400 * 120 * InkTiles.tileSize
    let clean = held_pages(planes.tiles.bytes, size)
    _ = planes.addFinalised(box(0, 0, 800, 480), scale: scale)
    #expect(held_pages(planes.tiles.bytes, size) > clean + 250)
    planes.releaseMemory()
    #expect(planes[400, 240] == 255)
    planes.clear()
    planes.releaseMemory()
    #expect(held_pages(planes.tiles.bytes, size) == clean)
    _ = planes.addFinalised(box(10, 10, 20.5, 30), scale: scale)
    #expect(planes[20, 20] == 128)
    #expect(planes.coverage(of: PixelRect(30, 0, 800, 480)).allSatisfy { $0 == 0 })
  }

  @Test(.enabled(if: allocation_is_counted(), "a sanitizer has an allocator of its own"))
  func `ink uses no memory that was freed before`() {
    // Once a block was freed, glibc keeps smaller ones by default.
    for sizes in [[31], [20, 20, 20]] {
      let blocks = sizes.map {
        UnsafeMutableRawBufferPointer.allocate(byteCount: $0 << 20, alignment: 16)
      }
      for block in blocks { block.initializeMemory(as: UInt8.self, repeating: 1) }
      for block in blocks { block.deallocate() }
    }
    let planes = InkPlanes(width: 4620, height: 2580)
    let size = planes.tiles.columns * planes.tiles.rows * InkTiles.tileSize
    #expect(held_pages(planes.tiles.bytes, size) == 0)
  }

  @Test(
    arguments: [StrokeModel.Kind.standard, .uberSignature], 1...12 as ClosedRange<UInt64>)
  func `a whole stroke is the union of its outlines`(kind: StrokeModel.Kind, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let scale = Scale(dpi: 163)
    var planes = InkPlanes(width: 300, height: 300)
    var reference = ReferenceFill(width: 300, height: 300)
    let stroke = random.stroke(samples: 40, from: Point(23, 23))
    for segment in StrokeModel.segments(of: stroke, by: kind) {
      var path = Path()
      StrokeModel.outline(of: segment, by: kind, into: &path)
      _ = planes.addFinalised(path, scale: scale)
      reference.add(path, scale: scale)
    }
    let expected = reference.coverage()
    let drawn = planes.coverage(of: PixelRect(width: 300, height: 300))
    var sum = 0.0
    var count = 0.0
    var lighter = 0.0
    for (is_, should) in zip(drawn, expected) where is_ > 0 || should > 0 {
      sum += abs(Double(is_) - should)
      lighter = max(lighter, should - Double(is_))
      count += 1
    }
    #expect(sum / count <= 1, "seed \(seed)")
    #expect(lighter <= 4, "seed \(seed)")
  }

  @Test(arguments: StrokeModel.Kind.allCases, 1...12 as ClosedRange<UInt64>)
  func `no seam shows along a joint`(kind: StrokeModel.Kind, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let scale = Scale(dpi: 163)
    var planes = InkPlanes(width: 300, height: 300)
    var reference = ReferenceFill(width: 300, height: 300)
    let segments = StrokeModel.segments(
      of: random.stroke(samples: 40, from: Point(23, 23)), by: kind)
    for segment in segments {
      var path = Path()
      StrokeModel.outline(of: segment, by: kind, into: &path)
      _ = planes.addFinalised(path, scale: scale)
      reference.add(path, scale: scale)
    }
    let expected = reference.coverage()
    var (scanned, worst) = (0, 0.0)
    for segment in segments.dropLast() where segment.shape != .dot {
      // Across the joint, and half a pixel to either side of it.
      let control =
        switch segment.shape {
        case .dot, .line: segment.p0
        case .quad: segment.p1
        case .cubic: segment.p2
        }
      let along = segment.p3.position - control.position
      guard along.length > 0 else { continue }
      let ahead = along / along.length
      for across in stride(from: Float(-0.5), through: 0.5, by: 0.02) {
        for beside in [-0.5, 0, 0.5] as [Float] {
          let place =
            (segment.p3.position + ahead.normal * (segment.p3.weight * across)) * scale.x
            + ahead * beside
          let (x, y) = (Int(place.x), Int(place.y))
          guard x >= 0, y >= 0, x < 300, y < 300 else { continue }
          worst = max(worst, expected[y * 300 + x] - Double(planes[x, y]))
          scanned += 1
        }
      }
    }
    #expect(worst <= 2, "seed \(seed)")
    #expect(scanned > 500)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `no tail leaves a trace, and no stroke changes when it ends`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let scale = Scale(x: 1, y: 1)
    let whole = PixelRect(width: 150, height: 90)
    var planes = InkPlanes(width: 150, height: 90)
    // Never has a tail.
    var plain = InkPlanes(width: 150, height: 90)
    for _ in 0..<60 {
      let a = random.point(-10...160, -10...100)
      let b = a + random.point(1...30, 1...30)
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        planes.clearTail()
        let settled = planes.coverage(of: whole)
        planes.endStroke()
        plain.endStroke()
        #expect(planes.coverage(of: whole) == settled)
      case 1...3:
        let changed = planes.addFinalised(box(a.x, a.y, b.x, b.y), scale: scale)
        #expect(changed == plain.addFinalised(box(a.x, a.y, b.x, b.y), scale: scale))
      default:
        let before = planes.coverage(of: whole)
        let rect = planes.addTail(box(a.x, a.y, b.x, b.y), scale: scale)
        let after = planes.coverage(of: whole)
        #expect(
          after == replacing(rect, of: before, by: after), "seed \(seed): outside of \(rect)")
        if Bool.random(using: &random) {
          planes.clearTail()
          #expect(planes.coverage(of: whole) == plain.coverage(of: whole), "seed \(seed)")
        }
      }
    }
    planes.clearTail()
    #expect(planes.coverage(of: whole) == plain.coverage(of: whole), "seed \(seed)")
    #expect(planes.bounds == plain.bounds)
  }

  /// Pictures of 150 columns: `before`, and within a rectangle `after`.
  private func replacing(
    _ rect: PixelRect, of before: [UInt8], by after: [UInt8]
  ) -> [UInt8] {
    var result = before
    for y in Int(rect.y0)..<Int(rect.y1) {
      let row = y * 150 + Int(rect.x0)..<y * 150 + Int(rect.x1)
      result.replaceSubrange(row, with: after[row])
    }
    return result
  }

  @Test func `ink of any two layers combines as documented`() {
    var wrong: [SIMD2<Int>] = []
    for below in 0...255 {
      var a = SIMD16<UInt8>()
      for group in stride(from: 0, to: 256, by: 16) {
        var b = SIMD16<UInt8>()
        for lane in 0..<16 {
          a[lane] = UInt8(below)
          b[lane] = UInt8(group + lane)
        }
        let over = a.over(b)
        let sum = a.addingSaturated(b)
        for lane in 0..<16 {
          let other = group + lane
          let exact = Double(below + other) - Double(below * other) / 255
          if Int(over[lane]) != Int(exact.rounded()) || Int(sum[lane]) != min(below + other, 255) {
            wrong.append(SIMD2(below, other))
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(9))")
  }

  @Test func `only the tiles that ink reaches are touched`() {
    var planes = InkPlanes(width: 3840, height: 2160)
    _ = planes.addFinalised(box(100, 100, 110, 110), scale: scale)
    _ = planes.addTail(box(2000, 1000, 2040, 1010), scale: scale)
    let touched = (0..<planes.tiles.columns * planes.tiles.rows)
      .filter { !planes.tiles.view.states[$0].isEmpty }
    // 100…110 lies in one tile; 2000…2040 in three columns and 1000…1010 in one row.
    #expect(touched.count == 1 + 3)
  }

  @Test func `after very many strokes old ink is still old`() {
    var planes = InkPlanes(width: 64, height: 64)
    _ = planes.addFinalised(box(10, 10, 20.5, 30), scale: scale)
    planes.stroke = .max
    planes.endStroke()
    #expect(planes.stroke == 1)
    _ = planes.addFinalised(box(10, 10, 20.5, 30), scale: scale)
    #expect(planes[20, 20] == 192)
  }
}
