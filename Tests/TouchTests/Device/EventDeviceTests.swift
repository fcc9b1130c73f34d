import CLinux
import Linux
import Testing

@testable import Touch

@Suite struct EventDeviceTests {
  @Test func `a missing node is refused with the kernel's reason`() {
    #expect(throws: SystemError("open", "/dev/input/none", Errno(ENOENT))) {
      _ = try EventDevice(opening: "/dev/input/none")
    }
  }

  @Test func `a file that is not an event device is refused`() {
    #expect(throws: SystemError("EVIOCSCLOCKID", "/dev/null", Errno(ENOTTY))) {
      _ = try EventDevice(opening: "/dev/null")
    }
  }
}
