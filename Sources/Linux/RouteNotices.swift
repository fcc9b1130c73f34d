internal import CLinux

/// rtnetlink(7): tells when this machine gets a way to the world.
public struct RouteNotices: ~Copyable {
  private var socket: NetlinkSocket

  /// For poll(2).
  public var number: Int32 { socket.number }

  /// Refused where a sandbox allows no AF_NETLINK.
  public init() throws(Errno) {
    socket = try NetlinkSocket(
      protocol: NETLINK_ROUTE, groups: UInt32(RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE))
  }

  /// Takes the notices that wait. True if a default route came, or if notices were lost.
  public mutating func read() -> Bool { socket.take(where: Self.hasDefaultRoute) }

  /// Whether one of the messages is RTM_NEWROUTE to everywhere: `struct nlmsghdr` (16 bytes: length,
  /// type, …), then `struct rtmsg` (family, length of the destination, …), in the machine's byte order.
  static func hasDefaultRoute(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while rest.count >= 18 {
      let start = rest.startIndex
      let length = (0..<4).reduce(UInt32(0)) { $0 | UInt32(rest[start + $1]) << (8 * $1) }
      let type = UInt16(rest[start + 4]) | UInt16(rest[start + 5]) << 8
      if UInt32(littleEndian: length) < 16 { return false }
      if UInt16(littleEndian: type) == UInt16(RTM_NEWROUTE) && rest[start + 17] == 0 { return true }
      // Messages start at multiples of four.
      rest = rest.dropFirst(Int(clamping: (UInt64(UInt32(littleEndian: length)) + 3) & ~3))
    }
    return false
  }
}
