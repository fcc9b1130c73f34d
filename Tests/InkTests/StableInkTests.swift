import SyntheticHand
import Testing

@testable import Ink

/// Ink to the bit: signatures are drawn again from their strokes by a later version.
///
/// Whoever changes the ink changes these digests, and says so in the notes of the version.
@Suite struct StableInkTests {
  /// The digest of numbers (FNV-1a, 64 bits).
  private struct Digest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ bits: UInt32) {
      for shift in stride(from: 0, to: 32, by: 8) {
        value = (value ^ UInt64(bits >> UInt32(shift) & 0xff)) &* 0x100_0000_01b3
      }
    }

    mutating func add(_ point: Point) {
      add(point.x.bitPattern)
      add(point.y.bitPattern)
    }

    mutating func add(_ segment: Segment) {
      add(UInt32(segment.shape.rawValue) << 1 | (segment.endsRound ? 1 : 0))
      for point in [segment.p0, segment.p1, segment.p2, segment.p3] {
        add(point.position)
        add(point.weight.bitPattern)
      }
      add(segment.startEdge)
      add(segment.endEdge)
    }
  }

  /// A stroke with all that hands and panels do: steady and late reports, rests, turns back, jumps, pressure.
  ///
  /// Without functions of the C library, which differ from machine to machine.
  private static func stroke(_ seed: UInt64) -> [Sample] {
    var random = SeededRandom(seed: seed)
    let isSteady = seed % 3 != 0
    var time: Int64 = 1_000_000_000
    var (place, velocity) = (Point(40, 30), Point(0.5, -0.25))
    var pressure: Float = seed % 2 == 0 ? 0.5 : -1
    return (0..<90).map { _ in
      defer {
        time += isSteady ? 10_000_000 : Int64(random.integer(-2..<40)) * 1_000_000
        let turn = Point(
          Float(random.integer(-16..<17)) / 64, Float(random.integer(-16..<17)) / 64)
        switch random.integer(0..<24) {
        case 0: velocity = .zero
        case 1: velocity = velocity * -1
        case 2: velocity = Point(velocity.y, -velocity.x)
        case 3: place += Point(turn.x * 40, turn.y * 40)
        case 4: time += 80_000_000
        default: velocity += turn
        }
        place += velocity
        if pressure >= 0 { pressure = Float(random.integer(0..<65)) / 64 }
      }
      return Sample(time: time, position: place, pressure: pressure)
    }
  }

  /// The digests of the segments, and of their outlines, of twelve strokes.
  private static func digests(
    _ kind: StrokeModel.Kind, prediction: Int64 = 0
  ) -> (segments: UInt64, outlines: UInt64) {
    var (segments, outlines) = (Digest(), Digest())
    for seed in 1...12 as ClosedRange<UInt64> {
      var model = StrokeModel(kind)
      model.prediction = prediction
      var ink = StrokeInk()
      var path = Path()
      func add(_ part: borrowing RigidArray<Segment>) {
        for index in 0..<part.count { segments.add(part[index]) }
        path.removeAll()
        StrokeModel.outline(of: part, by: kind, into: &path)
        for index in path.points.indices { outlines.add(path.points[index]) }
        for index in path.verbs.indices { outlines.add(UInt32(path.verbs[index].rawValue)) }
      }
      for (index, sample) in stroke(seed).enumerated() {
        if index == 0 {
          model.begin(at: sample, into: &ink)
        } else {
          model.extend(to: sample, into: &ink)
        }
        add(ink.finalised)
        add(ink.provisional)
        ink.finalised.removeAll()
      }
      model.end(into: &ink)
      add(ink.finalised)
    }
    return (segments.value, outlines.value)
  }

  @Test(arguments: [
    (StrokeModel.Kind.ductus, 0x7512_9c05_881e_8457 as UInt64, 0x8de6_cbe8_f926_8004 as UInt64),
    (.uberSignature, 0xae17_0d97_0c58_f804, 0xa72b_d3a0_eeda_41ad),
    (.velocityStrip, 0xb51b_3d21_6d97_b15f, 0x4425_3c10_8892_1c43),
    (.polyline, 0xdaf7_25b6_ac30_f3a6, 0x54a3_8b97_ddae_f7c0),
  ])
  func `the same strokes have the same ink in every version`(
    kind: StrokeModel.Kind, segments: UInt64, outlines: UInt64
  ) {
    let found = Self.digests(kind)
    #expect(found.segments == segments, "segments")
    #expect(found.outlines == outlines, "outlines")
  }

  @Test func `predicted tails are the same, too`() {
    let found = Self.digests(.ductus, prediction: 16_000_000)
    #expect(found == (0x577a_4d9d_97c0_d532, 0x090c_61c8_b59b_abb1))
  }
}
