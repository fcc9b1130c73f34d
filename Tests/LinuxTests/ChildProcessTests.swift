import CLinux
import Testing

@testable import Linux

@Suite struct ChildProcessTests {
  @Test func `waiting without a limit waits for the end`() throws {
    var child = try ChildProcess("/bin/sh", ["-c", "sleep 0.2; exit 7"])
    #expect(try child.wait() == .exit(7))
    #expect(try child.wait() == .exit(7))
  }

  @Test func `waiting with a limit leaves it running`() throws {
    var child = try ChildProcess("/bin/sleep", ["1000"])
    #expect(try child.wait(milliseconds: 0) == nil)
    child.signal(SIGTERM)
    #expect(try child.wait() == .signal(SIGTERM))
  }

  @Test(arguments: [false, true])
  func `the exit status is reported`(kept: Bool) throws {
    var code = try ChildProcess("/bin/sh", ["-c", "exit 3"], kept: kept)
    #expect(try code.wait() == .exit(3))
    var signal = try ChildProcess("/bin/sh", ["-c", "kill -9 $$"], kept: kept)
    #expect(try signal.wait() == .signal(SIGKILL))
    #expect(throws: Errno(ENOENT)) { _ = try ChildProcess("/nowhere", [], kept: kept) }
  }
}
