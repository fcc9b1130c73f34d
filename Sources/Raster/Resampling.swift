/// The weights for resampling the rows or the columns of a picture.
///
/// When shrinking, a target pixel is the mean of the source pixels that it covers (a box filter). When
/// enlarging, it is interpolated linearly between the two nearest, unless the border is zero.
public struct Resampling: Sendable {
  /// What lies beyond the source.
  public enum Border: Sendable {
    /// The outermost pixels continue.
    case extended
    /// Zeros, so that the sum over all pixels is preserved. Enlarging does not interpolate.
    case zero
  }

  /// The number of target pixels.
  public let count: Int
  private let source: Int
  private let start: Float
  /// Source pixels per target pixel.
  private let ratio: Float
  private let border: Border

  /// Creates the weights for a part of the source.
  ///
  /// - Parameters:
  ///   - source: The number of source pixels.
  ///   - start: The start of the part, in source pixels.
  ///   - length: The length of the part, in source pixels.
  ///   - target: The number of target pixels.
  public init(
    source: Int, start: Float, length: Float, target: Int, border: Border = .extended
  ) {
    precondition(source > 0 && target > 0 && length > 0)
    self.source = source
    count = target
    self.start = start
    ratio = length / Float(target)
    self.border = border
  }

  /// The source pixels that contribute to a target pixel; both bounds grow with the target.
  public func support(of target: Int) -> ClosedRange<Int> {
    let (from, to) = interval(target)
    let first = clamped(from.rounded(.down))
    return first...max(first, clamped(interpolates ? to : to.rounded(.up) - 1))
  }

  /// The weight of a source pixel in the support of a target pixel.
  ///
  /// The weights of a support add up to 1, or to less beyond a zero border.
  public func weight(of pixel: Int, in target: Int) -> Float {
    let (from, to) = interval(target)
    let (first, end) = (max(from, 0), min(to, Float(source)))
    let covered = max(0, min(Float(pixel) + 1, end) - max(Float(pixel), first))
    if border == .zero { return covered / ratio }
    let support = support(of: target)
    if support.count == 1 { return 1 }
    if interpolates {
      let second = from - Float(support.lowerBound)
      return pixel == support.lowerBound ? 1 - second : second
    }
    return covered / (end - first)
  }

  private var interpolates: Bool { ratio < 1 && border == .extended }

  /// The interval that a target pixel covers; when interpolating, the one between the two nearest
  /// source pixels.
  private func interval(_ target: Int) -> (from: Float, to: Float) {
    if interpolates {
      let centre = max(start + (Float(target) + 0.5) * ratio - 0.5, 0)
      return (centre, centre + 1)
    }
    return (start + Float(target) * ratio, start + Float(target + 1) * ratio)
  }

  /// The nearest source pixel; NaN counts as the first.
  private func clamped(_ pixel: Float) -> Int {
    min(Int(min(max(0, pixel), 0x1p30)), source - 1)
  }
}
