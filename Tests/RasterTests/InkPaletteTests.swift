import SyntheticHand
import Testing

@testable import Raster

@Suite struct InkPaletteTests {
  func blended(_ below: UInt32, _ above: UInt32, _ coverage: Int) -> UInt32 {
    var pixel: UInt32 = 0xFF00_0000
    for shift in [0, 8, 16] as [UInt32] {
      let a = Double(below >> shift & 255)
      let b = Double(above >> shift & 255)
      let share = Double(coverage) / 255
      pixel |= UInt32((a * (1 - share) + b * share).rounded()) << shift
    }
    return pixel
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `ink covers any ground in proportion, each channel rounded`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let ground = UInt32.random(in: 0...0xFFFFFF, using: &random) | 0xFF00_0000
    let ink = UInt32.random(in: 0...0xFFFFFF, using: &random) | 0xFF00_0000
    let palette = InkPalette(ground: ground, ink: ink)
    for group in stride(from: 0, to: 256, by: 16) {
      var coverage = SIMD16<UInt8>()
      for lane in 0..<16 { coverage[lane] = UInt8(group + lane) }
      let plain = palette.pixels(coverage)
      let picture = palette.pixels(coverage, over: SIMD16(repeating: ground))
      for lane in 0..<16 {
        let expected = blended(ground, ink, group + lane)
        #expect(plain[lane] == expected, "seed \(seed)")
        #expect(picture[lane] == expected, "seed \(seed)")
      }
    }
  }
}
