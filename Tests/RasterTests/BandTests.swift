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
    let parts = parts(SIMD2(-500, 10), SIMD2(-10, 40))
    #expect(parts.reduce(0) { $0 + $1.1.y - $1.0.y } == 30)
    #expect(parts.allSatisfy { $0.0.x == 1 && $0.1.x == 1 })
  }

  @Test func `an edge on the right has no effect`() {
    #expect(parts(SIMD2(100, 10), SIMD2(95, 40)).isEmpty)
  }

  /// How far down an edge goes left of the right border and within the rows.
  func height(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Double {
    let ((x0, y0), (x1, y1)) = ((Double(a.x), Double(a.y)), (Double(b.x), Double(b.y)))
    // The part of the way where a coordinate is below a limit.
    func below(_ from: Double, _ to: Double, _ limit: Double) -> (Double, Double) {
      let at = min(max((limit - from) / (to - from), 0), 1)
      return from < to ? (0, at) : (at, 1)
    }
    let parts = [below(x0, x1, 90), below(y0, y1, 50), below(-y0, -y1, 0)]
    let (from, to) = (parts.map(\.0).max() ?? 0, parts.map(\.1).min() ?? 0)
    return max(0, to - from) * (y1 - y0)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `parts follow one another, inside the band, as high as the edge`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let a = random.point(-200...300, -100...150)
    let far: Float = seed % 2 == 0 ? 300 : 1e6
    let b = random.point(-200...far, -100...far)
    let parts = parts(a, b)
    for (index, part) in parts.enumerated() {
      for point in [part.0, part.1] {
        #expect(point.x >= 1 && point.x <= 90 && point.y >= 0 && point.y <= 50, "seed \(seed)")
      }
      if index > 0 { #expect(parts[index - 1].1.y == part.0.y, "seed \(seed)") }
    }
    let sum = parts.reduce(0) { $0 + Double($1.1.y) - Double($1.0.y) }
    #expect(abs(sum - height(a, b)) < 1e-3, "seed \(seed)")
  }
}
