import Ink
import Raster
import Signature
import SyntheticHand
import Testing

@Suite struct InkPictureTests {
  let strokes = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }
  let scale = Scale(x: 4, y: 4)

  @Test func `at the panel's scale, the picture equals the panel's`() throws {
    var drawing = DrawingModel(.uberSignature, width: 600, height: 340, scale: scale)
    for stroke in strokes { drawing.draw(stroke) }
    let picture = try InkPicture(
      of: strokes, by: .uberSignature, scale: scale, frame: .glass(Point(150, 85)))
    let shown = drawing.planes.coverage(of: PixelRect(width: 600, height: 340))
    #expect(picture.coverage == shown)
  }

  @Test(arguments: [
    Scale(x: 4, y: 4), Scale(x: 6.0173, y: 6.0173), Scale(x: 5.0907, y: 3.3331),
  ]) func `at any density, the picture equals that of a panel of this density`(scale: Scale) throws
  {
    for kind in StrokeModel.Kind.allCases {
      let glass = Point(150, 85)
      let picture = try InkPicture(of: strokes, by: kind, scale: scale, frame: .glass(glass))
      var drawing = DrawingModel(kind, width: picture.width, height: picture.height, scale: scale)
      for stroke in strokes { drawing.draw(stroke) }
      #expect(picture == drawing.picture(), "\(kind)")
    }
  }

  @Test func `a glass has the pixels of the panel that its size was made of`() throws {
    let tap = [Stroke([Sample(time: 0, position: Point(1, 1))])]
    for (width, millimetres) in [(800, 149), (800, 154), (1280, 217), (1024, 222), (4096, 941)] {
      for pixels in width - 8...width + 8 {
        let scale = Scale(x: Float(pixels) / Float(millimetres), y: 0.5)
        let glass = Point(Float(pixels) / scale.x, 10)
        let picture = try InkPicture(of: tap, by: .polyline, scale: scale, frame: .glass(glass))
        #expect(picture.width == pixels && picture.height == 5)
      }
    }
    // What is more than the error of the arithmetic is a pixel.
    let more = try InkPicture(
      of: tap, by: .polyline, scale: Scale(x: 1, y: 1), frame: .glass(Point(100.001, 10)))
    #expect(more.width == 101)
  }

  @Test func `trimmed, it has all the ink and the margin around it`() throws {
    let whole = try InkPicture(
      of: strokes, by: .uberSignature, scale: scale, frame: .glass(Point(150, 85)))
    let trimmed = try InkPicture(
      of: strokes, by: .uberSignature, scale: scale, frame: .ink(margin: 2))
    func ink(_ picture: InkPicture) -> Int { picture.coverage.reduce(0) { $0 + Int($1) } }
    #expect(ink(whole) == ink(trimmed))
    let border = (0..<8).flatMap { row in
      trimmed.coverage[row * trimmed.width..<(row + 1) * trimmed.width]
    }
    #expect(border.allSatisfy { $0 == 0 })
    #expect(trimmed.coverage[8 * trimmed.width..<10 * trimmed.width].contains { $0 > 0 })
    var (wrong, looked) = (0, 0)
    for y in 0..<trimmed.height where y + trimmed.top < 340 {
      for x in 0..<trimmed.width where x + trimmed.left < 600 {
        let there = whole.coverage[(y + trimmed.top) * 600 + x + trimmed.left]
        if trimmed.coverage[y * trimmed.width + x] != there { wrong += 1 }
        looked += 1
      }
    }
    #expect(wrong == 0 && looked > 1000)
  }

  @Test func `the margin is as wide in both directions where pixels are not square`() throws {
    let picture = try InkPicture(
      of: strokes, by: .polyline, scale: Scale(x: 4, y: 9), frame: .ink(margin: 2))
    let inked = picture.coverage.indices.filter { picture.coverage[$0] > 0 }
    let columns = inked.map { $0 % picture.width }
    let (first, last) = (inked.first ?? 0, inked.last ?? 0)
    #expect(columns.min() == 8 && columns.max() == picture.width - 9)
    #expect(first / picture.width == 18 && last / picture.width == picture.height - 19)
  }

  @Test func `empty and too large pictures are refused`() {
    #expect(throws: InkPicture.Refusal.noInk) {
      _ = try InkPicture(of: [], by: .polyline, scale: scale, frame: .ink(margin: 2))
    }
    let far = Stroke([
      Sample(time: 0, position: Point(-1e30, 0)), Sample(time: 1, position: Point(1e30, 5)),
    ])
    #expect(throws: InkPicture.Refusal.tooLarge) {
      _ = try InkPicture(of: [far], by: .polyline, scale: scale, frame: .ink(margin: 2))
    }
  }

  /// More of them than a pad has room for.
  private static let many = StrokeStore.strokeCapacity + 100

  @Test(arguments: [false, true])
  func `a picture has all strokes, and all that follows gaps`(gaps: Bool) throws {
    let samples = (0..<Self.many).map { (number: Int) -> Sample in
      let position = Point(5 + Float(number % 140), 5 + Float(number / 140))
      return Sample(time: Int64(number) * 1_000_000, position: position)
    }
    let strokes =
      gaps ? [Stroke(samples, gaps: Array(1..<Self.many))] : samples.map { Stroke([$0]) }
    let picture = try InkPicture(
      of: strokes, by: .polyline, scale: scale, frame: .glass(Point(150, 85)))
    for sample in samples {
      let place = sample.position * 4
      #expect(picture.coverage[Int(place.y) * 600 + Int(place.x)] > 0, "\(sample.time)")
    }
  }

  @Test func `gaps and a ground are drawn as the panel showed them`() throws {
    var gapped = strokes
    gapped[0].gaps = [7, 30]
    let ground = try InkPicture(
      of: [strokes[1]], by: .polyline, scale: scale, frame: .ink(margin: 1))
    for kind in StrokeModel.Kind.allCases {
      var drawing = DrawingModel(kind, width: 600, height: 340, scale: scale)
      _ = drawing.start(on: ground)
      for stroke in gapped { drawing.draw(stroke) }
      let picture = try InkPicture(
        of: gapped, by: kind, scale: scale, frame: .glass(Point(150, 85)), on: ground)
      #expect(picture == drawing.picture(), "\(kind)")
    }
  }

  @Test func `another density may give exactly as many pixels as the limit`() throws {
    let small = try #require(
      InkPicture(
        coverage: [1, 2, 3, 4], width: 2, height: 2, scale: Scale(x: 1, y: 1)))
    // Beside the picture, a pixel at each side counts.
    let large = try small.resampled(to: Scale(x: 2048, y: 2048))
    #expect(large.width == 4096 && large.height == 4096)
    #expect(throws: InkPicture.Refusal.tooLarge) {
      try small.resampled(to: Scale(x: 2048, y: 2049))
    }
  }

  @Test func `sizes that overflow are refused`() {
    let tap = Stroke([Sample(time: 0, position: Point(1e-11, 1e-11))])
    let hair = WidthLaw(narrowest: 1e-10, widest: 1e-10)
    for margin in [2, 1e-4, 1e30, .infinity, .nan] as [Float] {
      #expect(throws: InkPicture.Refusal.tooLarge, "\(margin)") {
        _ = try InkPicture(
          of: [tap], by: .ductus, law: hair, scale: Scale(x: 1e12, y: 1e12),
          frame: .ink(margin: margin))
      }
    }
    // Of more pixels than a machine of 32 bits counts.
    for size in [
      Point(50_000, 50_000), Point(16e6, 16e6), Point(.nan, 5), Point(5, .nan),
      // A Float holds no odd pixel beyond.
      Point(16_777_216, 1),
    ] {
      #expect(throws: InkPicture.Refusal.tooLarge, "\(size)") {
        _ = try InkPicture(
          of: strokes, by: .ductus, scale: Scale(x: 1, y: 1), frame: .glass(size))
      }
    }
    #expect(throws: InkPicture.Refusal.tooLarge) {
      _ = try InkPicture(of: strokes, by: .ductus, scale: scale, frame: .ink(margin: 1e6))
    }
  }
}
