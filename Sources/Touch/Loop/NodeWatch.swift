internal import CLinux
internal import Linux

/// Watches the nodes of input devices by inotify, without libudev.
///
/// A node is created for root alone; IN_ATTRIB reports when udev changes its permissions.
struct NodeWatch: ~Copyable {
  /// Nil beyond the kernel's limit (fs.inotify.max_user_instances).
  private var inotify: Inotify?
  /// The watch on `/dev`, in which only the folder of input devices matters.
  private var parent: Int32 = -1
  /// Why watching failed; nil if it works. ENOSPC: fs.inotify.max_user_watches is too small.
  private(set) var failure: Errno?

  init() {
    do throws(Errno) { inotify = try Inotify() } catch { failure = error }
  }

  /// For poll(2): readable after a change; −1 if watching failed.
  var number: Int32 {
    switch inotify {
    case .some(let inotify): inotify.number
    case .none: -1
    }
  }

  /// Reads all notices. Returns false if none concerns input devices.
  mutating func drain() -> Bool {
    let parent = parent
    var isConcerned = false
    do throws(Errno) {
      try inotify?.read { notice, name in
        isConcerned =
          isConcerned || notice.watch != parent || String(decoding: name).isSame(as: "input")
      }
    } catch { return true }
    return isConcerned
  }

  /// Adds missing watches; call it before the folder is read. Watching a folder again changes nothing.
  mutating func renew() {
    guard inotify != nil else { return }
    failure = nil
    // The folder of input devices goes with its last device, and comes back with the next.
    parent = add("/dev", IN_CREATE)
    _ = add(EventNodes.folder, IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
  }

  /// The watch's number; −1 if there is no such folder or watching failed.
  private mutating func add(_ folder: String, _ mask: Int32) -> Int32 {
    do throws(Errno) {
      return try inotify?.watch(folder, UInt32(bitPattern: mask)) ?? -1
    } catch {
      if error.rawValue != ENOENT { failure = error }
      return -1
    }
  }
}
