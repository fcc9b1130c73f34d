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

  /// From device units to millimetres.
  private let matrix: CalibrationMatrix
  private let least: Point
  private let greatest: Point
  private let pressure: AxisRange?
  /// Two places that are nearer to one another, in millimetres, may be a finger's next one: a fiftieth of
  /// the longer side.
  let nearby: Float

  /// The geometry of a device on a glass.
  public init(_ device: DeviceDescription, on placement: Placement) {
    let plan = ContactPlan(device)
    let x = device.range(of: plan.axisX) ?? AxisRange(minimum: 0, maximum: 0)
    let y = device.range(of: plan.axisY) ?? AxisRange(minimum: 0, maximum: 0)
    let normalise = CalibrationMatrix(
      1 / Double(x.span), 0, -Double(x.minimum) / Double(x.span), 0, 1 / Double(y.span),
      -Double(y.minimum) / Double(y.span))
    let (width, height) = (Double(placement.width), Double(placement.height))
    let scale = CalibrationMatrix(width, 0, 0, 0, height, 0)
    matrix =
      scale
      .after(.upright(quarterTurns: placement.quarterTurns))
      .after(GlassGeometry.overhang(placement))
      .after(placement.calibration)
      .after(normalise)
    (least, greatest) = (.zero, Point(placement.width, placement.height))
    nearby = max(placement.width, placement.height) / 50
    pressure = device.range(of: plan.axisPressure)
  }

  /// What the device states, divided by units per millimetre and nothing else: for looking at recordings.
  public init(_ device: DeviceDescription, unitsPerMillimetre units: (x: Double, y: Double)) {
    let plan = ContactPlan(device)
    let span = [plan.axisX, plan.axisY].compactMap { device.range(of: $0)?.span }.max() ?? 1
    matrix = CalibrationMatrix(1 / units.x, 0, 0, 0, 1 / units.y, 0)
    greatest = Point(repeating: .greatestFiniteMagnitude)
    least = -greatest
    nearby = Float(Double(span) / 50 / units.x)
    pressure = device.range(of: plan.axisPressure)
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

  /// Millimetres on the glass; what lies beyond the edge is on it.
  public func place(of raw: RawPosition) -> Point {
    let (x, y) = matrix.apply(x: Double(raw.x), y: Double(raw.y))
    return Point(
      GlassGeometry.clamp(Float(x), least.x, greatest.x),
      GlassGeometry.clamp(Float(y), least.y, greatest.y))
  }

  /// 0…1, or −1 where the device has no pressure.
  public func pressure(of raw: Int32?) -> Float {
    guard let raw, let pressure, pressure.maximum > pressure.minimum else { return -1 }
    let share =
      (Double(raw) - Double(pressure.minimum))
      / (Double(pressure.maximum) - Double(pressure.minimum))
    return GlassGeometry.clamp(Float(share), 0, 1)
  }

  /// A hostile matrix makes anything of a number, also none.
  private static func clamp(_ value: Float, _ least: Float, _ greatest: Float) -> Float {
    value > least ? min(value, greatest) : least
  }
}

extension DeviceDescription {
  /// The size in millimetres that the device states by its resolution; nil where it knows none.
  public var physicalSize: Point? {
    let plan = ContactPlan(self)
    guard let x = range(of: plan.axisX), let y = range(of: plan.axisY), x.resolution > 0,
      y.resolution > 0
    else { return nil }
    return Point(Float(x.span) / Float(x.resolution), Float(y.span) / Float(y.resolution))
  }

  /// Units per millimetre; nil where the device states none. Of a device with contacts of its own the
  /// plain axes may know what the others do not.
  public var unitsPerMillimetre: (x: Double, y: Double)? {
    let plan = ContactPlan(self)
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
