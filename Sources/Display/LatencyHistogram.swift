/// Latencies in nanoseconds, counted in buckets a thirty-second of an octave wide: quantiles to 3 %, from
/// a microsecond to a minute, without allocation.
public struct LatencyHistogram: Sendable {
  private var counts = InlineArray<865, UInt32>(repeating: 0)
  /// How many were added.
  public private(set) var count: Int64 = 0
  /// The longest, exactly.
  public private(set) var longest: Int64 = 0

  /// Nothing counted yet.
  public init() {}

  /// Counts one; what is negative (a device with a clock of its own) counts as 0.
  public mutating func add(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    let bucket = Self.bucket(value)
    if counts[bucket] < .max { counts[bucket] += 1 }
    count += 1
    longest = max(longest, value)
  }

  /// The value that `share` of all do not exceed, 0…1: the upper edge of its bucket, and never more
  /// than the longest. 0 while nothing is counted.
  public func quantile(_ share: Double) -> Int64 {
    let rank = max(1, Int64((Double(count) * share).rounded(.up)))
    var sum: Int64 = 0
    for bucket in counts.indices {
      sum += Int64(counts[bucket])
      if sum >= rank { return min(longest, Self.upperEdge(bucket)) }
    }
    return longest
  }

  /// Thirty-two buckets to an octave above 1024 ns; below, one.
  static func bucket(_ value: Int64) -> Int {
    guard value >= 1024 else { return 0 }
    let octave = 63 - value.leadingZeroBitCount
    let part = Int(value >> Int64(octave - 5)) & 31
    return min((octave - 10) * 32 + part + 1, 864)
  }

  static func upperEdge(_ bucket: Int) -> Int64 {
    guard bucket > 0 else { return 1023 }
    let octave = (bucket - 1) / 32 + 10
    let part = Int64((bucket - 1) % 32)
    return (32 + part + 1) << Int64(octave - 5) - 1
  }
}
