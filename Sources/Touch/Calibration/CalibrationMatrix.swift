/// The first two rows of a matrix over places from 0 to 1, as libinput's udev property
/// LIBINPUT_CALIBRATION_MATRIX has them:
///
///     x' = a·x + b·y + c
///     y' = d·x + e·y + f
public struct CalibrationMatrix: Sendable, Equatable {
  /// The first row.
  public var a: Double, b: Double, c: Double
  /// The second row.
  public var d: Double, e: Double, f: Double

  /// From its numbers, row by row.
  public init(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double
  ) {
    (self.a, self.b, self.c) = (a, b, c)
    (self.d, self.e, self.f) = (d, e, f)
  }

  /// Leaves every place where it is.
  public static let identity = CalibrationMatrix(1, 0, 0, 0, 1, 0)

  /// From six numbers with blanks between them; nil if there are not six, or one is no number.
  public init?(_ text: String) {
    var fields = FieldCursor(Array(text.utf8)[...])
    var values: [Double] = []
    while !fields.isAtEnd {
      guard let value = fields.real(), values.count < 6 else { return nil }
      values.append(value)
    }
    guard values.count == 6 else { return nil }
    self.init(values[0], values[1], values[2], values[3], values[4], values[5])
  }

  /// Its six numbers with six decimals, which are less than a pixel of any panel.
  public var text: String {
    var text = ""
    for (index, value) in [a, b, c, d, e, f].enumerated() {
      // Beyond this it is no glass.
      let millionths = value.isFinite ? Int64((min(max(value, -1e9), 1e9) * 1e6).rounded()) : 0
      let digits = Array("\(1_000_000 + abs(millionths) % 1_000_000)".utf8).dropFirst()
      text += index > 0 ? " " : ""
      text += millionths < 0 ? "-" : ""
      text += "\(abs(millionths) / 1_000_000)." + String(decoding: digits, as: UTF8.self)
    }
    return text
  }

  /// The matrix that does first `other`, then this one.
  public func after(_ other: CalibrationMatrix) -> CalibrationMatrix {
    CalibrationMatrix(
      a * other.a + b * other.d, a * other.b + b * other.e, a * other.c + b * other.f + c,
      d * other.a + e * other.d, d * other.b + e * other.e, d * other.c + e * other.f + f)
  }

  /// Where a place from 0 to 1 goes.
  public func apply(x: Double, y: Double) -> (x: Double, y: Double) {
    (a * x + b * y + c, d * x + e * y + f)
  }

  /// A place of the panel's scan-out as a place of the picture that is turned clockwise by so many
  /// quarters to lie in it, all from 0 to 1.
  static func upright(quarterTurns: Int) -> CalibrationMatrix {
    switch quarterTurns & 3 {
    case 1: CalibrationMatrix(0, 1, 0, -1, 0, 1)
    case 2: CalibrationMatrix(-1, 0, 1, 0, -1, 1)
    case 3: CalibrationMatrix(0, -1, 1, 1, 0, 0)
    default: .identity
    }
  }
}
