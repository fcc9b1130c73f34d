import Ink

#if canImport(Glibc)
  import Glibc
#else
  import CLinux
#endif

/// A signature that nobody wrote: strokes of overlapping lognormal impulses, the way in which the
/// kinematic theory of rapid movements describes a hand (Plamondon, 1995).
struct Hand {
  var rate: Double = 100
  var strokes = 8
  /// Millimetres: the field that is signed in.
  var field = (left: 12.0, top: 20.0, width: 160.0, height: 48.0)

  private struct Impulse {
    let start, length, angle, turn, sigma: Double

    /// Share of the way done at `t`, and of the speed.
    func speed(_ t: Double) -> Double {
      let since = t - start
      guard since > 1e-4 else { return 0 }
      let z = (log(since) + 1.9) / sigma
      return length / (since * sigma * 2.5066282746) * exp(-z * z / 2)
    }

    func direction(_ t: Double) -> Double { angle + turn * (t - start) }
  }

  /// Samples of every stroke; times are continuous.
  func sign(seed: UInt64) -> [[Sample]] {
    var random = Random(seed: seed)
    var clock = 0.0
    return (0..<strokes).map { index in
      let start = field.left + field.width * Double(index) / Double(strokes)
      let stroke = write(
        from: Point(Float(start), Float(field.top + field.height * random.uniform(0.4...0.7))),
        clock: clock, &random)
      clock += Double(stroke.count) / rate + random.uniform(0.1...0.3)
      return stroke
    }
  }

  private func write(from start: Point, clock: Double, _ random: inout Random) -> [Sample] {
    let count = Int(random.uniform(5...12))
    var impulses: [Impulse] = []
    for index in 0..<count {
      let up = index % 2 == 0
      impulses.append(
        Impulse(
          start: 0.1 * Double(index) + random.uniform(0...0.03),
          length: field.height * random.uniform(0.2...0.75),
          angle: (up ? -1.1 : 1.3) + random.uniform(-0.5...0.5),
          turn: random.uniform(-9...9), sigma: random.uniform(0.25...0.4)))
    }
    let step = 1 / rate
    let end = 0.1 * Double(count) + 0.3
    var position = SIMD2(Double(start.x), Double(start.y))
    var samples: [Sample] = []
    var t = 0.0
    while t < end {
      samples.append(
        Sample(
          time: Int64((clock + t) * 1e9), position: Point(Float(position.x), Float(position.y))))
      // Eight steps of integration for each report.
      for _ in 0..<8 {
        for impulse in impulses {
          let way = impulse.speed(t) * step / 8
          let angle = impulse.direction(t)
          position += SIMD2(cos(angle), sin(angle)) * way
        }
        t += step / 8
      }
      position.x = min(max(position.x, 2), 196)
      position.y = min(max(position.y, 2), 122)
    }
    return samples
  }
}
