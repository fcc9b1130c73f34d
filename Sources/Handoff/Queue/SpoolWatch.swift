internal import CLinux
internal import Linux
internal import Spool

/// The kernel's notices about `new`. They may be lost, so that regular scans are still necessary.
struct SpoolWatch: ~Copyable {
  private var inotify: Inotify
  private var watch: Int32?
  /// The identity of the watched folder.
  private var device: UInt64 = 0, inode: UInt64 = 0

  /// For poll(2).
  var number: Int32 { inotify.number }

  init() throws(Errno) { inotify = try Inotify() }

  /// Watches the spool's current folder.
  mutating func attach(to spool: borrowing Spool) throws(SystemError) {
    let status = try spool.new.status()
    if watch != nil && status.device == device && status.inode == inode { return }
    if let watch { inotify.remove(watch) }
    watch = nil
    let path = spool.new.path
    let mask = UInt32(IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW)
    watch = try SystemError.naming("inotify_add_watch", path) { () throws(Errno) in
      try inotify.watch(path, mask)
    }
    (device, inode) = (status.device, status.inode)
  }

  /// Calls `arrived` with the items that were published. Returns true if a scan is due: notices were lost, the
  /// folder was replaced, or a foreign entry appeared.
  mutating func read(_ arrived: (ItemID) -> Void) throws(SystemError) -> Bool {
    var scan = false
    var ended = false
    let current = watch
    try SystemError.naming("read", "inotify") { () throws(Errno) in
      try inotify.read { notice, name in
        if notice.has(IN_Q_OVERFLOW) {
          scan = true
        } else if notice.watch != current {
          // A notice about an earlier folder.
          return
        } else if notice.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) {
          ended = true
        } else if let id = ItemID(name) {
          arrived(id)
        } else {
          scan = true
        }
      }
    }
    if ended {
      if let watch { inotify.remove(watch) }
      watch = nil
    }
    return scan || ended
  }
}
