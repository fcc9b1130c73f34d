internal import CLinux

/// The kernel's own notices about devices (NETLINK_KOBJECT_UEVENT, group 1), without udev. They reach
/// private network namespaces too, as long as these belong to the first user namespace
/// (kobject_uevent.c, `uevent_net_broadcast_untagged`).
public struct UeventSocket: ~Copyable {
  private var socket: NetlinkSocket

  /// For poll(2).
  public var number: Int32 { socket.number }

  /// Listens from here on. A sandbox may forbid it: EAFNOSUPPORT or EPERM.
  public init() throws(Errno) {
    socket = try NetlinkSocket(protocol: NETLINK_KOBJECT_UEVENT, groups: 1)
  }

  /// Reads all that waits: whether something was said about a subsystem, for example `drm`. A queue that
  /// ran over may have said it.
  public mutating func take(subsystem: String) -> Bool {
    let wanted = Array("SUBSYSTEM=\(subsystem)".utf8)
    return socket.take { $0.split(separator: 0).contains { $0.elementsEqual(wanted) } }
  }
}
