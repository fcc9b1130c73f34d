internal import CLinux

/// Receives the kernel's netlink(7) multicast messages.
struct NetlinkSocket: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: 32768)

  /// The descriptor for poll(2).
  var number: Int32 { descriptor.number }

  /// Subscribes to groups of a protocol. Fails with EAFNOSUPPORT or EPERM in some sandboxes.
  init(protocol protocolNumber: Int32, groups: UInt32) throws(Errno) {
    let socket = FileDescriptor(
      owning: try Errno.check { CLinux_socket(AF_NETLINK, protocolNumber) })
    let number = socket.number
    _ = try Errno.check { CLinux_bindNetlink(number, groups) }
    descriptor = socket
  }

  /// Reads all pending messages. True if `isWanted` accepts one, or if messages were lost.
  mutating func drain(where isWanted: (ArraySlice<UInt8>) -> Bool) -> Bool {
    var isFound = false
    while true {
      let number = number
      let count = unsafe buffer.withUnsafeMutableBufferPointer {
        unsafe CLinux_receiveFromKernel(number, $0.baseAddress, $0.count)
      }
      let errno = Errno.current
      if count >= 0 {
        isFound = isWanted(buffer[0..<count]) || isFound
      } else if errno.rawValue == ENOBUFS {
        isFound = true
      } else if errno.rawValue != EINTR {
        return isFound
      }
    }
  }
}

/// Receives the kernel's device events without udev (NETLINK_KOBJECT_UEVENT, group 1).
///
/// They also reach private network namespaces of the initial user namespace (kobject_uevent.c,
/// `uevent_net_broadcast_untagged`).
public struct UeventSocket: ~Copyable {
  private var socket: NetlinkSocket

  /// The descriptor for poll(2).
  public var number: Int32 { socket.number }

  /// Subscribes to the events. Fails with EAFNOSUPPORT or EPERM in some sandboxes.
  public init() throws(Errno) {
    socket = try NetlinkSocket(protocol: NETLINK_KOBJECT_UEVENT, groups: 1)
  }

  /// Reads all pending events. True if one is of the subsystem, such as `drm`, or if events were lost.
  public mutating func drain(subsystem: String) -> Bool {
    let wanted = "SUBSYSTEM=\(subsystem)"
    return socket.drain { $0.split(separator: 0).contains { $0.elementsEqual(wanted.utf8) } }
  }
}

/// Reports new default routes (rtnetlink(7)).
public struct RouteNotices: ~Copyable {
  private var socket: NetlinkSocket

  /// The descriptor for poll(2).
  public var number: Int32 { socket.number }

  /// Subscribes to route changes. Fails in sandboxes without AF_NETLINK.
  public init() throws(Errno) {
    socket = try NetlinkSocket(
      protocol: NETLINK_ROUTE, groups: UInt32(RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE))
  }

  /// Reads all pending notices. True if a default route was added, or if notices were lost.
  public mutating func read() -> Bool { socket.drain(where: Self.hasDefaultRoute) }

  /// Whether one of the messages is an RTM_NEWROUTE with an empty destination.
  ///
  /// A message is a `struct nlmsghdr` (16 bytes: length, type, …) and a `struct rtmsg` (family, length of the
  /// destination, …) in native byte order.
  static func hasDefaultRoute(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while rest.count >= 18 {
      let start = rest.startIndex
      let length = (0..<4).reduce(UInt32(0)) { $0 | UInt32(rest[start + $1]) << (8 * $1) }
      let type = UInt16(rest[start + 4]) | UInt16(rest[start + 5]) << 8
      if UInt32(littleEndian: length) < 16 { return false }
      if UInt16(littleEndian: type) == UInt16(RTM_NEWROUTE) && rest[start + 17] == 0 { return true }
      // NLMSG_ALIGN: messages start at multiples of four.
      rest = rest.dropFirst(Int(clamping: (UInt64(UInt32(littleEndian: length)) + 3) & ~3))
    }
    return false
  }
}
