public import Ink

/// The strokes on the pad as data.
///
/// All memory is reserved before the first touch. Adding a sample allocates nothing; adding to a full store
/// fails.
public struct StrokeStore: ~Copyable {
  /// The default number of samples: ten minutes of drawing at 240 Hz.
  public static let defaultCapacity = 10 * 60 * 240
  /// The most strokes; no signature has as many.
  public static let strokeCapacity = 4096

  /// The number of samples whose pages are touched in advance, for half a second.
  private static let lookahead = 128

  private var samples: RigidArray<Sample>
  private var starts = RigidArray<Int32>(capacity: StrokeStore.strokeCapacity)
  private var gaps = RigidArray<Int32>(capacity: StrokeStore.strokeCapacity)

  /// Reserves memory for a number of samples.
  public init(capacity: Int = StrokeStore.defaultCapacity) {
    samples = RigidArray(capacity: capacity)
  }

  /// The number of strokes.
  public var count: Int { starts.count }
  /// The number of samples in all strokes.
  public var sampleCount: Int { samples.count }

  /// Starts a stroke; returns false if the store is full.
  public mutating func begin(_ sample: Sample) -> Bool {
    guard samples.count < samples.capacity else { return false }
    return starts.append(Int32(truncatingIfNeeded: samples.count)) && samples.append(sample)
  }

  /// Adds a sample to the last stroke; returns false if the store is full.
  public mutating func extend(_ sample: Sample) -> Bool { samples.append(sample) }

  /// Records a gap before the next sample; returns false if the store is full.
  public mutating func markGap() -> Bool {
    gaps.append(Int32(truncatingIfNeeded: samples.count))
  }

  /// Removes all strokes and keeps the capacity.
  public mutating func removeAll() {
    samples.removeAll()
    starts.removeAll()
    gaps.removeAll()
  }

  /// Touches the pages of the next samples and strokes.
  func prefault() {
    samples.prefault(lookahead: StrokeStore.lookahead)
    starts.prefault(lookahead: StrokeStore.lookahead)
  }

  /// Releases the memory of removed samples if the store is empty.
  mutating func releaseMemory() {
    guard count == 0 else { return }
    samples = RigidArray(capacity: samples.capacity)
  }

  /// Returns a copy of one stroke.
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

  /// The index of the first gap that is not before `sample`, by binary search.
  private func firstGap(from sample: Int) -> Int {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(gaps[middle]) < sample { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns a copy of all strokes.
  public func strokes() -> [Stroke] { (0..<count).map { stroke($0) } }
}
