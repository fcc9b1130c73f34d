import CLinux
import Linux
import Testing

@testable import Display

/// On a file that is no terminal every call is refused, with ENOTTY.
@Suite struct ConsoleTests {
  private func file() throws -> FileDescriptor { try FileDescriptor(opening: "/dev/null", O_RDWR) }

  @Test func `a call that the kernel refuses is an error that names it`() throws {
    let file = try file()
    var mode: Int32 = 0
    #expect(throws: SystemError("KDGETMODE", "/dev/null", Errno(ENOTTY))) {
      try VirtualTerminal.control(file, KDGETMODE, &mode, "KDGETMODE", "/dev/null")
    }
    #expect(throws: SystemError("KDSETMODE", "/dev/null", Errno(ENOTTY))) {
      try VirtualTerminal.control(file, KDSETMODE, Int(KD_TEXT), "KDSETMODE", "/dev/null")
    }
  }

  @Test func `restoring a file that is not a terminal fails with the last call`() throws {
    let file = try file()
    #expect(throws: SystemError("KDSKBMODE", "/dev/null", Errno(ENOTTY))) {
      try VirtualTerminal.restore(file, mode: KD_TEXT, keyboard: K_UNICODE, "/dev/null")
    }
  }

  @Test func `a missing file, or one that is not a terminal, is no console`() throws {
    for path in ["/dev/null", "/nowhere/tty1"] {
      switch try VirtualTerminal.open(path) {
      case .some: Issue.record("\(path) is taken for a terminal")
      case .none: break
      }
    }
    #expect(VirtualTerminal.shown("/dev/null") == nil)
    #expect(VirtualTerminal.shown("/nowhere/tty0") == nil)
  }
}
