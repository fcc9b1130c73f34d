import CLinux
import Testing

@testable import Linux

@Suite struct NetlinkSocketTests {
  @Test func `messages of other processes are ignored`() throws {
    var socket = try NetlinkSocket(protocol: NETLINK_USERSOCK, groups: 0)
    var address = sockaddr_nl()
    var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
    let sender = FileDescriptor(
      owning: try Errno.check { CLinux_socket(AF_NETLINK, NETLINK_USERSOCK) })
    let bytes = Array("SUBSYSTEM=drm".utf8)
    let sent = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(socket.number, $0, &length)
        return CLinux_sendTo(sender.number, bytes, bytes.count, $0, length)
      }
    }
    #expect(sent == bytes.count)
    var poll = Poll()
    poll.add(socket.number)
    let hasCome = try poll.wait(milliseconds: 10_000)
    var isFound = socket.drain { !$0.isEmpty }
    #expect(hasCome && !isFound)
    let isLeft = try poll.wait(milliseconds: 0)
    isFound = socket.drain { _ in true }
    #expect(!isLeft && !isFound)
  }
}

@Suite struct RouteNoticesTests {
  /// A message: `struct nlmsghdr`, then `struct rtmsg` with this length of the destination.
  func message(_ type: UInt8, _ destinationLength: UInt8, extra: Int = 0) -> [UInt8] {
    let length = 28 + extra
    let header: [UInt8] = [UInt8(length), 0, 0, 0, type, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
    let body: [UInt8] = [2, destinationLength] + [UInt8](repeating: 0, count: 10 + extra)
    return header + body + [UInt8](repeating: 0, count: (4 - length % 4) % 4)
  }

  func hasDefaultRoute(_ bytes: [UInt8]) -> Bool { RouteNotices.hasDefaultRoute(bytes[...]) }

  @Test func `a new route to everywhere is found, also after others`() {
    #expect(hasDefaultRoute(message(24, 0)))
    #expect(hasDefaultRoute(message(24, 24, extra: 5) + message(25, 0) + message(24, 0)))
  }

  @Test func `other routes, removals and broken messages are none`() {
    #expect(!hasDefaultRoute([]))
    #expect(!hasDefaultRoute(message(24, 24)))
    #expect(!hasDefaultRoute(message(25, 0)))
    #expect(!hasDefaultRoute(Array(message(24, 0).prefix(17))))
    #expect(!hasDefaultRoute([0, 0, 0, 0] + message(24, 0)))
    #expect(!hasDefaultRoute([255, 255, 255, 255, 25, 0] + [UInt8](repeating: 0, count: 40)))
  }
}
