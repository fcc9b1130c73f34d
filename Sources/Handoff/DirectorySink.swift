internal import CLinux
internal import Configuration
internal import Linux
internal import Spool

/// Delivers into a folder, on this or another filesystem: `OUTBOX/ID/` with the item's files is there
/// whole, or not at all.
struct DirectorySink {
  let configuration: DirectorySinkConfiguration

  private static let folderMode: UInt32 = 0o2770
  private static let fileMode: UInt32 = 0o640

  func deliver(_ item: Item) -> Outcome {
    do throws(SystemError) {
      let outbox = try Folder(configuration.path)
      let name = item.manifest.id.text
      if let outcome = try answer(to: item, in: outbox) { return outcome }
      let temporary = ".\(name).part"
      try write(item, as: temporary, in: outbox)
      try publish(temporary, as: name, in: outbox)
      try sync(outbox)
      return .delivered
    } catch {
      return .later(error.text)
    }
  }

  /// What a folder of the item's name that is there already means; nil if there is none. A delivery
  /// that was cut short after its rename is found here, and its rename may not be on the disk yet.
  private func answer(
    to item: Item, in outbox: borrowing Folder
  ) throws(SystemError) -> Outcome? {
    let name = item.manifest.id.text
    do throws(SystemError) {
      if try outbox.status(of: name).kind != .folder {
        return .never("\(outbox.path)/\(name) is there and is no folder")
      }
    } catch {
      if error.errno.rawValue == ENOENT { return nil }
      throw error
    }
    do throws(Item.Failure) {
      // Whoever empties the outbox may have left a mark of its own in the folder.
      let there = try Item(item.manifest.id, in: outbox, allowingMore: true)
      if there.manifest != item.manifest {
        return .never("\(outbox.path)/\(name) is there with another content")
      }
    } catch {
      if case .system(let error) = error { throw error }
      return .never("\(outbox.path)/\(name) is there with another content")
    }
    try sync(outbox)
    return .delivered
  }

  private func write(
    _ item: Item, as temporary: String, in outbox: borrowing Folder
  ) throws(SystemError) {
    try outbox.removeTree(temporary)
    let folder = try outbox.makeSharedFolder(temporary, mode: Self.folderMode)
    for file in item.files {
      let path = folder.path + "/" + file.name
      let open = try folder.makeSharedFile(file.name, mode: Self.fileMode)
      try SystemError.naming("write", path) { () throws(Errno) in try open.writeAll(file.bytes) }
      try SystemError.naming("fsync", path) { () throws(Errno) in try open.sync() }
    }
    try sync(folder)
  }

  /// NFS and some FUSE filesystems refuse RENAME_NOREPLACE. A plain rename replaces no folder that has
  /// something in it, and ours always have.
  private func publish(
    _ temporary: String, as name: String, in outbox: borrowing Folder
  ) throws(SystemError) {
    do throws(SystemError) {
      try outbox.move(temporary, to: outbox, as: name)
    } catch {
      if error.errno.rawValue != EINVAL && error.errno.rawValue != ENOSYS { throw error }
      try outbox.rename(temporary, to: outbox, as: name)
    }
  }

  /// Some network filesystems cannot fsync a folder (EINVAL): theirs is the promise then.
  private func sync(_ folder: borrowing Folder) throws(SystemError) {
    do throws(SystemError) {
      try folder.sync()
    } catch { if error.errno.rawValue != EINVAL { throw error } }
  }
}
