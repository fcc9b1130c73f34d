import Ink
import Raster
import Signature
import SyntheticHand
import Testing

@Suite struct InkPictureTests {
  let strokes = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }
  let scale = Scale(x: 4, y: 4)

  @Test func `at the panel's scale it is what the panel showed`() throws {
    var drawing = DrawingModel(.uberSignature, width: 600, height: 340, scale: scale)
    for stroke in strokes { drawing.draw(stroke) }
    let picture = try InkPicture(
      of: strokes, by: .uberSignature, scale: scale, frame: .glass(Point(150, 85)))
    let shown = drawing.planes.coverage(of: PixelRect(width: 600, height: 340))
    #expect(picture.coverage == shown)
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
    for y in 0..<trimmed.height where y + trimmed.top < 340 {
      for x in 0..<trimmed.width where x + trimmed.left < 600 {
        #expect(
          trimmed.coverage[y * trimmed.width + x]
            == whole.coverage[(y + trimmed.top) * 600 + x + trimmed.left])
      }
    }
  }

  @Test func `nothing and too much are refused`() {
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
}
