internal import CLinux
internal import Linux
internal import Spool

/// When this boot first saw an item without a time stamp, for a next run of the program.
///
/// The records are where those of crashes are: in the runtime directory, which is emptied at boot, else in the spool
/// with the boot's id. They are not synchronised. A lost record makes an item wait anew.
struct FirstSeen {
  private let folder: String?
  private let boot: String

  /// `folder`: that of the crash records; nil: nothing can be recorded.
  init(in folder: String?, boot: String = CrashCounter.currentBoot) {
    self.folder = folder
    self.boot = boot
  }

  private static let prefix = "unstamped."
  private func name(_ id: ItemID) -> String { Self.prefix + id.text }

  /// When it was first seen, CLOCK_MONOTONIC; nil: not recorded in this boot.
  func time(of id: ItemID) -> Int64? {
    guard let folder else { return nil }
    do throws(SystemError) {
      let file = try Folder(folder).openFile(name(id))
      let bytes = try SystemError.naming("read", folder) { () throws(Errno) in
        try file.readAll(limit: 128)
      }
      let words = (bytes ?? []).split(
        separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard words.count == 2, words[1].elementsEqual(boot.utf8),
        let time = Int64(String(decoding: words[0], as: UTF8.self)), time >= 0
      else { return nil }
      return time
    } catch { return nil }
  }

  /// Records the time, unless one is recorded in this boot.
  func record(_ id: ItemID, _ time: Int64) {
    guard let folder, self.time(of: id) == nil else { return }
    do throws(SystemError) {
      let open = try Folder(folder)
      try open.removeTree(name(id))
      let file = try open.makeFile(name(id), mode: 0o600)
      try SystemError.naming("write", folder) { () throws(Errno) in
        try file.writeAll(Array("\(time) \(boot)".utf8))
      }
    } catch {}
  }

  /// Removes the record.
  func forget(_ id: ItemID) {
    guard let folder else { return }
    try? Folder(folder).remove(name(id))
  }

  /// Removes the records of other items.
  func forget(except isKept: (ItemID) -> Bool) {
    guard let folder, let open = try? Folder(folder), let names = try? open.names() else { return }
    for name in names where name.utf8.starts(with: Self.prefix.utf8) {
      let id = ItemID(String(decoding: name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self))
      if id.map(isKept) != true { try? open.removeTree(name) }
    }
  }
}
