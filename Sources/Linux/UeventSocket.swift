internal import CLinux

/// The kernel's own notices about devices (NETLINK_KOBJECT_UEVENT, group 1), without udev. They reach
/// private network namespaces too, as long as these belong to the first user namespace
/// (kobject_uevent.c, `uevent_net_broadcast_untagged`).
public struct UeventSocket: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: 8192)

  /// For poll(2).
  public var number: Int32 { descriptor.number }

  /// Listens from here on. A sandbox may forbid it: EAFNOSUPPORT or EPERM.
  public init() throws(Errno) {
    let protocolNumber: Int32 = 15  // NETLINK_KOBJECT_UEVENT
    let socket = FileDescriptor(
      owning: try Errno.check {
        CLinux_socket(AF_NETLINK, protocolNumber)
      })
    let number = socket.number
    _ = try Errno.check { CLinux_bindNetlink(number, 1) }
    descriptor = socket
  }

  /// Reads all that waits: whether something was said about a subsystem, for example `drm`. A queue that
  /// ran over may have said it.
  public mutating func take(subsystem: String) -> Bool {
    let wanted = Array("SUBSYSTEM=\(subsystem)".utf8)
    var isTold = false
    while true {
      let number = number
      let count = unsafe buffer.withUnsafeMutableBufferPointer {
        unsafe CLinux_receiveFromKernel(number, $0.baseAddress, $0.count)
      }
      let errno = Errno.current
      if count >= 0 {
        isTold =
          isTold || buffer[0..<count].split(separator: 0).contains { $0.elementsEqual(wanted) }
      } else if errno.rawValue == ENOBUFS {
        isTold = true
      } else if errno.rawValue != EINTR {
        return isTold
      }
    }
  }
}
