import Ink
import Raster
import Signature
import SyntheticHand
import Testing

@Suite struct RedrawTests {
  static let kinds = StrokeModel.Kind.allCases
  let word = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }

  private func sheet(_ kind: StrokeModel.Kind, _ scale: Float) -> DrawingModel {
    DrawingModel(
      kind, width: Int(150 * scale), height: Int(85 * scale), scale: Scale(x: scale, y: scale),
      capacity: 5000)
  }

  @Test(arguments: kinds) func `another density redraws the strokes without stretching`(
    _ kind: StrokeModel.Kind
  ) {
    var model = sheet(kind, 4)
    for stroke in word { model.draw(stroke) }
    model.redraw(width: 1050, height: 595, scale: Scale(x: 7, y: 7))
    var fresh = sheet(kind, 7)
    for stroke in word { fresh.draw(stroke) }
    #expect(model.picture() == fresh.picture())
    let kept = model.store.strokes()
    #expect(kept == word)
  }

  @Test(arguments: kinds) func `a stroke in progress continues`(_ kind: StrokeModel.Kind) {
    var model = sheet(kind, 4)
    model.draw(word[0])
    let samples = word[1].samples
    for (index, sample) in samples.enumerated() {
      if index == samples.count / 2 {
        model.redraw(width: 900, height: 510, scale: Scale(x: 6, y: 6))
      }
      _ = index == 0 ? model.begin(sample) : model.extend(sample)
    }
    _ = model.end()
    var fresh = sheet(kind, 6)
    fresh.draw(word[0])
    fresh.draw(word[1])
    #expect(model.picture() == fresh.picture())
    let kept = model.store.strokes()
    #expect(kept == Array(word.prefix(2)))
  }

  @Test(arguments: 0..<5) func `four quarter turns are none, and each keeps the ink on the glass`(
    quarters: Int
  ) throws {
    let glass = Point(150, 85)
    let turned = word.map { $0.turned(clockwise: quarters, on: glass) }
    let size = quarters & 1 == 0 ? glass : Point(glass.y, glass.x)
    for sample in turned.flatMap(\.samples) {
      #expect(sample.position.x >= 0 && sample.position.x <= size.x)
      #expect(sample.position.y >= 0 && sample.position.y <= size.y)
    }
    let back = turned.map { $0.turned(clockwise: -quarters, on: size) }
    for (a, b) in zip(back.flatMap(\.samples), word.flatMap(\.samples)) {
      #expect((a.position - b.position).length < 1e-4)
    }
    let once = Stroke([Sample(time: 0, position: Point(10, 20))])
    #expect(once.turned(clockwise: 1, on: glass).samples[0].position == Point(65, 10))
  }

  @Test func `a turned sheet shows the turned picture`() throws {
    var model = sheet(.polyline, 4)
    for stroke in word { model.draw(stroke) }
    let upright = model.picture()
    model.redraw(width: 340, height: 600, scale: Scale(x: 4, y: 4)) {
      $0.turned(clockwise: 1, on: Point(150, 85))
    }
    let turned = model.picture()
    var worst = 0
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let there = turned.coverage[x * turned.width + (turned.width - 1 - y)]
        worst = max(worst, abs(Int(there) - Int(upright.coverage[y * upright.width + x])))
      }
    }
    #expect(worst <= 3)
  }

  @Test func `the picture has the tail of a stroke that is being drawn`() {
    var model = sheet(.polyline, 4)
    _ = model.begin(Sample(time: 0, position: Point(10, 10)))
    _ = model.extend(Sample(time: 1, position: Point(20, 10)))
    let ink = model.picture().coverage[40 * 600 + 60]
    #expect(ink > 200)
  }
}
