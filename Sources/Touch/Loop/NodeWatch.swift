internal import CLinux
internal import Linux

/// Tells that a node of an input device came, went, or may be opened now. Without libudev: a node is
/// created for root alone, and IN_ATTRIB tells when udev gives it away.
struct NodeWatch: ~Copyable {
  /// Nil where the kernel grants no more (fs.inotify.max_user_instances).
  private var inotify: Inotify?
  /// The watch on `/dev`, of which only the folder of input devices matters.
  private var parent: Int32 = -1
  /// Why notices do not come; nil while they do. ENOSPC: fs.inotify.max_user_watches is too small.
  private(set) var trouble: Errno?

  init() {
    do throws(Errno) { inotify = try Inotify() } catch { trouble = error }
  }

  /// For poll(2): readable when something happened; −1 where notices do not come.
  var number: Int32 {
    switch inotify {
    case .some(let inotify): inotify.number
    case .none: -1
    }
  }

  /// Makes it unreadable until something else happens; false if nothing of it concerns input devices.
  mutating func clear() -> Bool {
    let parent = parent
    var isNews = false
    do throws(Errno) {
      try inotify?.read { notice, name in
        isNews = isNews || notice.watch != parent || String(decoding: name).isSame(as: "input")
      }
    } catch { return true }
    return isNews
  }

  /// Watches what is not watched yet; call it before the folder is read. To watch a folder again changes nothing.
  mutating func renew() {
    guard inotify != nil else { return }
    trouble = nil
    // The folder of input devices goes with its last device, and comes back with the next.
    parent = add("/dev", IN_CREATE)
    _ = add(EventNodes.folder, IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
  }

  /// The watch's number; −1 where there is no such folder, or `trouble` says why not.
  private mutating func add(_ folder: String, _ mask: Int32) -> Int32 {
    do throws(Errno) {
      return try inotify?.watch(folder, UInt32(bitPattern: mask)) ?? -1
    } catch {
      if error.rawValue != ENOENT { trouble = error }
      return -1
    }
  }
}
