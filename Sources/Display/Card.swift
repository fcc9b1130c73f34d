internal import CLibdrm
internal import CLinux
internal import Linux

/// An open card. Buffers and commits hold it, so that none outlives the descriptor or meets a reused
/// number.
final class Card {
  /// Its node, for example `/dev/dri/card0`.
  let path: String
  private let descriptor: FileDescriptor
  /// Universal planes and atomic commits are there, and asked for.
  let isAtomic: Bool
  /// Which universal planes are visible: without them GETPLANERESOURCES lists only overlays.
  let hasUniversalPlanes: Bool

  /// For ioctls and poll(2); borrowed.
  var fd: Int32 { descriptor.number }

  /// Opens a node. The first opener becomes master with it (kernel: drm_auth.c).
  init(opening path: String) throws(DisplayError) {
    let descriptor: FileDescriptor
    do throws(Errno) {
      // Without O_NONBLOCK reading with no event there would block.
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

  /// A card over a descriptor that is not one: tests of refusals.
  init(unusable number: Int32) {
    path = "/dev/dri/none"
    descriptor = FileDescriptor(owning: number)
    (isAtomic, hasUniversalPlanes) = (false, false)
  }

  /// A capability of the driver, or nil if it does not know it.
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

  /// Answers an ioctl's argument struct; repeats on EINTR and EAGAIN as libdrm does.
  func control<T: BitwiseCopyable>(
    _ request: UInt, _ argument: inout T, _ call: DisplayCall
  ) throws(DisplayError) {
    guard unsafe drmIoctl(fd, request, &argument) == 0 else {
      throw DisplayError(call, Errno.current, card: path)
    }
  }
}

extension DisplayError {
  /// Says what a refusal means where that is known: the card is gone, or only the call failed.
  init(_ call: DisplayCall, _ errno: Errno, card: String) {
    switch errno.rawValue {
    case ENODEV, ENXIO: self = .gone(card: card)
    default: self = .refused(call, errno)
    }
  }
}
