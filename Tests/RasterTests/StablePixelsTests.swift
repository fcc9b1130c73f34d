import Ink
import SyntheticHand
import Testing

@testable import Raster

/// Pixels to the bit: a change of the rasteriser that is meant to be faster must not change a picture.
@Suite struct StablePixelsTests {
  @Test(arguments: [
    (StrokeModel.Kind.ductus, 0x9a87_0695_09bf_55ed as UInt64),
    (.uberSignature, 0xc8ac_559c_1126_ce37),
  ])
  func `the same strokes have the same pixels in every version`(
    kind: StrokeModel.Kind, expected: UInt64
  ) {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    var rasteriser = Rasteriser()
    var path = Path()
    for seed in 1...10 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      var mask = Coverage(width: 203, height: 131)
      // Whole strokes in one path: their pieces overlap, and some leave the picture.
      for start in [Point(4, 4), Point(14, 12), Point(25, 16)] {
        for segment in StrokeModel.segments(of: random.stroke(samples: 16, from: start), by: kind) {
          StrokeModel.outline(of: segment, by: kind, into: &path)
        }
        _ = rasteriser.add(path, scale: Scale(x: 6.0173, y: 6.25), to: &mask)
        path.removeAll()
      }
      for y in 0..<mask.height {
        for x in 0..<mask.width {
          digest = (digest ^ UInt64(mask[x, y])) &* 0x100_0000_01b3
        }
      }
    }
    #expect(digest == expected)
  }
}
