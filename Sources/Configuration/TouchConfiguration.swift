/// Where the finger comes from.
public struct TouchConfiguration: Equatable, Sendable {
  /// Which event device draws.
  public enum Device: Equatable, Sendable {
    /// The touchscreen that fits the panel best.
    case automatic
    /// The device node.
    case path(String)
    /// The name that the kernel gives the device.
    case name(String)
    /// A property that udev gives it, and its value.
    case property(String, String)
  }

  /// Which contacts draw.
  public enum Contacts: Equatable, Sendable {
    /// The one that was there first; the others are palms.
    case first
    /// All, one stroke each.
    case all
  }

  /// Which event device draws.
  public var device: Device
  /// A recording to play instead of a device.
  public var recording: String?
  /// Whether the recording starts again at its end.
  public var loop: Bool
  /// The size of the sensitive glass, where the device does not know or lies.
  public var size: Millimetres?
  /// The first two rows of a matrix over 0…1, as LIBINPUT_CALIBRATION_MATRIX; nil: the udev property.
  public var calibrationMatrix: [Float]?
  /// Which contacts draw.
  public var contacts: Contacts
  /// Whether nobody else hears the device.
  public var grab: Bool
  /// For panels that need them.
  public var filters: FilterConfiguration

  init(_ section: Section) {
    device = section.value("device", .device, default: .automatic)
    recording = section.value("recording", .path)
    loop = section.value("loop", .flag, default: false)
    size = section.value("size", .millimetres)
    calibrationMatrix = section.value("calibration-matrix", .matrix)
    contacts = section.value(
      "contacts", .choice(["first", "all"], [.first, .all]), default: .first)
    grab = section.value("grab", .flag, default: true)
    filters = FilterConfiguration(section)
    if section.has("recording") && section.has("device") {
      section.refuse("recording", "cannot be given together with device")
    }
  }
}

extension ValueType where Value == TouchConfiguration.Device {
  fileprivate static var device: ValueType {
    ValueType { text throws(Refusal) in
      if text == "auto" { return .automatic }
      if text.isAbsolute { return .path(text) }
      let bytes = Array(text.utf8)
      guard bytes.starts(with: Array("property:".utf8)) else { return .name(text) }
      let rest = String(decoding: bytes.dropFirst(9), as: UTF8.self)
      guard let (name, value) = Words.assignment(rest) else {
        throw Refusal("must be property:NAME=VALUE, not \"\(text)\"")
      }
      return .property(name, value)
    }
  }
}
