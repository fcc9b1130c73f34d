internal import CLinux
internal import Linux

/// Tells that a node of an input device came, went, or may be opened now. Without libudev: a node is
/// created for root alone, and IN_ATTRIB tells when udev gives it away.
struct NodeWatch: ~Copyable {
  private var inotify: Inotify
  private var isWatchingInput = false

  init() throws(SystemError) {
    do throws(Errno) { inotify = try Inotify() } catch {
      throw SystemError("inotify_init1", "", error)
    }
    // The folder goes with its last device, and comes back with the next.
    _ = add("/dev", IN_CREATE)
    watchInput()
  }

  /// For poll(2): readable when something happened.
  var number: Int32 { inotify.number }

  /// Makes it unreadable until something else happens.
  mutating func clear() {
    do throws(Errno) { try inotify.read { _, _ in } } catch { return }
    watchInput()
  }

  /// To watch a folder that is watched already changes nothing.
  private mutating func watchInput() {
    isWatchingInput = add(EventNodes.folder, IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
  }

  private borrowing func add(_ folder: String, _ mask: Int32) -> Bool {
    do throws(Errno) {
      _ = try inotify.watch(folder, UInt32(bitPattern: mask))
      return true
    } catch { return false }
  }
}
