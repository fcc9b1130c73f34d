/// Writes numbers with a fixed count of decimals.
///
/// The decimal point is `.` in every locale. Links neither the tables of Unicode nor those of floating-point
/// printing.
public struct FixedPoint: Sendable {
  /// The number of decimals, at most 9.
  public let decimals: Int
  private let unit: Double

  /// Creates a format with 0…9 decimals.
  public init(decimals: Int) {
    precondition((0...9).contains(decimals))
    self.decimals = decimals
    unit = (0..<decimals).reduce(1) { value, _ in value * 10 }
  }

  /// Appends a number, rounded and clamped as by `units(of:)`.
  public func append(_ value: Float, to text: inout [UInt8]) {
    append(units: units(of: Double(value)), to: &text)
  }

  /// Converts a number to units of the last decimal, rounded to nearest.
  ///
  /// Clamps to ±9·10⁹; NaN and infinities become 0.
  public func units(of value: Double) -> Int64 {
    let clamped = value.isFinite ? min(max(value, -9e9), 9e9) : 0
    return Int64((clamped * unit).rounded())
  }

  /// Appends a number that is given in units of the last decimal.
  public func append(units: Int64, to text: inout [UInt8]) {
    if units < 0 { text.append(UInt8(ascii: "-")) }
    var rest = units.magnitude
    let start = text.count
    var digits = 0
    repeat {
      if digits == decimals, decimals > 0 { text.append(UInt8(ascii: ".")) }
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
      digits += 1
    } while rest > 0 || digits <= decimals
    // The digits were appended from the last one on.
    text[start...].reverse()
  }
}
