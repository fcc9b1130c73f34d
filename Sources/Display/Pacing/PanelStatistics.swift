/// A panel's counters and latencies since it was opened.
///
/// The counters have 64 bits on all boards: 2 GiB are soon written.
public struct PanelStatistics: Sendable {
  /// Frames: flips or updates of the front buffer.
  public internal(set) var frames: Int64 = 0
  /// Bytes written to scan-out buffers.
  public internal(set) var bytesWritten: Int64 = 0
  /// Flips that were shown a frame late.
  public internal(set) var missedFlips: Int64 = 0
  /// Nanoseconds from a commit to its vblank; it grows when flips are missed.
  public internal(set) var lead = FramePacer.baseLead
  /// Flips without an event.
  public internal(set) var lostFlips: Int64 = 0
  /// Commits that were refused with EBUSY.
  public internal(set) var busyCommits: Int64 = 0
  /// Modes that were set.
  public internal(set) var modeSets: Int64 = 0
  /// Samples that arrived over 2 ms before a flip that does not show them.
  public internal(set) var lateSamples: Int64 = 0
  /// From a sample's kernel time stamp to the commit that contains it.
  public internal(set) var stampToCommit = LatencyHistogram()
  /// From a sample's kernel time stamp to the flip that shows it.
  public internal(set) var stampToFlip = LatencyHistogram()

  /// All counters are 0.
  public init() {}
}

/// A histogram of latencies in nanoseconds, with quantiles to 3 % from 1 µs to 1 min.
///
/// The buckets are a thirty-second of an octave wide. Nothing is allocated.
public struct LatencyHistogram: Sendable {
  private var counts = InlineArray<865, UInt32>(repeating: 0)
  /// The number of latencies.
  public private(set) var count: Int64 = 0
  /// The exact longest latency.
  public private(set) var longest: Int64 = 0

  /// An empty histogram.
  public init() {}

  /// Adds a latency; a negative one, from a device with another clock, counts as 0.
  public mutating func add(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    let bucket = Self.bucket(value)
    if counts[bucket] < .max { counts[bucket] += 1 }
    count += 1
    longest = max(longest, value)
  }

  /// A quantile, 0…1: the upper edge of its bucket, at most the longest; 0 if empty.
  public func quantile(_ share: Double) -> Int64 {
    let rank = max(1, Int64((Double(count) * share).rounded(.up)))
    var sum: Int64 = 0
    for bucket in counts.indices {
      sum += Int64(counts[bucket])
      if sum >= rank { return min(longest, Self.upperEdge(bucket)) }
    }
    return longest
  }

  /// The bucket of a value: 32 per octave from 1024 ns on, one below.
  static func bucket(_ value: Int64) -> Int {
    guard value >= 1024 else { return 0 }
    let octave = 63 - value.leadingZeroBitCount
    let part = Int(value >> Int64(octave - 5)) & 31
    return min((octave - 10) * 32 + part + 1, 864)
  }

  /// The largest value in a bucket.
  static func upperEdge(_ bucket: Int) -> Int64 {
    guard bucket > 0 else { return 1023 }
    let octave = (bucket - 1) / 32 + 10
    let part = Int64((bucket - 1) % 32)
    return (32 + part + 1) << Int64(octave - 5) - 1
  }
}

/// The time stamps of samples that are not shown yet, at most 64; others are not measured.
struct SampleStamps {
  private struct List {
    var stamps = InlineArray<64, Int64>(repeating: 0)
    var count = 0

    mutating func add(_ stamp: Int64) {
      guard count < 64 else { return }
      stamps[count] = stamp
      count += 1
    }
  }

  /// The number of waiting stamps whose samples changed the canvas.
  private var drawn = 0
  private var waiting = List()
  private var inFlight = List()
  private var lastShown: Int64?

  /// Samples that arrive this many nanoseconds before a flip must be in it.
  static let grace: Int64 = 2_000_000

  /// Adds the stamp of a sample that may change the canvas.
  mutating func record(_ stamp: Int64) { waiting.add(stamp) }

  /// Keeps the stamps since the last call if their samples changed the canvas, else drops them.
  ///
  /// Counts those that the last flip should have shown.
  mutating func resolve(changed: Bool, _ statistics: inout PanelStatistics) {
    guard changed else { return waiting.count = drawn }
    if let lastShown {
      for index in drawn..<waiting.count where waiting.stamps[index] < lastShown - Self.grace {
        statistics.lateSamples += 1
      }
    }
    drawn = waiting.count
  }

  /// All waiting samples were committed.
  mutating func committed(at time: Int64, _ statistics: inout PanelStatistics) {
    for index in 0..<waiting.count { statistics.stampToCommit.add(time - waiting.stamps[index]) }
    inFlight = waiting
    waiting.count = 0
    drawn = 0
  }

  /// All committed samples are shown; counts the waiting ones that should be.
  mutating func shown(at time: Int64, _ statistics: inout PanelStatistics) {
    lastShown = time
    for index in 0..<inFlight.count { statistics.stampToFlip.add(time - inFlight.stamps[index]) }
    inFlight.count = 0
    for index in 0..<drawn where waiting.stamps[index] < time - Self.grace {
      statistics.lateSamples += 1
    }
  }
}
