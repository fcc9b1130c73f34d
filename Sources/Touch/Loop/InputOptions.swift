public import Ink

/// What the input thread reads, and how.
public struct InputOptions: Sendable {
  /// Where contacts come from.
  public enum Source: Sendable {
    /// Devices of the kernel, as they come and go.
    case devices(DeviceChoice)
    /// A recording, in its own time; `repeats`: over and over.
    case recording(Recording, repeats: Bool)
  }

  /// Where contacts come from.
  public var source: Source
  /// Which contacts draw.
  public var policy: TouchArbitration.Policy = .first
  /// Whether nobody else hears the devices.
  public var grabs = true
  /// Instead of udev's LIBINPUT_CALIBRATION_MATRIX.
  public var calibration: CalibrationMatrix?
  /// Millimetres of the sensitive glass, where it is not just over the panel.
  public var sensitiveSize: Point?
  /// Where the picture is; nil where nothing is known, as of a panel in memory.
  public var panel: PanelLocation?
  /// For panels that need them.
  public var filters = ContactFilters.Options()
  /// Millimetres of the picture, upright as it is seen.
  public var width: Float, height: Float
  /// How far the picture is turned clockwise to lie in the panel's scan-out, in quarters.
  public var quarterTurns = 0

  /// Contacts of a source on a picture of a size in millimetres.
  public init(_ source: Source, width: Float, height: Float) {
    self.source = source
    (self.width, self.height) = (width, height)
  }

  /// Where a device's glass lies; its own calibration is udev's.
  func placement(_ properties: UdevProperties) -> GlassGeometry.Placement {
    GlassGeometry.Placement(
      width: width, height: height, quarterTurns: quarterTurns, sensitiveSize: sensitiveSize,
      calibration: calibration
        ?? properties["LIBINPUT_CALIBRATION_MATRIX"].flatMap { CalibrationMatrix($0) } ?? .identity)
  }
}
