internal import Linux

/// Limits beyond which the spool accepts no other signature.
public struct SpoolLimits: Equatable, Sendable {
  /// The minimum of free space, in bytes.
  public var minimumFree: Int64
  /// The maximum of items in `new`; nil: unlimited.
  public var maximumItems: Int?
  /// The maximum of bytes in `new`; nil: unlimited.
  public var maximumBytes: Int64?

  /// By default, 16 MiB must be free.
  public init(
    minimumFree: Int64 = 16 << 20, maximumItems: Int? = nil, maximumBytes: Int64? = nil
  ) {
    self.minimumFree = minimumFree
    self.maximumItems = maximumItems
    self.maximumBytes = maximumBytes
  }

  /// An item takes a folder, a manifest, its signature and time stamp, four files, and files of
  /// the spool: the counter and the chain.
  fileprivate static let minimumFiles: Int64 = 16
}

/// Which limit of the spool is exceeded.
public enum CapacityError: Equatable, Sendable {
  /// The filesystem is read-only; the kernel remounts a failing disk so.
  case readOnly
  /// Too few bytes are free.
  case space(free: Int64, minimum: Int64)
  /// Too few inodes are free.
  case files
  /// Too many items wait.
  case items(Int, maximum: Int)
  /// Too many bytes wait; the first amount is a lower bound.
  case bytes(Int64, maximum: Int64)

  /// The predicate of a sentence whose subject is the spool's path.
  public var text: String {
    switch self {
    case .readOnly: "is mounted read-only; the disk may be failing"
    case .space(let free, let minimum):
      "has \(Self.amount(free)) free; minimum-free is \(Self.amount(minimum))"
    case .files: "has too few free inodes"
    case .items(let count, let maximum):
      "holds \(count) signatures; maximum-items is \(maximum); check that handoff runs"
    case .bytes(let bytes, let maximum):
      "holds \(Self.amount(bytes)) or more; maximum-bytes is \(Self.amount(maximum)); "
        + "check that handoff runs"
    }
  }

  /// Whether both differ in their amounts at most.
  func isSameKind(as other: CapacityError) -> Bool {
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

extension Spool {
  /// Throws if a limit is exceeded.
  public borrowing func checkCapacity(_ limits: SpoolLimits) throws(SpoolError) {
    let space = try spooling { () throws(SystemError) in try new.freeSpace() }
    if space.isReadOnly { throw exceeded(.readOnly) }
    if space.bytes < limits.minimumFree {
      throw exceeded(.space(free: space.bytes, minimum: limits.minimumFree))
    }
    if space.files < SpoolLimits.minimumFiles { throw exceeded(.files) }
    if limits.maximumItems == nil && limits.maximumBytes == nil { return }
    try checkBacklog(limits)
  }

  private borrowing func checkBacklog(_ limits: SpoolLimits) throws(SpoolError) {
    let ids = try Self.ids(in: new)
    if let maximum = limits.maximumItems, ids.count >= maximum {
      throw exceeded(.items(ids.count, maximum: maximum))
    }
    guard let maximum = limits.maximumBytes else { return }
    var bytes: Int64 = 0
    for id in ids {
      bytes = bytes.saturatingSum(Self.size(of: id, in: new))
      if bytes >= maximum { throw exceeded(.bytes(bytes, maximum: maximum)) }
    }
  }

  /// The size of an item, in bytes, with some of the files that its manifest cannot name. Files that disappear
  /// meanwhile count as 0.
  static func size(
    of id: ItemID, in folder: borrowing Folder, with proofs: [ItemProof] = ItemProof.allCases
  ) -> Int64 {
    guard let item = try? Folder(id.text, in: folder) else { return 0 }
    var bytes: Int64 = 0
    let names = [Manifest.name] + proofs.map { $0.name }
    for name in names + ItemFile.allCases.map({ $0.name }) {
      if let status = try? item.status(of: name) { bytes = bytes.saturatingSum(status.size) }
    }
    return bytes
  }

  private borrowing func exceeded(_ error: CapacityError) -> SpoolError {
    .capacity(path: root.path, error)
  }
}

extension Int64 {
  /// The sum of two sizes. A sparse file of a hostile spool may be as large as the largest number.
  fileprivate func saturatingSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(Swift.max(other, 0))
    return overflow ? .max : sum
  }
}
