/// Where finished signatures wait, and when there is no room for another.
public struct SpoolConfiguration: Equatable, Sendable {
  /// The spool's folder.
  public var path: String
  /// Free space, in bytes, below which nobody is asked to sign.
  public var minimumFree: Int64
  /// How many signatures may wait; nil: any number.
  public var maximumItems: Int?
  /// How many bytes of signatures may wait; nil: any number.
  public var maximumBytes: Int64?

  static let defaultPath = "/var/lib/paraph/spool"

  init(_ section: Section) {
    path = section.value("path", .path, default: Self.defaultPath)
    minimumFree = section.value(
      "minimum-free", .bytes(0...1_099_511_627_776), default: 16 * 1_048_576)
    maximumItems = section.value(
      "maximum-items", .integer(1...10_000_000), unless: "unlimited")
    maximumBytes = section.value(
      "maximum-bytes", .bytes(65536...Int64.max / 2), unless: "unlimited")
  }
}
