/// Tells the samples before which events were lost, for a loop over the samples of a stroke: the whole loop takes
/// as many steps as there are samples and gaps.
public struct GapCursor: Sendable {
  /// Ascending.
  private let gaps: [Int]
  private var next = 0

  /// For a stroke's gaps, in any order.
  public init(_ gaps: [Int]) {
    // A stroke that was drawn has them in order.
    let isAscending = zip(gaps, gaps.dropFirst()).allSatisfy { $0 <= $1 }
    self.gaps = isAscending ? gaps : gaps.sorted()
  }

  /// Whether events were lost before a sample. Indices must not descend from call to call.
  public mutating func isGap(before index: Int) -> Bool {
    while next < gaps.count, gaps[next] < index { next += 1 }
    return next < gaps.count && gaps[next] == index
  }
}
