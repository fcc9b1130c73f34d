/// What a spool lacks for another signature.
public enum CapacityError: Equatable, Sendable {
  /// The disk may be failing: the kernel mounts one read-only that does.
  case readOnly
  /// Bytes that are free, and that must be.
  case space(free: Int64, minimum: Int64)
  /// Inodes.
  case files
  /// Signatures that wait, and that may.
  case items(Int, maximum: Int)
  /// Bytes of them that wait, at least, and that may.
  case bytes(Int64, maximum: Int64)

  /// What follows the spool's path in a line.
  public var text: String {
    switch self {
    case .readOnly: "is mounted read-only: the disk may be failing"
    case .space(let free, let minimum):
      "has \(Self.amount(free)) free, and minimum-free is \(Self.amount(minimum))"
    case .files: "has no room for more files (inodes)"
    case .items(let count, let maximum):
      "holds \(count) signatures, and maximum-items is \(maximum): is handoff running?"
    case .bytes(let bytes, let maximum):
      "holds \(Self.amount(bytes)) or more, and maximum-bytes is \(Self.amount(maximum)): "
        + "is handoff running?"
    }
  }

  /// Whether it is the same but for its amounts.
  func isLike(_ other: CapacityError) -> Bool {
    switch (self, other) {
    case (.readOnly, .readOnly), (.space, .space), (.files, .files), (.items, .items),
      (.bytes, .bytes):
      true
    default: false
    }
  }

  private static func amount(_ bytes: Int64) -> String {
    bytes < 10 << 20 ? "\(bytes >> 10)K" : "\(bytes >> 20)M"
  }
}
