/// How the pad behaves and what it calls itself.
public struct SessionConfiguration: Equatable, Sendable {
  /// What the manifests of signatures name as the device; nil: the machine's host name.
  public var deviceName: String?
  /// Less ink than this, in millimetres of line, is no signature.
  public var minimumLength: Float
  /// Whether anybody may sign at any time, or only who is asked to.
  public var invitesAlways: Bool
  /// Whether there is a button that takes the last stroke away.
  public var undo: Bool
  /// Nanoseconds that a request leaves if it says nothing else; nil: as long as it takes.
  public var timeLimit: Int64?
  /// Nanoseconds without a touch after which ink is wiped; nil: never.
  public var abandonAfter: Int64?

  /// In bytes: a manifest with a longer one is refused by who reads it.
  static let deviceNameLimit = 1024

  init(_ section: Section) {
    deviceName = section.value("device-name", .deviceName(limit: Self.deviceNameLimit))
    minimumLength = section.value("minimum-length", .decimal(0...1000), default: 5)
    invitesAlways = section.value(
      "invite", .choice(["always", "request"], [true, false]), default: true)
    undo = section.value("undo", .flag, default: false)
    timeLimit = section.value("time-limit", .spanOrNever, default: nil)
    abandonAfter = section.value("abandon-after", .spanOrNever, default: 120_000_000_000)
  }
}
