internal import CLinux
internal import Linux

/// Tells that a node of an input device came, went, or may be opened now. Without libudev: a node is
/// created for root alone, and IN_ATTRIB tells when udev gives it away.
struct NodeWatch: ~Copyable {
  private var inotify: Inotify
  /// The watch on `/dev`, of which only the folder of input devices matters.
  private var parent: Int32 = -1

  init() throws(SystemError) {
    do throws(Errno) { inotify = try Inotify() } catch {
      throw SystemError("inotify_init1", "", error)
    }
    // The folder goes with its last device, and comes back with the next.
    parent = add("/dev", IN_CREATE)
    watchInput()
  }

  /// For poll(2): readable when something happened.
  var number: Int32 { inotify.number }

  /// Makes it unreadable until something else happens; false if nothing of it concerns input devices.
  mutating func clear() -> Bool {
    let parent = parent
    var isNews = false
    do throws(Errno) {
      try inotify.read { notice, name in
        isNews = isNews || notice.watch != parent || String(decoding: name).isSame(as: "input")
      }
    } catch { return true }
    if isNews { watchInput() }
    return isNews
  }

  /// To watch a folder that is watched already changes nothing.
  private borrowing func watchInput() {
    _ = add(EventNodes.folder, IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
  }

  /// The watch's number; −1 where there is no such folder now.
  private borrowing func add(_ folder: String, _ mask: Int32) -> Int32 {
    do throws(Errno) {
      return try inotify.watch(folder, UInt32(bitPattern: mask))
    } catch { return -1 }
  }
}
