internal import CLinux
public import Ink

/// Converts device units to millimetres on the glass: range, calibration, rotation, size, clamping.
///
/// A range includes both its ends: `maximum` lies one unit before the far edge, as in libinput (`absinfo_range`,
/// `evdev_device_calibrate`).
public struct GlassGeometry: Sendable, Equatable {
  /// How the touch-sensitive glass lies on the picture.
  public struct Placement: Sendable, Equatable {
    /// Millimetres of the upright picture.
    public var width: Float, height: Float
    /// The picture's clockwise rotation in the panel's scan-out, in quarter turns.
    public var quarterTurns: Int
    /// Millimetres of the sensitive glass before rotation, if it is not the panel's size.
    ///
    /// The top left corners coincide.
    public var sensitiveSize: Point?
    /// Applied before the rotation, to positions from 0 to 1.
    public var calibration: CalibrationMatrix

    /// A placement; by default the sensitive glass covers the panel exactly.
    public init(
      width: Float, height: Float, quarterTurns: Int = 0, sensitiveSize: Point? = nil,
      calibration: CalibrationMatrix = .identity
    ) {
      (self.width, self.height) = (width, height)
      self.quarterTurns = quarterTurns
      self.sensitiveSize = sensitiveSize
      self.calibration = calibration
    }

    /// Millimetres of the panel before rotation.
    var panelSize: Point {
      quarterTurns & 1 == 0 ? Point(width, height) : Point(height, width)
    }
  }

  /// The conversion of one set of axes.
  private struct Axes: Sendable, Equatable {
    /// From device units to millimetres.
    var matrix: CalibrationMatrix
    var pressure: AxisRange?
  }

  private let contacts: Axes
  /// ABS_X, ABS_Y and ABS_PRESSURE, which a pen in a touchscreen's node uses.
  private let point: Axes
  private let least: Point
  private let greatest: Point
  /// A fiftieth of the longer side, in millimetres: a finger's second position may be this far from its first.
  let nearby: Float

  /// The geometry of a device on a glass.
  public init(_ device: DeviceDescription, on placement: Placement) {
    let (width, height) = (Double(placement.width), Double(placement.height))
    let glass = CalibrationMatrix(width, 0, 0, 0, height, 0)
      .after(.upright(quarterTurns: placement.quarterTurns))
      .after(GlassGeometry.overhang(placement))
      .after(placement.calibration)
    (contacts, point) = GlassGeometry.axes(of: device) { x, y in
      let normalise = CalibrationMatrix(
        1 / Double(x.span), 0, -Double(x.minimum) / Double(x.span), 0, 1 / Double(y.span),
        -Double(y.minimum) / Double(y.span))
      return glass.after(normalise)
    }
    (least, greatest) = (.zero, Point(placement.width, placement.height))
    nearby = max(placement.width, placement.height) / 50
  }

  /// A plain division by units per millimetre, for looking at recordings.
  public init(_ device: DeviceDescription, unitsPerMillimetre units: (x: Double, y: Double)) {
    (contacts, point) = GlassGeometry.axes(of: device) { _, _ in
      CalibrationMatrix(1 / units.x, 0, 0, 0, 1 / units.y, 0)
    }
    greatest = Point(repeating: .greatestFiniteMagnitude)
    least = -greatest
    let span = device.span
    nearby = Float(Double(max(span.x, span.y, 1)) / 50 / units.x)
  }

  private static func axes(
    of device: DeviceDescription, matrix: (AxisRange, AxisRange) -> CalibrationMatrix
  ) -> (contacts: Axes, point: Axes) {
    func axes(_ x: Int32, _ y: Int32, _ pressure: Int32) -> Axes {
      let unknown = AxisRange(minimum: 0, maximum: 0)
      return Axes(
        matrix: matrix(device.range(of: x) ?? unknown, device.range(of: y) ?? unknown),
        pressure: device.range(of: pressure))
    }
    let reported = DeviceProtocol(device)
    return (
      axes(reported.axisX, reported.axisY, reported.axisPressure),
      axes(ABS_X, ABS_Y, ABS_PRESSURE)
    )
  }

