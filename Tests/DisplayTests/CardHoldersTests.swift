import CLinux
import Linux
import Testing

@testable import Display

@Suite struct CardHoldersTests {
  /// A folder that looks like `/proc`, gone with the test.
  private func withFakeProc(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/paraph-proc-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkdtemp($0) } }
    let path = String(cString: try #require(made ?? nil))
    defer { system("rm -r \(path)") }
    for (process, name, target) in [
      ("1", "systemd", "/dev/null"), ("312", "plymouthd", "/dev/dri/card0"),
      ("400", "weston", "/dev/dri/card10"), ("self", "nobody", "/dev/dri/card0"),
    ] {
      mkdir("\(path)/\(process)", 0o700)
      mkdir("\(path)/\(process)/fd", 0o700)
      symlink(target, "\(path)/\(process)/fd/5")
      let comm = try FileDescriptor(
        opening: "\(path)/\(process)/comm", O_WRONLY | O_CREAT, mode: 0o600)
      try comm.writeAll(name + "\n")
    }
    try body(path)
  }

  @Test func `whoever has the node open is named with its process`() throws {
    try withFakeProc { proc in
      #expect(CardHolders.names(of: "/dev/dri/card0", proc: proc) == ["plymouthd (312)"])
      #expect(CardHolders.names(of: "/dev/dri/card1", proc: proc).isEmpty)
    }
  }

  @Test func `a proc that may not be read names nobody`() {
    #expect(CardHolders.names(of: "/dev/dri/card0", proc: "/nowhere").isEmpty)
  }
}
