/// The section `[spool]`: the folder of finished signatures and its limits.
public struct SpoolConfiguration: Equatable, Sendable {
  /// The spool's folder.
  public var path: String
  /// The minimum free space in bytes; below it the pad accepts no signatures.
  public var minimumFree: Int64
  /// The maximum number of waiting signatures; nil: no limit.
  public var maximumItems: Int?
  /// The maximum total size of waiting signatures in bytes; nil: no limit.
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