  /// The size of the sensitive glass relative to the panel's.
  private static func overhang(_ placement: Placement) -> CalibrationMatrix {
    let panel = placement.panelSize
    guard let size = placement.sensitiveSize, panel.x > 0, panel.y > 0 else { return .identity }
    return CalibrationMatrix(Double(size.x / panel.x), 0, 0, 0, Double(size.y / panel.y), 0)
  }

  /// Millimetres on the glass, clamped to its edge.
  ///
  /// - Parameter isPoint: See `ContactEvent.isPoint`.
  public func position(of raw: RawPosition, isPoint: Bool = false) -> Point {
    let matrix = isPoint ? point.matrix : contacts.matrix
    let (x, y) = matrix.apply(x: Double(raw.x), y: Double(raw.y))
    return Point(
      GlassGeometry.clamp(Float(x), least.x, greatest.x),
      GlassGeometry.clamp(Float(y), least.y, greatest.y))
  }

  /// The pressure from 0 to 1, or −1 if the device has none.
  ///
  /// - Parameter rest: The pressure of a hovering pen, counted as 0; ignored above half of the range.
  public func pressure(of raw: Int32?, above rest: Int32? = nil, isPoint: Bool = false) -> Float {
    guard let raw, let range = isPoint ? point.pressure : contacts.pressure,
      range.maximum > range.minimum
    else { return -1 }
    let (least, greatest) = (Double(range.minimum), Double(range.maximum))
    let worn = rest.map { Double($0) } ?? least
    let floor = worn > least && worn < (least + greatest) / 2 ? worn : least
    return GlassGeometry.clamp(Float((Double(raw) - floor) / (greatest - floor)), 0, 1)
  }

  /// Clamps a number; NaN, which a hostile matrix can produce, becomes the least.
  private static func clamp(_ value: Float, _ least: Float, _ greatest: Float) -> Float {
    value > least ? min(value, greatest) : least
  }
}

/// The first two rows of a matrix over positions from 0 to 1.
///
/// The format of libinput's udev property LIBINPUT_CALIBRATION_MATRIX:
///
///     x' = a·x + b·y + c
///     y' = d·x + e·y + f
public struct CalibrationMatrix: Sendable, Equatable {
  /// The first row.
  public var a: Double, b: Double, c: Double
  /// The second row.
  public var d: Double, e: Double, f: Double

  /// A matrix from its numbers, row by row.
  public init(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double
  ) {
    (self.a, self.b, self.c) = (a, b, c)
    (self.d, self.e, self.f) = (d, e, f)
  }

  /// Leaves positions unchanged.
  public static let identity = CalibrationMatrix(1, 0, 0, 0, 1, 0)

  /// Parses six numbers between blanks; nil if the text is anything else.
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

  /// The six numbers with six decimals, less than a pixel of any panel; absurd values are clamped.
  public var text: String {
    var text = ""
    for (index, value) in [a, b, c, d, e, f].enumerated() {
      let millionths = value.isFinite ? Int64((min(max(value, -1e9), 1e9) * 1e6).rounded()) : 0
      text += index > 0 ? " " : ""
      text += millionths < 0 ? "-" : ""
      let decimals = "\(1_000_000 + abs(millionths) % 1_000_000)".utf8.dropFirst()
      text += "\(abs(millionths) / 1_000_000)." + String(decoding: decimals, as: UTF8.self)
    }
    return text
  }

  /// The matrix that applies `other` first, then this one.
  public func after(_ other: CalibrationMatrix) -> CalibrationMatrix {
    CalibrationMatrix(
      a * other.a + b * other.d, a * other.b + b * other.e, a * other.c + b * other.f + c,
      d * other.a + e * other.d, d * other.b + e * other.e, d * other.c + e * other.f + f)
  }

  /// Transforms a position.
  public func apply(x: Double, y: Double) -> (x: Double, y: Double) {
    (a * x + b * y + c, d * x + e * y + f)
  }

  /// From positions of the scan-out to those of the picture, which is turned clockwise in it.
  static func upright(quarterTurns: Int) -> CalibrationMatrix {
    switch quarterTurns & 3 {
    case 1: CalibrationMatrix(0, 1, 0, -1, 0, 1)
    case 2: CalibrationMatrix(-1, 0, 1, 0, -1, 1)
    case 3: CalibrationMatrix(0, -1, 1, 1, 0, 0)
    default: .identity
    }
  }
}
