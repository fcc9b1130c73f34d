import Ink
import Raster
import Signature
import SyntheticHand
import Testing

@Suite struct DrawingModelTests {
  static let kinds = StrokeModel.Kind.allCases

  func model(_ kind: StrokeModel.Kind, capacity: Int = 2000) -> DrawingModel {
    DrawingModel(kind, width: 600, height: 340, scale: Scale(x: 4, y: 4), capacity: capacity)
  }

  func word() -> [Stroke] {
    SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }
  }

  func picture(_ model: borrowing DrawingModel) -> [UInt32] {
    var canvas = Canvas(width: 600, height: 340)
    canvas.compose(canvas.rect, ink: model.planes)
    return canvas.pixels
  }

  @Test(arguments: kinds) func `ink reaches the last sample on every report`(
    _ kind: StrokeModel.Kind
  ) throws {
    // uberSignature drops a touch within 2 pt of the one before: there is ink within as much.
    let reach = kind == .uberSignature ? Int((2 * 25.4 / 163 * 4).rounded(.up)) : 0
    for stroke in word() {
      var model = model(kind)
      for (index, sample) in stroke.samples.enumerated() {
        let damage = index == 0 ? model.begin(sample) : model.extend(sample)
        #expect(damage != nil)
        let (x, y) = (Int(sample.position.x * 4), Int(sample.position.y * 4))
        let isInked = (y - reach...y + reach).contains { y in
          (x - reach...x + reach).contains { x in model.planes[x, y] > 0 }
        }
        #expect(isInked, "report \(index)")
      }
    }
  }

  @Test(arguments: kinds) func `nothing changes outside the damage`(_ kind: StrokeModel.Kind) throws
  {
    var model = model(kind)
    var before = picture(model)
    for stroke in word().prefix(2) {
      for (index, sample) in stroke.samples.enumerated() where index < 40 {
        let damage = try #require(index == 0 ? model.begin(sample) : model.extend(sample))
        let after = picture(model)
        // Where it was damaged it may be anything.
        for y in Int(damage.y0)..<Int(damage.y1) {
          let row = y * 600 + Int(damage.x0)..<y * 600 + Int(damage.x1)
          before.replaceSubrange(row, with: after[row])
        }
        #expect(after == before, "report \(index)")
      }
    }
  }

  @Test(arguments: kinds) func `undo restores the state before the last stroke`(
    _ kind: StrokeModel.Kind
  ) {
    var model = model(kind)
    let strokes = word()
    model.draw(strokes[0])
    model.draw(strokes[1])
    let before = picture(model)
    model.draw(strokes[2])
    #expect(picture(model) != before)
    _ = model.undo()
    #expect(picture(model) == before)
    let kept = model.store.strokes()
    #expect(kept == Array(strokes.prefix(2)))
  }

  @Test(arguments: kinds) func `a wiped sheet equals a new one`(_ kind: StrokeModel.Kind) {
    var model = model(kind)
    let clean = picture(model)
    for stroke in word() { model.draw(stroke) }
    _ = model.wipe()
    #expect(picture(model) == clean)
    let isEmpty = model.isEmpty
    #expect(isEmpty)
  }

  @Test func `ink is not bent across a gap`() throws {
    var model = model(.polyline)
    _ = model.begin(Sample(time: 0, position: Point(10, 10)))
    _ = model.extend(Sample(time: 1, position: Point(20, 10)))
    _ = model.resume(afterGap: Sample(time: 2, position: Point(60, 10)))
    _ = model.extend(Sample(time: 3, position: Point(70, 10)))
    _ = model.end()
    let pixels = picture(model)
    #expect(pixels[40 * 600 + 160] == 0xFFFF_FFFF)
    #expect(pixels[40 * 600 + 260] != 0xFFFF_FFFF)
    let stroke = model.store.stroke(0)
    #expect(stroke.gaps == [2])
    var again = self.model(.polyline)
    again.draw(stroke)
    #expect(picture(again) == pixels)
  }

  @Test func `a full store refuses the sample and keeps the ink`() {
    var model = model(.uberSignature, capacity: 3)
    let sample = Sample(time: 0, position: Point(10, 10))
    var accepted = [model.begin(sample) != nil]
    for _ in 0..<3 { accepted.append(model.extend(sample) != nil) }
    _ = model.end()
    accepted.append(model.begin(sample) != nil)
    let count = model.store.sampleCount
    #expect(accepted == [true, true, true, false, false])
    #expect(count == 3)
  }

  @Test func `a full list of gaps ends the stroke and keeps it`() {
    var model = self.model(.polyline, capacity: 10_000)
    _ = model.begin(Sample(time: 0, position: Point(1, 1)))
    var taken = 0
    for index in 1...5000 {
      let place = Point(Float(index % 140) + 1, 5)
      if model.resume(afterGap: Sample(time: Int64(index), position: place)) == nil { break }
      taken += 1
    }
    #expect(taken == StrokeStore.strokeCapacity)
    _ = model.end()
    let stroke = model.store.stroke(0)
    #expect(stroke.samples.count == taken + 1 && stroke.gaps == Array(1...taken))
  }

  @Test func `the search for gaps does not restart for each sample`() {
    let samples = (0..<1500).map { Sample(time: Int64($0), position: Point(1, 1)) }
    let plain = Stroke(samples)
    // Beyond the samples, so that the ink is the same.
    let gaps = Array(samples.count..<300_000)
    let gapped = Stroke(samples, gaps: gaps)
    func time(_ stroke: Stroke) -> (draw: Double, ink: Double) {
      let draw = processorTime {
        var model = self.model(.polyline)
        model.draw(stroke)
      }
      return (draw, processorTime { stroke.finalisedInk(by: .polyline) { _, _ in } })
    }
    let (alone, both) = (time(plain), time(gapped))
    // All gaps are gone through once. By looking for each sample in them it would be 1500 times.
    let once = processorTime { _ = GapCursor(gaps) }
    #expect(both.draw < 4 * (alone.draw + once))
    #expect(both.ink < 4 * (alone.ink + once))
  }

  @Test(arguments: [Float.nan, .infinity, 1e20, -1e20, 3e9])
  func `an offset of any size has a picture, with ink and a ground or without`(offset: Float) {
    var model = DrawingModel(
      .polyline, width: 20, height: 10, scale: Scale(x: 1, y: 1), offset: SIMD2(offset, -offset),
      capacity: 10)
    _ = model.begin(Sample(time: 0, position: Point(5, 5)))
    let ground = model.picture()
    #expect(ground.coverage.allSatisfy { $0 == 0 })
    _ = model.start(on: ground)
    #expect(model.picture().width == 20)
  }

  private func predicting(_ prediction: Int64, capacity: Int = 2000) -> DrawingModel {
    DrawingModel(
      .ductus, width: 300, height: 170, scale: Scale(x: 2, y: 2), prediction: prediction,
      capacity: capacity)
  }

  /// Draws a sample, the tenth as if events had been lost before it.
  private func draw(_ index: Int, _ sample: Sample, _ model: inout DrawingModel) -> PixelRect? {
    index == 0
      ? model.begin(sample) : index == 9 ? model.resume(afterGap: sample) : model.extend(sample)
  }

  @Test func `predicted ink is in the tail alone`() throws {
    var plain = predicting(0)
    var ahead = predicting(16_000_000)
    var predicted = 0
    for stroke in word().prefix(3) {
      for (index, sample) in stroke.samples.prefix(60).enumerated() {
        _ = draw(index, sample, &plain)
        let damage = try #require(draw(index, sample, &ahead))
        let (settled, expected) = (ahead.planes.finalisedBounds, plain.planes.finalisedBounds)
        #expect(settled == expected)
        let (tail, tails) = (
          ahead.planes.tailBounds, ahead.planes.tailBounds.union(plain.planes.tailBounds)
        )
        #expect(damage.union(tail) == damage)
        let (a, b) = (ahead.picture().coverage, plain.picture().coverage)
        if a != b { predicted += 1 }
        var merged = a
        for y in Int(tails.y0)..<Int(tails.y1) {
          let row = y * 300 + Int(tails.x0)..<y * 300 + Int(tails.x1)
          merged.replaceSubrange(row, with: b[row])
        }
        #expect(merged == b)
      }
      _ = plain.end()
      _ = ahead.end()
      let tail = ahead.planes.tailBounds
      #expect(tail.isEmpty)
      #expect(ahead.picture() == plain.picture())
    }
    #expect(predicted > 50)
  }

  @Test func `a prediction changes no stroke that is kept, nor the picture of them`() throws {
    // So few that the last stroke is cut.
    let capacity = word().reduce(0) { $0 + $1.samples.count } - 5
    var plain = predicting(0, capacity: capacity)
    var ahead = predicting(16_000_000, capacity: capacity)
    for stroke in word() {
      for (index, sample) in stroke.samples.enumerated() {
        _ = draw(index, sample, &plain)
        _ = draw(index, sample, &ahead)
      }
      _ = plain.end()
      _ = ahead.end()
    }
    let (kept, expected) = (ahead.store.strokes(), plain.store.strokes())
    #expect(kept == expected)
    let saved = try InkPicture(
      of: kept, by: .ductus, scale: Scale(x: 2, y: 2), frame: .glass(Point(150, 85)))
    #expect(ahead.picture() == saved && plain.picture() == saved)
    // Nor what is drawn again from them.
    _ = plain.undo()
    _ = ahead.undo()
    plain.redraw(width: 450, height: 255, scale: Scale(x: 3, y: 3))
    ahead.redraw(width: 450, height: 255, scale: Scale(x: 3, y: 3))
    #expect(ahead.picture() == plain.picture())
  }

  @Test(arguments: kinds) func `the damage of a whole stroke holds all its ink`(
    _ kind: StrokeModel.Kind
  ) throws {
    for stroke in word() {
      var model = model(kind)
      let empty = picture(model)
      let damage = model.draw(stroke)
      let drawn = picture(model)
      let outside = drawn.indices.contains { index in
        let (x, y) = (Int32(index % 600), Int32(index / 600))
        let isInside = x >= damage.x0 && x < damage.x1 && y >= damage.y0 && y < damage.y1
        return drawn[index] != empty[index] && !isInside
      }
      #expect(drawn != empty && !outside)
    }
  }
}
