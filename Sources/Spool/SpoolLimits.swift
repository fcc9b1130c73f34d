/// When the pad is out of service because of its spool.
public struct SpoolLimits: Equatable, Sendable {
  /// Free space, in bytes, that must be there.
  public var minimumFree: Int64
  /// How many signatures may wait in `new`; nil: any number.
  public var maximumItems: Int?
  /// How many bytes of them may wait; nil: any number.
  public var maximumBytes: Int64?

  /// Without arguments, 16 MiB must be free.
  public init(
    minimumFree: Int64 = 16 << 20, maximumItems: Int? = nil, maximumBytes: Int64? = nil
  ) {
    self.minimumFree = minimumFree
    self.maximumItems = maximumItems
    self.maximumBytes = maximumBytes
  }

  /// An item takes a folder, a manifest, four files and a counter.
  static let minimumFiles: Int64 = 16
}
