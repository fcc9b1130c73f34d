internal import CLinux
internal import Linux

/// Watches for changes of cards and connectors.
///
/// Sources are the nodes in `/dev/dri` and the kernel's uevents, unless the sandbox blocks these.
public struct HotplugWatch: ~Copyable {
  private var inotify: Inotify
  private var uevents: UeventSocket?
  private let poll: EventPoll
  private let folder: String
  private var isWatchingFolder: Bool

  /// The descriptor for poll(2).
  public var number: Int32 { poll.number }

  /// Watches from now on; survey the cards afterwards.
  public init() throws(DisplayError) { try self.init(folder: "/dev/dri") }

  init(folder: String) throws(DisplayError) {
    do throws(Errno) {
      let inotify = try Inotify()
      let poll = try EventPoll()
      try poll.add(inotify.number, key: 0)
      isWatchingFolder = Self.watch(folder, by: inotify)
      self.inotify = inotify
      self.poll = poll
    } catch {
      throw .refused(.wait, error)
    }
    self.folder = folder
    uevents = Self.openUevents(poll)
  }

  private static func openUevents(_ poll: borrowing EventPoll) -> UeventSocket? {
    do throws(Errno) {
      let socket = try UeventSocket()
      try poll.add(socket.number, key: 1)
      return socket
    } catch {
      return nil
    }
  }

  /// Watches the folder; false if it does not exist yet, and its parent is watched instead.
  private static func watch(_ folder: String, by inotify: borrowing Inotify) -> Bool {
    // IN_ATTRIB: udev changes the node's group after the kernel created it.
    let changes = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
    do throws(Errno) {
      _ = try inotify.watch(folder, changes | UInt32(IN_DELETE_SELF))
      return true
    } catch {
      _ = try? inotify.watch(folder.parentFolder, UInt32(IN_CREATE))
      return false
    }
  }

  /// Reads the pending notices; true if cards or connectors may have changed.
  public mutating func readChanges() -> Bool {
    var isChanged = false
    var isFolderGone = false
    try? inotify.read { notice, _ in
      isChanged = true
      if notice.has(IN_DELETE_SELF | IN_IGNORED) { isFolderGone = true }
    }
    if isFolderGone || (isChanged && !isWatchingFolder) {
      isWatchingFolder = Self.watch(folder, by: inotify)
    }
    if uevents?.drain(subsystem: "drm") == true { isChanged = true }
    return isChanged
  }
}

extension String {
  /// The part before the last slash.
  fileprivate var parentFolder: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == utf8.startIndex ? "/" : String(Substring(utf8[..<slash]))
  }
}
