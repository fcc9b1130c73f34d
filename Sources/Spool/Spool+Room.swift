internal import Linux

extension Spool {
  /// Throws what is in the way of another signature.
  public borrowing func checkCapacity(_ limits: SpoolLimits) throws(SpoolError) {
    let space = try spooling { () throws(SystemError) in try new.freeSpace() }
    if space.isReadOnly { throw insufficient(.readOnly) }
    if space.bytes < limits.minimumFree {
      throw insufficient(.space(free: space.bytes, minimum: limits.minimumFree))
    }
    if space.files < SpoolLimits.minimumFiles { throw insufficient(.files) }
    if limits.maximumItems == nil && limits.maximumBytes == nil { return }
    try checkBacklog(limits)
  }

  private borrowing func checkBacklog(_ limits: SpoolLimits) throws(SpoolError) {
    let ids = try Self.ids(in: new)
    if let most = limits.maximumItems, ids.count >= most {
      throw insufficient(.items(ids.count, maximum: most))
    }
    guard let most = limits.maximumBytes else { return }
    var bytes: Int64 = 0
    for id in ids {
      bytes += Self.size(of: id, in: new)
      if bytes >= most { throw insufficient(.bytes(bytes, maximum: most)) }
    }
  }

  /// In bytes; what disappears meanwhile counts nothing.
  static func size(of id: ItemID, in folder: borrowing Folder) -> Int64 {
    guard let item = try? Folder(id.text, in: folder) else { return 0 }
    var bytes: Int64 = 0
    for name in [Manifest.name] + ItemFile.allCases.map({ $0.name }) {
      if let status = try? item.status(of: name) { bytes += status.size }
    }
    return bytes
  }

  private borrowing func insufficient(_ shortage: CapacityError) -> SpoolError {
    .capacity(path: root.path, shortage)
  }
}
