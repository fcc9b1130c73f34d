internal import CLinux
public import Ink

/// From what a device states to millimetres on the glass, in one step: range, calibration matrix, display
/// rotation, size, and the glass's edge.
///
/// A range includes both its ends, so that `maximum` lies one unit before the far edge, as in libinput
/// (`absinfo_range`, `evdev_device_calibrate`).
public struct GlassGeometry: Sendable, Equatable {
  /// How the sensitive glass lies on the picture.
  public struct Placement: Sendable, Equatable {
    /// Millimetres of the picture, upright as it is seen.
    public var width: Float, height: Float
    /// How far the picture is turned clockwise to lie in the panel's scan-out, in quarters.
    public var quarterTurns: Int
    /// Millimetres of the sensitive glass before any rotation, where it is not just over the panel; the
    /// left top corners lie on one another.
    public var sensitiveSize: Point?
    /// What is applied to places from 0 to 1 before the rotation.
    public var calibration: CalibrationMatrix

    /// The sensitive glass lies just over the panel unless something else is said.
    public init(
      width: Float, height: Float, quarterTurns: Int = 0, sensitiveSize: Point? = nil,
      calibration: CalibrationMatrix = .identity
    ) {
      (self.width, self.height) = (width, height)
      self.quarterTurns = quarterTurns
      self.sensitiveSize = sensitiveSize
      self.calibration = calibration
    }
  }

  /// What one set of axes says.
  private struct Axes: Sendable, Equatable {
    /// From device units to millimetres.
    var matrix: CalibrationMatrix
    var pressure: AxisRange?
  }

  private let contacts: Axes
  /// ABS_X and ABS_Y, which a pen in the node of a touchscreen has for itself.
  private let point: Axes
  private let least: Point
  private let greatest: Point
  /// Two places that are nearer to one another, in millimetres, may be a finger's next one: a fiftieth of
  /// the longer side.
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

  /// What the device states, divided by units per millimetre and nothing else: for looking at recordings.
  public init(_ device: DeviceDescription, unitsPerMillimetre units: (x: Double, y: Double)) {
    (contacts, point) = GlassGeometry.axes(of: device) { _, _ in
      CalibrationMatrix(1 / units.x, 0, 0, 0, 1 / units.y, 0)
    }
    greatest = Point(repeating: .greatestFiniteMagnitude)
    least = -greatest
    let span = device.span
    nearby = Float(Double(max(span.x, span.y, 1)) / 50 / units.x)
  }

  /// Those of the contacts, and the plain ones.
  private static func axes(
    of device: DeviceDescription, matrix: (AxisRange, AxisRange) -> CalibrationMatrix
  ) -> (Axes, Axes) {
    func axes(_ x: Int32, _ y: Int32, _ pressure: Int32) -> Axes {
      let unknown = AxisRange(minimum: 0, maximum: 0)
      return Axes(
        matrix: matrix(device.range(of: x) ?? unknown, device.range(of: y) ?? unknown),
        pressure: device.range(of: pressure))
    }
    let plan = DeviceProtocol(device)
    return (axes(plan.axisX, plan.axisY, plan.axisPressure), axes(ABS_X, ABS_Y, ABS_PRESSURE))
  }

  /// The sensitive glass in parts of the panel's: they may differ in size.
  private static func overhang(_ placement: Placement) -> CalibrationMatrix {
    guard let size = placement.sensitiveSize else { return .identity }
    let isTurned = placement.quarterTurns & 1 != 0
    let panelWidth = isTurned ? placement.height : placement.width
    let panelHeight = isTurned ? placement.width : placement.height
    guard panelWidth > 0, panelHeight > 0 else { return .identity }
    return CalibrationMatrix(
      Double(size.x / panelWidth), 0, 0, 0, Double(size.y / panelHeight), 0)
  }

  /// Millimetres on the glass; what lies beyond the edge is on it. `isPoint`: on ABS_X and ABS_Y, where the
  /// device has others for its contacts.
  public func place(of raw: RawPosition, isPoint: Bool = false) -> Point {
    let matrix = isPoint ? point.matrix : contacts.matrix
    let (x, y) = matrix.apply(x: Double(raw.x), y: Double(raw.y))
    return Point(
      GlassGeometry.clamp(Float(x), least.x, greatest.x),
      GlassGeometry.clamp(Float(y), least.y, greatest.y))
  }

  /// 0…1, or −1 where the device has no pressure. `rest` is what a pen states while nothing
  /// presses it; more than half of the range is no wear.
  public func pressure(of raw: Int32?, above rest: Int32? = nil, isPoint: Bool = false) -> Float {
    guard let raw, let range = isPoint ? point.pressure : contacts.pressure,
      range.maximum > range.minimum
    else { return -1 }
    let (least, greatest) = (Double(range.minimum), Double(range.maximum))
    let worn = rest.map { Double($0) } ?? least
    let floor = worn > least && worn < (least + greatest) / 2 ? worn : least
    return GlassGeometry.clamp(Float((Double(raw) - floor) / (greatest - floor)), 0, 1)
  }

  /// A hostile matrix makes anything of a number, also none.
  private static func clamp(_ value: Float, _ least: Float, _ greatest: Float) -> Float {
    value > least ? min(value, greatest) : least
  }
}

extension DeviceDescription {
  /// The size in millimetres that the device states by its resolution; nil where it knows none.
  public var physicalSize: Point? {
    let plan = DeviceProtocol(self)
    guard let x = range(of: plan.axisX), let y = range(of: plan.axisY), x.resolution > 0,
      y.resolution > 0
    else { return nil }
    return Point(Float(x.span) / Float(x.resolution), Float(y.span) / Float(y.resolution))
  }

  /// Units per millimetre; nil where the device states none. Of a device with contacts of its own the
  /// plain axes may know what the others do not.
  public var unitsPerMillimetre: (x: Double, y: Double)? {
    let plan = DeviceProtocol(self)
    func resolution(_ axis: Int32, _ plain: Int32) -> Double? {
      for code in [axis, plain] {
        if let range = range(of: code), range.resolution > 0 { return Double(range.resolution) }
      }
      return nil
    }
    guard let x = resolution(plan.axisX, ABS_X), let y = resolution(plan.axisY, ABS_Y) else {
      return nil
    }
    return (x, y)
  }
}
