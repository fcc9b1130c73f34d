/// The samples of one stroke, as the panel reported them.
public struct Stroke: Equatable, Sendable {
  /// In the order of time; never empty in a signature.
  public var samples: [Sample]
  /// Indices of samples before which events were lost: ink is not bent across such a gap.
  public var gaps: [Int]

  /// A stroke of samples, by default without gaps.
  public init(_ samples: [Sample], gaps: [Int] = []) {
    self.samples = samples
    self.gaps = gaps
  }
}
