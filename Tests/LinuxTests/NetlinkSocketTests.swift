import CLinux
import Testing

@testable import Linux

@Suite struct NetlinkSocketTests {
  @Test func `what another process sends is taken and not believed`() throws {
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
    var isFound = socket.take { !$0.isEmpty }
    #expect(hasCome && !isFound)
    let isLeft = try poll.wait(milliseconds: 0)
    isFound = socket.take { _ in true }
    #expect(!isLeft && !isFound)
  }
}
