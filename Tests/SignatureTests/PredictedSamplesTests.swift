import Ink
import Raster
import Signature
import SyntheticHand
import Testing

/// `DrawingModel.predict`: samples that a browser expects.
@Suite struct PredictedSamplesTests {
  private func drawing() -> DrawingModel {
    DrawingModel(.ductus, width: 300, height: 170, scale: Scale(x: 2, y: 2), capacity: 2000)
  }

  private func strokes() -> [Stroke] {
    SyntheticHand().paraph(at: Point(15, 55), height: 9).prefix(2).map { Stroke($0) }
  }

  @Test func `predicted samples are shown until the next sample and leave nothing`() throws {
    var plain = drawing()
    var ahead = drawing()
    var shown = 0
    for stroke in strokes() {
      for (index, sample) in stroke.samples.enumerated() {
        _ = index == 0 ? plain.begin(sample) : plain.extend(sample)
        _ = index == 0 ? ahead.begin(sample) : ahead.extend(sample)
        #expect(ahead.picture() == plain.picture(), "report \(index)")
        // The hand itself is the best prediction.
        let next = Array(stroke.samples[(index + 1)...].prefix(3))
        let damage = ahead.predict(next)
        let after = ahead.planes.tailBounds
        #expect(next.isEmpty || damage.union(after) == damage)
        let finalised = ahead.planes.finalisedBounds
        let expected = plain.planes.finalisedBounds
        #expect(finalised == expected)
        if ahead.picture() != plain.picture() { shown += 1 }
      }
      _ = plain.end()
      _ = ahead.end()
      #expect(ahead.picture() == plain.picture())
    }
    #expect(shown > 50)
    let (kept, expected) = (ahead.store.strokes(), plain.store.strokes())
    #expect(kept == expected)
  }

  @Test func `ink along predicted samples ends at the last one`() throws {
    var drawing = drawing()
    for (index, sample) in strokes()[0].samples.prefix(20).enumerated() {
      _ = index == 0 ? drawing.begin(sample) : drawing.extend(sample)
    }
    var next = strokes()[0].samples[20]
    next.position = Point(140, 75)
    _ = drawing.predict([next])
    let tail = drawing.planes.tailBounds
    // Two pixels a millimetre, and ink is at most 3 mm wide.
    #expect((280...286).contains(tail.x1) && (150...156).contains(tail.y1))
  }

  @Test func `a prediction without a stroke, or of nothing, changes nothing`() throws {
    var drawing = drawing()
    let samples = strokes()[0].samples
    #expect(drawing.predict(samples) == .empty)
    _ = drawing.begin(samples[0])
    let before = drawing.picture()
    #expect(drawing.predict([]) == .empty)
    #expect(drawing.picture() == before)
    _ = drawing.end()
    #expect(drawing.predict(samples) == .empty)
  }

  @Test func `a prediction of too many or impossible samples is harmless`() throws {
    var drawing = drawing()
    let samples = strokes()[0].samples
    _ = drawing.begin(samples[0])
    let impossible = Sample(time: .min, position: Point(.nan, .infinity), pressure: .nan)
    let far = Sample(time: .max, position: Point(1e30, -1e30))
    _ = drawing.predict(Array(repeating: impossible, count: 100) + [far] + samples + samples)
    _ = drawing.end()
    var plain = self.drawing()
    _ = plain.begin(samples[0])
    _ = plain.end()
    #expect(drawing.picture() == plain.picture())
  }
}
