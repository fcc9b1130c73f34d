import Ink

/// A hand that writes what it is told to, the way people do: slower where the line bends, from rest
/// to rest. No person's signature is in the project.
public struct SyntheticHand: Sendable {
  /// Reports per second.
  public var rate: Double
  /// Millimetres per second on a straight line.
  public var speed: Float

  /// A hand under a screen of a report rate.
  public init(rate: Double = 125, speed: Float = 220) {
    self.rate = rate
    self.speed = speed
  }

  /// The samples of one stroke through `points` (millimetres); time starts at `start`.
  public func stroke(through points: [Point], start: Int64 = 0) -> [Sample] {
    let way = Curve.walk(points, step: 0.05)
    let times = arrival(along: way)
    guard let total = times.last, way.count > 1 else {
      return way.map { Sample(time: start, position: $0) }
    }
    var samples: [Sample] = []
    var index = 0
    for tick in 0...Int(total * Float(rate)) {
      let time = Float(Double(tick) / rate)
      while index < times.count - 2, times[index + 1] < time { index += 1 }
      let span = max(times[index + 1] - times[index], 1e-9)
      let t = min(1, (time - times[index]) / span)
      samples.append(
        Sample(
          time: start + Int64(Double(tick) * 1e9 / rate),
          position: way[index] + (way[index + 1] - way[index]) * t))
    }
    return samples
  }

  /// When the hand is at each point, in seconds. Its speed falls with the cube root of the curvature
  /// (Lacquaniti's two-thirds power law) and at both ends.
  private func arrival(along way: [Point]) -> [Float] {
    var travelled: [Float] = [0]
    for index in way.indices.dropFirst() {
      travelled.append(travelled[index - 1] + (way[index] - way[index - 1]).length)
    }
    let total = travelled.last ?? 0
    var times: [Float] = [0]
    for index in way.indices.dropFirst() {
      let bend = curvature(way, at: index)
      let fromEnd = min(travelled[index], total - travelled[index])
      let ease = min(1, 0.12 + fromEnd / 4)
      let speed = speed * ease / (1 + cubeRoot(bend * 3))
      times.append(times[index - 1] + (way[index] - way[index - 1]).length / speed)
    }
    return times
  }

  /// 1/mm, over half a millimetre to both sides.
  private func curvature(_ way: [Point], at index: Int) -> Float {
    let before = way[index] - way[max(0, index - 10)]
    let after = way[min(way.count - 1, index + 10)] - way[index]
    let cross = abs(before.x * after.y - before.y * after.x)
    let product = before.length * after.length
    return product > 0 ? cross / product / max(before.length, 0.05) : 0
  }

  private func cubeRoot(_ value: Float) -> Float {
    guard value > 0 else { return 0 }
    var root = max(value, 1)
    for _ in 0..<24 { root = (2 * root + value / (root * root)) / 3 }
    return root
  }
}
