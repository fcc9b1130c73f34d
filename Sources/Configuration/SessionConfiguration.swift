/// The section `[pad]`: how a signature is requested, and the device's name.
public struct SessionConfiguration: Equatable, Sendable {
  /// The device's name in manifests; nil: the host name.
  public var deviceName: String?
  /// The minimum length of a signature's ink, in millimetres.
  public var minimumLength: Float
  /// Whether the pad accepts signatures without a request.
  public var invitesAlways: Bool
  /// Whether the pad keeps the panel, instead of sharing it with a program on another virtual terminal.
  public var staysInFront: Bool
  /// Whether there is a button *Undo*.
  public var undo: Bool
  /// The default time limit of a request, in nanoseconds; nil: no limit.
  public var timeLimit: Int64?
  /// The time without a touch after which ink is erased, in nanoseconds; nil: never.
  public var abandonAfter: Int64?
  /// The folder of the pictures that the pad shows while it rests; nil: none.
  public var slides: String?
  /// How long each picture is shown, in nanoseconds.
  public var slideTime: Int64

  /// The maximum length of a device name in bytes, which manifests must not exceed.
  static let deviceNameLimit = 1024

  init(_ section: Section) {
    deviceName = section.value("device-name", .deviceName(limit: Self.deviceNameLimit))
    minimumLength = section.value("minimum-length", .decimal(0...1000), default: 5)
    invitesAlways = section.value(
      "invite", .choice(["always", "request"], [true, false]), default: true)
    staysInFront = section.value(
      "foreground", .choice(["always", "on-request"], [true, false]), default: true)
    undo = section.value("undo", .flag, default: false)
    timeLimit = section.value("time-limit", .durationOrNever, default: nil)
    abandonAfter = section.value("abandon-after", .durationOrNever, default: 120_000_000_000)
    slides = section.value("slides", .path)
    slideTime = section.value(
      "slide-time", .duration(1_000_000_000...604_800_000_000_000), default: 10_000_000_000)
  }
}
