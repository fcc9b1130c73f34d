import SyntheticHand
import Testing

@testable import Raster

@Suite struct BandTests {
  let band = Band(origin: .zero, right: 90, rows: 50)

  func parts(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> [(SIMD2<Float>, SIMD2<Float>)] {
    var parts: [(SIMD2<Float>, SIMD2<Float>)] = []
    band.clip(a, b) { parts.append(($0, $1)) }
    return parts
  }

  @Test func `an edge inside stays as it is`() {
    let parts = parts(SIMD2(10, 10), SIMD2(20, 40))
    #expect(parts.reduce(0) { $0 + $1.1.y - $1.0.y } == 30)
    #expect(parts.first?.0 == SIMD2(10, 10))
    #expect(parts.last?.1 == SIMD2(20, 40))
  }

  @Test func `an edge on the left acts along the left border`() {
    for part in parts(SIMD2(-500, 10), SIMD2(-10, 40)) {
      #expect(part.0.x == 1 && part.1.x == 1)
    }
  }

  @Test func `an edge on the right has no effect`() {
    #expect(parts(SIMD2(100, 10), SIMD2(95, 40)).isEmpty)
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `parts follow one another, inside the band, as high as the edge`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let a = random.point(-200...300, -100...150)
    let b = random.point(-200...1e6, -100...1e6)
    let parts = parts(a, b)
    for (index, part) in parts.enumerated() {
      for point in [part.0, part.1] {
        #expect(point.x >= 1 && point.x <= 90 && point.y >= 0 && point.y <= 50, "seed \(seed)")
      }
      if index > 0 { #expect(parts[index - 1].1.y == part.0.y, "seed \(seed)") }
    }
  }
}
