/// Numbers as text with a fixed count of decimals and `.` as the point, whatever the locale, and without
/// the tables of Unicode and of floating-point printing.
public struct FixedPoint: Sendable {
  /// Digits behind the point, at most 9.
  public let decimals: Int
  private let unit: Double

  /// A format.
  public init(decimals: Int) {
    precondition((0...9).contains(decimals))
    self.decimals = decimals
    unit = (0..<decimals).reduce(1) { value, _ in value * 10 }
  }

  /// Appends a number, rounded and bounded as `units(of:)` has it.
  public func append(_ value: Float, to text: inout [UInt8]) {
    append(units: units(of: Double(value)), to: &text)
  }

  /// A number in units of the last decimal, rounded to nearest. What is not finite becomes 0, and
  /// 9·10⁹ is the largest.
  public func units(of value: Double) -> Int64 {
    let bounded = value.isFinite ? min(max(value, -9e9), 9e9) : 0
    return Int64((bounded * unit).rounded())
  }

  /// Appends a whole number of the last decimal's units.
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
    // The digits came from the last one on.
    text[start...].reverse()
  }
}
