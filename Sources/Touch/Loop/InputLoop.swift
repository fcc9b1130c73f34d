internal import CLinux
public import Ink
public import Linux

/// The input thread: reads and decodes events, and pushes the contacts that draw into the ring.
///
/// It neither allocates nor locks nor logs per event, only when a device comes or goes. Give `run` to a `Thread` of
/// its own. It opens devices as they appear, and runs without one.
public final class InputLoop: Sendable {
  let options: InputOptions
  let ring: ContactRing
  let messages: Mailbox<InputMessage>
  let notify: @Sendable (InputNotice) -> Void

  /// - Parameter notify: Called on the input thread.
  public init(
    _ options: InputOptions, into ring: ContactRing, messages: Mailbox<InputMessage>,
    notify: @escaping @Sendable (InputNotice) -> Void
  ) {
    self.options = options
    self.ring = ring
    self.messages = messages
    self.notify = notify
  }

  /// Runs until `InputMessage.stop`.
  public func run() throws(SystemError) {
    switch options.source {
    case .devices(let choice):
      var loop = DeviceLoop(choice, of: self)
      try loop.run()
    case .recording(let recording, let repeats):
      var loop = try RecordingLoop(recording, repeats: repeats, of: self)
      try loop.run()
    }
  }
}

/// The input thread's source and settings.
public struct InputOptions: Sendable {
  /// The source of the contacts.
  public enum Source: Sendable {
    /// Devices of the kernel, as they come and go.
    case devices(DeviceChoice)
    /// A recording in real time, once or repeatedly.
    case recording(Recording, repeats: Bool)
  }

  /// The source of the contacts.
  public var source: Source
  /// Which contacts draw.
  public var policy: TouchArbitration.Policy = .first
  /// Whether to grab the devices.
  public var grabs = true
  /// Overrides udev's LIBINPUT_CALIBRATION_MATRIX.
  public var calibration: CalibrationMatrix?
  /// Millimetres of the sensitive glass, if it is not the panel's size.
  public var sensitiveSize: Point?
  /// The panel with the picture; nil if unknown, as for a panel in memory.
  public var panel: PanelLocation?
  /// The filters for noisy panels.
  public var filters = ContactFilters.Options()
  /// Millimetres of the upright picture.
  public var width: Float, height: Float
  /// The picture's clockwise rotation in the panel's scan-out, in quarter turns.
  public var quarterTurns = 0

  /// Options for a picture of a size in millimetres.
  public init(_ source: Source, width: Float, height: Float) {
    self.source = source
    (self.width, self.height) = (width, height)
  }

  /// The placement of a device's glass, with udev's calibration unless the options have one.
  func placement(_ properties: UdevProperties) -> GlassGeometry.Placement {
    GlassGeometry.Placement(
      width: width, height: height, quarterTurns: quarterTurns, sensitiveSize: sensitiveSize,
      calibration: calibration
        ?? properties["LIBINPUT_CALIBRATION_MATRIX"].flatMap { CalibrationMatrix($0) } ?? .identity)
  }
}

/// A message to the input thread.
public enum InputMessage: Sendable {
  /// Answer `alive`.
  case heartbeat
  /// The picture's size in millimetres, its rotation, or its panel changed.
  case glass(width: Float, height: Float, quarterTurns: Int, panel: PanelLocation? = nil)
  /// Grab the devices, or release them; answered by `grabbed`. They start grabbed.
  case grab(Bool)
  /// Cancel all contacts, and end.
  case stop
}

/// A notice from the input thread. Lines are for the log.
public enum InputNotice: Sendable, Equatable {
  /// The answer to `heartbeat`.
  case alive
  /// All devices are grabbed or released: the answer to `grab`.
  case grabbed(Bool)
  /// A device was opened.
  case opened(line: String)
  /// A device was lost.
  case lost(line: String)
  /// No device draws.
  case waiting(line: String)
  /// Something is odd, and the pad continues.
  case warning(line: String)
  /// The recording ended.
  case played
}
