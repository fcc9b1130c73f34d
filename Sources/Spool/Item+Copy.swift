internal import CLinux
public import Linux

/// What is in the way of a copy.
public enum ItemConflict: Equatable, Sendable {
  /// Something that is no folder has the item's name.
  case notAFolder
  /// A folder of the item's name has another content.
  case otherContent
}

extension Item {
  private static let folderMode: UInt32 = 0o2770
  private static let fileMode: UInt32 = 0o640

  /// Copies the item into a folder, on this or another filesystem: `FOLDER/ID/` is there whole and on
  /// the disk, or not at all. A copy that is there already is left, whatever was added to it; nothing is
  /// ever replaced. Nil if the item is there now.
  public func copy(into folder: borrowing Folder) throws(SystemError) -> ItemConflict? {
    let name = manifest.id.text
    switch try presence(in: folder) {
    case .absent: break
    case .same:
      // The rename of a copy that was cut short may not be on the disk yet.
      try folder.syncIfPossible()
      return nil
    case .conflict(let conflict): return conflict
    }
    let temporary = ".\(name).part"
    try write(as: temporary, in: folder)
    try folder.publish(temporary, as: name)
    try folder.syncIfPossible()
    return nil
  }

  private enum Presence {
    case absent
    case same
    case conflict(ItemConflict)
  }

  private func presence(in folder: borrowing Folder) throws(SystemError) -> Presence {
    do throws(SystemError) {
      if try folder.status(of: manifest.id.text).kind != .folder { return .conflict(.notAFolder) }
    } catch {
      if error.errno.rawValue == ENOENT { return .absent }
      throw error
    }
    do throws(Failure) {
      // Whoever empties the folder may have left a mark of its own in it.
      let there = try Item(manifest.id, in: folder, allowingMore: true)
      return there.manifest == manifest ? .same : .conflict(.otherContent)
    } catch {
      switch error {
      // Whoever empties the folder has just taken it.
      case .gone: return .absent
      case .invalid: return .conflict(.otherContent)
      case .system(let error): throw error
      }
    }
  }

  private func write(as temporary: String, in folder: borrowing Folder) throws(SystemError) {
    try folder.removeTree(temporary)
    let copy = try folder.makeSharedFolder(temporary, mode: Self.folderMode)
    for file in files {
      let path = copy.path + "/" + file.name
      let open = try copy.makeSharedFile(file.name, mode: Self.fileMode)
      try SystemError.naming("write", path) { () throws(Errno) in try open.writeAll(file.bytes) }
      try SystemError.naming("fsync", path) { () throws(Errno) in try open.sync() }
    }
    try copy.syncIfPossible()
  }
}
