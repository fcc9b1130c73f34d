internal import CLibdrm
internal import CLinux
internal import Linux

/// An open DRM card.
///
/// Buffers and commits hold a reference, so that none outlives the descriptor.
final class Card {
  /// The device node, for example `/dev/dri/card0`.
  let path: String
  private let descriptor: FileDescriptor
  /// Whether atomic commits are supported; the capability is set.
  let isAtomic: Bool
  /// Whether all planes are listed; without this capability only overlays are.
  let hasUniversalPlanes: Bool

  /// The descriptor for ioctls and poll(2), borrowed.
  var fd: Int32 { descriptor.number }

  /// Opens a node. The first opener becomes master (kernel: drm_auth.c).
  init(opening path: String) throws(DisplayError) {
    let descriptor: FileDescriptor
    do throws(Errno) {
      // O_NONBLOCK: reading events must not block.
      descriptor = try FileDescriptor(opening: path, O_RDWR | O_NONBLOCK)
    } catch {
      throw DisplayError(.openCard, error, card: path)
    }
    let fd = descriptor.number
    self.path = path
    self.descriptor = descriptor
    hasUniversalPlanes = drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1) == 0
    isAtomic = hasUniversalPlanes && drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0
  }

  /// A card over an invalid descriptor, for tests of refused calls.
  init(unusable number: Int32) {
    path = "/dev/dri/none"
    descriptor = FileDescriptor(owning: number)
    (isAtomic, hasUniversalPlanes) = (false, false)
  }

  /// A capability of the driver; nil if the driver does not know it.
  func capability(_ which: Int32) -> UInt64? {
    var value: UInt64 = 0
    return unsafe drmGetCap(fd, UInt64(which), &value) == 0 ? value : nil
  }

  /// The driver's name, for example `virtio_gpu`.
  var driver: String {
    guard let version = unsafe drmGetVersion(fd) else { return "unknown" }
    defer { unsafe drmFreeVersion(version) }
    guard let name = unsafe version.pointee.name else { return "unknown" }
    return unsafe String(cString: name)
  }

  /// Performs an ioctl; libdrm repeats it on EINTR and EAGAIN.
  func control<T: BitwiseCopyable>(
    _ request: UInt, _ argument: inout T, _ call: DisplayCall
  ) throws(DisplayError) {
    guard unsafe drmIoctl(fd, request, &argument) == 0 else {
      throw DisplayError(call, Errno.current, card: path)
    }
  }

  /// Whether this descriptor may set modes.
  ///
  /// The query has no side effect: a master gets EINVAL for the magic 0, all others EACCES.
  var isMaster: Bool { drmAuthMagic(fd, 0) != -EACCES }

  /// Becomes master of the card.
  ///
  /// Only a former master on this descriptor and CAP_SYS_ADMIN may. Call it on the thread that opened the card:
  /// kernels 6.6 and early 6.7 compare thread ids.
  func becomeMaster() throws(DisplayError) {
    if isMaster { return }
    if drmSetMaster(fd) == 0 { return }
    let errno = Errno.current
    if errno.rawValue == EACCES || errno.rawValue == EBUSY {
      throw .held(card: path, by: Card.holders(of: path))
    }
    throw DisplayError(.setMaster, errno, card: path)
  }

  /// Stops being master, so that another program can become it.
  func dropMaster() { _ = drmDropMaster(fd) }

  /// Other processes that have a card open, as far as `/proc` is readable: for example "plymouthd (312)".
  static func holders(of card: String, proc: String = "/proc") -> [String] {
    let processes = (try? Folder.names(of: proc)) ?? []
    return processes.compactMap { process in
      guard let id = Int32(process), id != getpid() else { return nil }
      let folder = "\(proc)/\(process)/fd"
      let isHolder = ((try? Folder.names(of: folder)) ?? []).contains { number in
        Folder.target(ofLink: "\(folder)/\(number)")?.isSame(as: card) ?? false
      }
      guard isHolder else { return nil }
      return "\(Folder.line(of: "\(proc)/\(process)/comm") ?? "unknown") (\(id))"
    }
  }

  /// The nodes of all cards, for example `/dev/dri/card0`, by number.
  static func nodes(in folder: String = "/dev/dri") -> [String] {
    let names = (try? Folder.names(of: folder)) ?? []
    return names.compactMap { number($0) }.sorted().map { "\(folder)/card\($0)" }
  }

  /// The number in a card's name: 0 for "card0"; nil for "card0-HDMI-A-1" and other names.
  static func number(_ name: String) -> Int? {
    guard name.utf8.starts(with: "card".utf8) else { return nil }
    let digits = name.utf8.dropFirst(4)
    return digits.allSatisfy { (48...57).contains($0) } ? Int(Substring(digits)) : nil
  }

  /// The links below `by-path` to a node; they stay the same when cards change their order.
  static func links(to path: String, in folder: String = "/dev/dri") -> [String] {
    let names = (try? Folder.names(of: "\(folder)/by-path")) ?? []
    return names.map { "\(folder)/by-path/\($0)" }.filter { link in
      Folder.target(ofLink: link)?.isPath(named: path.lastPathComponent) ?? false
    }
  }
}

extension DisplayError {
  /// The meaning of a failed call: the card is gone, or only the call failed.
  init(_ call: DisplayCall, _ errno: Errno, card: String) {
    switch errno.rawValue {
    case ENODEV, ENXIO: self = .gone(card: card)
    default: self = .refused(call, errno)
    }
  }
}

extension String {
  /// Whether this path is `name` or ends in it after a slash.
  func isPath(named name: String) -> Bool {
    isSame(as: name) || !name.isEmpty && utf8.ends(with: "/\(name)".utf8)
  }

  /// The part after the last slash.
  var lastPathComponent: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
    return String(Substring(utf8[utf8.index(after: slash)...]))
  }
}
