import Ink
import Signature
import Testing

@Suite struct SignatureMeasureTests {
  private func sample(_ time: Int64, _ x: Float, _ y: Float) -> Sample {
    Sample(time: time, position: Point(x, y))
  }

  @Test func `length, duration and extent of two strokes and a gap`() {
    let strokes = [
      Stroke([sample(100, 10, 10), sample(200, 13, 14)]),
      Stroke([sample(900, 40, 10), sample(950, 40, 20), sample(960, 50, 20)], gaps: [2]),
    ]
    let measure = SignatureMeasure(of: strokes)
    #expect(measure.strokes == 2 && measure.samples == 5)
    #expect(measure.length == 15)
    #expect(measure.duration == 860)
    #expect(measure.extent == Point(40, 10))
  }

  @Test func `a dot is no signature, however small the minimum is`() {
    let dot = SignatureMeasure(of: [Stroke([sample(0, 5, 5)])])
    #expect(dot.length == 0 && dot.extent == .zero && dot.duration == 0)
    #expect(!dot.reaches(.init(length: 0.1)))
    #expect(dot.reaches(.init(length: 0)))
    #expect(!SignatureMeasure(of: []).reaches(.init(length: 0)))
  }

  @Test func `each of the minima counts`() {
    let strokes = [Stroke([sample(0, 0, 0), sample(1000, 30, 0)])]
    let measure = SignatureMeasure(of: strokes)
    #expect(measure.reaches(.init(length: 30, strokes: 1, duration: 1000, extent: 30)))
    #expect(!measure.reaches(.init(length: 31)))
    #expect(!measure.reaches(.init(length: 0, strokes: 2)))
    #expect(!measure.reaches(.init(length: 0, duration: 1001)))
    #expect(!measure.reaches(.init(length: 0, extent: 30.5)))
  }

  @Test func `samples without a place take nothing from the length`() {
    let good = [sample(0, 0, 0), sample(1, 3, 4), sample(2, 3, 14)]
    for bad in [Point(.nan, 0), Point(0, .infinity), Point(1e30, 0)] {
      for index in 0...3 {
        var samples = good
        samples.insert(Sample(time: 1, position: bad), at: index)
        let length = SignatureMeasure(of: [Stroke(samples)]).length
        // A way that is too long for any arithmetic is left out on both sides of the place.
        #expect(bad.x == 1e30 ? length >= 5 || index == 1 : length == 15, "\(bad) \(index)")
      }
    }
    // A gap is one, also where the sample after it has no place.
    let lost = Stroke([good[0], Sample(time: 1, position: Point(.nan, 0)), good[1]], gaps: [1])
    #expect(SignatureMeasure(of: [lost]).length == 0)
  }

  @Test func `what has no place or no sense is left out`() {
    let wild = [
      Stroke([sample(0, .nan, 0)]), Stroke([sample(.min, 1, 1), sample(.max, 1, 4)]),
      Stroke([sample(0, 1e38, 1), sample(0, -1e38, 1)]),
    ]
    let measure = SignatureMeasure(of: wild)
    #expect(measure.strokes == 2 && measure.samples == 4)
    #expect(measure.length == 3)
    #expect(measure.duration == .max)
  }
}
