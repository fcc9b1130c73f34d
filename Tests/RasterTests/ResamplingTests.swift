import Raster
import SyntheticHand
import Testing

@Suite struct ResamplingTests {
  @Test func `the same size changes nothing`() {
    let same = Resampling(source: 7, start: 0, length: 7, target: 7)
    for pixel in 0..<7 {
      #expect(same.support(of: pixel) == pixel...pixel)
      #expect(same.weight(of: pixel, in: pixel) == 1)
    }
  }

  @Test func `fewer pixels are means of what they cover`() {
    let third = Resampling(source: 9, start: 0, length: 9, target: 3)
    #expect(third.support(of: 1) == 3...5)
    #expect((3...5).allSatisfy { abs(third.weight(of: $0, in: 1) - 1 / 3) < 1e-6 })
    let part = Resampling(source: 5, start: 0, length: 5, target: 2)
    #expect(part.support(of: 0) == 0...2)
    #expect((0...2).map { part.weight(of: $0, in: 0) } == [0.4, 0.4, 0.2])
  }

  @Test func `more pixels lie on straight lines between`() {
    let double = Resampling(source: 2, start: 0, length: 2, target: 4)
    let values: [Float] = [0, 100]
    let drawn = (0..<4).map { pixel in
      double.support(of: pixel).reduce(Float(0)) {
        $0 + values[$1] * double.weight(of: $1, in: pixel)
      }
    }
    #expect(drawn == [0, 25, 75, 100])
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `the weights of a pixel add up to 1, and its range grows`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let source = Int.random(in: 1...300, using: &random)
    let target = Int.random(in: 1...300, using: &random)
    let length = Float(source) * Float.random(in: 0.05...1, using: &random)
    let start = (Float(source) - length) * Float.random(in: 0...1, using: &random)
    let map = Resampling(source: source, start: start, length: length, target: target)
    var last = 0...0
    for pixel in 0..<map.count {
      let reach = map.support(of: pixel)
      #expect(reach.lowerBound >= last.lowerBound && reach.upperBound >= last.upperBound)
      #expect(reach.lowerBound >= 0 && reach.upperBound < source, "seed \(seed)")
      let shares = reach.map { map.weight(of: $0, in: pixel) }
      #expect(shares.allSatisfy { $0 >= 0 }, "seed \(seed)")
      #expect(abs(shares.reduce(0, +) - 1) < 1e-3, "seed \(seed), pixel \(pixel)")
      last = reach
    }
  }

  @Test func `a part may be smaller than a pixel`() {
    let part = Resampling(source: 3, start: 1.25, length: 0.5, target: 2)
    #expect((0..<2).allSatisfy { part.support(of: $0).contains(1) })
    #expect((0..<2).allSatisfy { part.weight(of: 1, in: $0) >= 0.75 })
  }
}
