internal import CLinux
internal import Linux

/// Notices that cards or their connectors may have changed: nodes that come and go in `/dev/dri`, and
/// the kernel's own events where the sandbox lets them through.
public struct HotplugWatch: ~Copyable {
  private var inotify: Inotify
  private var uevents: UeventSocket?
  private let all: EventPoll
  private let folder: String
  private var isWatchingFolder: Bool

  /// For poll(2).
  public var number: Int32 { all.number }

  /// Watches from here on: look at the cards after this, not before.
  public init() throws(DisplayError) { try self.init(folder: "/dev/dri") }

  init(folder: String) throws(DisplayError) {
    do throws(Errno) {
      let inotify = try Inotify()
      let all = try EventPoll()
      try all.add(inotify.number, key: 0)
      isWatchingFolder = Self.watch(folder, by: inotify)
      self.inotify = inotify
      self.all = all
    } catch {
      throw .refused(.wait, error)
    }
    self.folder = folder
    uevents = Self.listen(all)
  }

  private static func listen(_ all: borrowing EventPoll) -> UeventSocket? {
    do throws(Errno) {
      let socket = try UeventSocket()
      try all.add(socket.number, key: 1)
      return socket
    } catch {
      return nil
    }
  }

  /// The folder comes with the first card: until then the one above is watched. False if that is so.
  private static func watch(_ folder: String, by inotify: borrowing Inotify) -> Bool {
    // IN_ATTRIB: udev gives the node to its group a moment after the kernel made it.
    let changes = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO)
    do throws(Errno) {
      _ = try inotify.watch(folder, changes | UInt32(IN_DELETE_SELF))
      return true
    } catch {
      _ = try? inotify.watch(folder.parentFolder, UInt32(IN_CREATE))
      return false
    }
  }

  /// Whether anything has happened since last asked that is worth a look at the cards.
  public mutating func take() -> Bool {
    var isChanged = false
    var isFolderGone = false
    try? inotify.read { notice, _ in
      isChanged = true
      if notice.has(IN_DELETE_SELF | IN_IGNORED) { isFolderGone = true }
    }
    if isFolderGone || (isChanged && !isWatchingFolder) {
      isWatchingFolder = Self.watch(folder, by: inotify)
    }
    if let told = uevents?.take(subsystem: "drm") { isChanged = told || isChanged }
    return isChanged
  }
}

extension String {
  var parentFolder: String {
    let bytes = Array(utf8)
    guard let last = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return last == 0 ? "/" : String(decoding: bytes[..<last], as: UTF8.self)
  }
}
