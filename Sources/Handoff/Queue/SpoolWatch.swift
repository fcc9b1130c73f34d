internal import CLinux
internal import Linux
internal import Spool

/// The kernel's notices about `new` and the requests to flush. They may be lost, so that regular scans are still
/// necessary.
struct SpoolWatch: ~Copyable {
  /// Nil before the first `attach`, and beyond the kernel's limit (fs.inotify.max_user_instances).
  private var inotify: Inotify?
  private var watch: Int32?
  /// Of the folder of requests; nil: its requests are found by scans.
  private var flushWatch: Int32?
  /// The identity of the watched folder.
  private var device: UInt64 = 0, inode: UInt64 = 0

  /// For poll(2); −1: there are no notices.
  var number: Int32 {
    switch inotify {
    case .some(let inotify): inotify.number
    case .none: -1
    }
  }

  /// Watches the spool's current folder. Throws ENOSPC if fs.inotify.max_user_watches is too small.
  mutating func attach(to spool: borrowing Spool) throws(SystemError) {
    if inotify == nil {
      inotify = try SystemError.naming("inotify_init1", "") { () throws(Errno) in try Inotify() }
    }
    let status = try spool.new.status()
    let isSame = status.device == device && status.inode == inode
    if watch == nil || flushWatch == nil || !isSame {
      if let flushWatch { inotify?.remove(flushWatch) }
      let mask = UInt32(IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW)
      flushWatch = try? inotify?.watch(spool.flushPath, mask)
    }
    if watch != nil && isSame { return }
    if let watch { inotify?.remove(watch) }
    watch = nil
    let path = spool.new.path
    let mask = UInt32(IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW)
    watch = try SystemError.naming("inotify_add_watch", path) { () throws(Errno) in
      try inotify?.watch(path, mask)
    }
    (device, inode) = (status.device, status.inode)
  }

  /// The work that notices cause.
  struct Result {
    /// Notices were lost, the folder was replaced, or a foreign entry appeared.
    var needsScan = false
    /// There is a request to flush.
    var hasRequests = false
  }

  /// Calls `arrived` with the items that were published.
  mutating func read(_ arrived: (ItemID) -> Void) throws(SystemError) -> Result {
    var result = Result()
    var ended = false
    var flushEnded = false
    let (current, flushWatch) = (watch, flushWatch)
    try SystemError.naming("read", "inotify") { () throws(Errno) in
      try inotify?.read { notice, name in
        if notice.has(IN_Q_OVERFLOW) {
          result.needsScan = true
        } else if notice.watch == flushWatch {
          if notice.has(IN_IGNORED) { flushEnded = true } else { result.hasRequests = true }
        } else if notice.watch != current {
          // A notice about an earlier folder.
          return
        } else if notice.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) {
          ended = true
        } else if let id = ItemID(name) {
          arrived(id)
        } else {
          result.needsScan = true
        }
      }
    }
    if flushEnded { self.flushWatch = nil }
    if ended {
      if let watch { inotify?.remove(watch) }
      watch = nil
      result.needsScan = true
    }
    return result
  }
}
