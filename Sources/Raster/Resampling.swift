/// From rows or columns of a picture to fewer or more of them: where there are fewer, each is the mean
/// of what it covers; where there are more, they lie on straight lines between the next two.
public struct Resampling: Sendable {
  /// How many pixels there are afterwards.
  public let count: Int
  private let source: Int
  private let start: Float
  /// Source pixels for each target pixel.
  private let ratio: Float

  /// - Parameters:
  ///   - source: How many pixels there are.
  ///   - start: Where the part of them starts that is wanted.
  ///   - length: How long it is.
  ///   - target: How many pixels it becomes.
  public init(source: Int, start: Float, length: Float, target: Int) {
    precondition(source > 0 && target > 0 && length > 0)
    self.source = source
    count = target
    self.start = start
    ratio = length / Float(target)
  }

  /// The first and the last source pixel that a target pixel is made of. Both grow with the target.
  public func reach(of target: Int) -> ClosedRange<Int> {
    let (from, to) = interval(target)
    let first = within(from.rounded(.down))
    return first...max(first, within(ratio >= 1 ? to.rounded(.up) - 1 : to))
  }

  /// How much of a target pixel comes from a source pixel in its reach. The sum over the reach is 1.
  public func share(of pixel: Int, in target: Int) -> Float {
    let reach = reach(of: target)
    if reach.count == 1 { return 1 }
    let (from, to) = interval(target)
    if ratio < 1 {
      let second = from - Float(reach.lowerBound)
      return pixel == reach.lowerBound ? 1 - second : second
    }
    let (first, end) = (max(from, 0), min(to, Float(source)))
    return max(0, min(Float(pixel) + 1, end) - max(Float(pixel), first)) / (end - first)
  }

  /// What a target pixel covers; where there are more of them than before, from its middle's place
  /// among the middles to the next.
  private func interval(_ target: Int) -> (from: Float, to: Float) {
    if ratio >= 1 {
      return (start + Float(target) * ratio, start + Float(target + 1) * ratio)
    }
    let middle = max(start + (Float(target) + 0.5) * ratio - 0.5, 0)
    return (middle, middle + 1)
  }

  private func within(_ place: Float) -> Int { min(max(Int(place), 0), source - 1) }
}
