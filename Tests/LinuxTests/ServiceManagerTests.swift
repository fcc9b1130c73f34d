import CLinux
import Foundation
import Linux
import Testing

/// Changes the environment, so its tests run one after the other.
@Suite(.serialized) struct ServiceManagerTests {
  @Test func `lines arrive at the service manager's socket`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "notify-\(getpid())").path
    defer { unlink(path) }
    let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    setenv("NOTIFY_SOCKET", path, 1)
    setenv("WATCHDOG_USEC", "2000000", 1)
    defer {
      unsetenv("NOTIFY_SOCKET")
      unsetenv("WATCHDOG_USEC")
    }
    var manager = ServiceManager()
    manager.notify("READY=1\nSTATUS=lit")
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = recv(listener, &bytes, 64, Int32(MSG_DONTWAIT))
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "READY=1\nSTATUS=lit")
    let watchdog = manager.watchdog
    #expect(watchdog == 2_000_000_000)
  }

  @Test func `without a service manager there is no watchdog, and a notice is harmless`() {
    // That of the tests.
    unsetenv("NOTIFY_SOCKET")
    unsetenv("WATCHDOG_USEC")
    var manager = ServiceManager()
    manager.notify("READY=1")
    let watchdog = manager.watchdog
    #expect(watchdog == nil)
  }
}
