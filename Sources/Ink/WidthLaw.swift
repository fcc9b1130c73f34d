/// How wide ink is: thinner when the hand is faster, as in UberSignature, but by speed in mm/s.
///
/// Anchored where UberSignature's screen was: 60 touches a second, 163 points an inch. There its
/// `max(0, 50 − d)·0.1 + 2` and the outline stroke of 1 pt make ink from 8 pt at rest to 3 pt at
/// 3000 pt/s (467 mm/s).
enum WidthLaw {
  /// The narrowest and the widest ink, in millimetres.
  static let narrowest = 3 * UberSignature.pointSize
  static let widest = 8 * UberSignature.pointSize
  /// A dot's diameter: UberSignature's 3 pt of radius and its outline stroke.
  static let dot = 7 * UberSignature.pointSize
  /// Millimetres that a millimetre per tick takes away: a tenth of what it is in touches at 60 Hz.
  private static let slope: Float = 100.0 / 60 * 0.1

  /// Width in millimetres at a pace in mm per tick. Half of the pressure range changes nothing; less
  /// or more takes or adds up to a third.
  @inline(__always)
  static func width(pace: Float, pressure: Float) -> Float {
    let width = max(widest - pace * slope, narrowest)
    guard pressure >= 0 else { return width }
    return min(max(width * (0.65 + 0.7 * pressure), narrowest), widest)
  }
}
