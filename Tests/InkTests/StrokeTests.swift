import Ink
import Testing

@Suite struct StrokeTests {
  private func sample(_ time: Int64, _ x: Float, _ y: Float) -> Sample {
    Sample(time: time, position: Point(x, y))
  }

  @Test func `a stroke is as long as the lines between its samples, without its gaps`() {
    #expect(Stroke([sample(100, 10, 10), sample(200, 13, 14)]).length == 5)
    let interrupted = Stroke(
      [sample(900, 40, 10), sample(950, 40, 20), sample(960, 50, 20)], gaps: [2])
    #expect(interrupted.length == 10)
    #expect(Stroke([sample(0, 5, 5)]).length == 0 && Stroke([]).length == 0)
  }

  @Test func `a stroke is turned with the glass by quarters`() {
    let stroke = Stroke([sample(1, 10, 20), sample(2, 30, 20)])
    func turned(_ quarters: Int) -> [Point] {
      stroke.turned(clockwise: quarters, on: Point(100, 80)).samples.map { $0.position }
    }
    #expect(turned(0) == [Point(10, 20), Point(30, 20)])
    #expect(turned(1) == [Point(60, 10), Point(60, 30)])
    #expect(turned(2) == [Point(90, 60), Point(70, 60)])
    #expect(turned(-1) == [Point(20, 90), Point(20, 70)] && turned(3) == turned(-1))
  }

  @Test func `samples without a position subtract nothing from the length`() {
    let good = [sample(0, 0, 0), sample(1, 3, 4), sample(2, 3, 14)]
    for bad in [Point(.nan, 0), Point(0, .infinity), Point(1e30, 0)] {
      for index in 0...3 {
        var samples = good
        samples.insert(Sample(time: 1, position: bad), at: index)
        let length = Stroke(samples).length
        // A distance that overflows is skipped on both sides of the position.
        #expect(bad.x == 1e30 ? length >= 5 || index == 1 : length == 15, "\(bad) \(index)")
      }
    }
    // A gap counts even if the sample after it has no position.
    let lost = Stroke([good[0], Sample(time: 1, position: Point(.nan, 0)), good[1]], gaps: [1])
    #expect(lost.length == 0)
    #expect(Stroke([sample(0, 1e38, 1), sample(0, -1e38, 1)]).length == 0)
  }
}
