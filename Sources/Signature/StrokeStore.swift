public import Ink

/// The strokes on the pad as data. All room is allocated before the first touch; adding a sample
/// allocates nothing, and a full store says so.
public struct StrokeStore: ~Copyable {
  /// Ten minutes of drawing at 240 Hz.
  public static let defaultCapacity = 10 * 60 * 240
  /// More strokes than anybody signs with.
  public static let strokeCapacity = 4096

  /// How many samples there is memory for beforehand: of half a second, and every frame asks anew.
  private static let ahead = 128

  private var samples: RigidArray<Sample>
  private var starts = RigidArray<Int32>(capacity: StrokeStore.strokeCapacity)
  private var gaps = RigidArray<Int32>(capacity: StrokeStore.strokeCapacity)

  /// Room for a number of samples.
  public init(capacity: Int = StrokeStore.defaultCapacity) {
    samples = RigidArray(capacity: capacity)
  }

  /// How many strokes there are.
  public var count: Int { starts.count }
  /// How many samples there are in all strokes.
  public var sampleCount: Int { samples.count }

  /// Starts a stroke; false if there is no room.
  public mutating func begin(_ sample: Sample) -> Bool {
    guard samples.count < samples.capacity else { return false }
    return starts.append(Int32(truncatingIfNeeded: samples.count)) && samples.append(sample)
  }

  /// Adds to the last stroke; false if there is no room.
  public mutating func extend(_ sample: Sample) -> Bool { samples.append(sample) }

  /// Notes that events were lost before the next sample; false if there is no room.
  public mutating func markGap() -> Bool {
    gaps.append(Int32(truncatingIfNeeded: samples.count))
  }

  /// Forgets all strokes and keeps the room.
  public mutating func removeAll() {
    samples.removeAll()
    starts.removeAll()
    gaps.removeAll()
  }

  /// Has the kernel give the memory for the samples and strokes that come next.
  func prefault() {
    samples.prefault(ahead: StrokeStore.ahead)
    starts.prefault(ahead: StrokeStore.ahead)
  }

  /// Gives back what an empty store holds of strokes that are gone.
  mutating func releaseMemory() {
    guard count == 0 else { return }
    samples = RigidArray(capacity: samples.capacity)
  }

  /// A copy of one stroke.
  public func stroke(_ index: Int) -> Stroke {
    let start = Int(starts[index])
    let end = index + 1 < starts.count ? Int(starts[index + 1]) : samples.count
    var stroke = Stroke((start..<end).map { samples[$0] })
    var gap = firstGap(from: start)
    while gap < gaps.count, Int(gaps[gap]) < end {
      stroke.gaps.append(Int(gaps[gap]) - start)
      gap += 1
    }
    return stroke
  }

  /// The first gap before no sample that is earlier than `sample`; gaps are marked in ascending order.
  private func firstGap(from sample: Int) -> Int {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(gaps[middle]) < sample { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// A copy of all strokes.
  public func strokes() -> [Stroke] { (0..<count).map { stroke($0) } }
}
