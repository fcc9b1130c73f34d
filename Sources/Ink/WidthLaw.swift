/// How wide ink is: thinner when the hand is faster, as in UberSignature, but by speed in mm/s.
///
/// Anchored where UberSignature's screen was: 60 touches a second, 163 points an inch. There its
/// `max(0, 50 − d)·0.1 + 2` and the outline stroke of 1 pt make ink from 8 pt at rest to 3 pt at
/// 3000 pt/s (467 mm/s). Ink of other widths reaches them at the same speeds.
public struct WidthLaw: BitwiseCopyable, Equatable, Sendable {
  /// The narrowest and the widest ink, in millimetres.
  public let narrowest, widest: Float
  /// A dot's diameter: as far between both as UberSignature's 7 pt, its 3 pt of radius and its outline stroke.
  let dot: Float
  /// Millimetres that a millimetre per tick takes away.
  private let slope: Float

  /// UberSignature's widths.
  public static let standard = WidthLaw(
    narrowest: 3 * UberSignature.pointSize, widest: 8 * UberSignature.pointSize)
  /// The pace from which ink is narrowest, in mm per tick: 3000 pt/s.
  private static let fastest = 30 * UberSignature.pointSize

  /// Ink from one width to another, in millimetres.
  public init(narrowest: Float, widest: Float) {
    self.narrowest = narrowest
    self.widest = widest
    dot = narrowest + 0.8 * (widest - narrowest)
    slope = (widest - narrowest) / WidthLaw.fastest
  }

  /// Width in millimetres at a pace in mm per tick. Half of the pressure range changes nothing; less
  /// or more takes or adds up to a third.
  @inline(__always)
  func width(pace: Float, pressure: Float) -> Float {
    let width = max(widest - pace * slope, narrowest)
    guard pressure >= 0 else { return width }
    return min(max(width * (0.65 + 0.7 * pressure), narrowest), widest)
  }
}
