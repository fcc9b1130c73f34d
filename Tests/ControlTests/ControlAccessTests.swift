import CLinux
import Linux
import Testing

@testable import Control

@Suite struct ControlAccessTests {
  @Test(arguments: [(0, true), (7, true), (12345, true), (1, false), (12346, false), (.max, false)])
  func `root, the pad's own user and the configured users may call the pad`(
    _ user: UInt32, _ allowed: Bool
  ) {
    #expect(ControlAccess(users: [12345], own: 7).allows(user) == allowed)
    #expect(ControlAccess(users: [], own: 7).allows(user))
  }

  private static let setpriv = "/usr/bin/setpriv"
  private static let python = "/usr/bin/python3"

  /// A client that runs as this user: the error that it is answered with, or nil.
  private func error(asUser user: UInt32, of pad: FakePad) throws -> String? {
    let script = """
      import json, socket, sys
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      s.sendall(b'{"method":"org.paraph.Pad.Watch"}\\0')
      reply = b""
      while not reply.endswith(b"\\0"): reply += s.recv(65536)
      print(json.loads(reply[:-1]).get("error"), end="")
      """
    let path = pad.path + ".output"
    let output = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
    defer { unlink(path) }
    var child = try ChildProcess(
      Self.setpriv,
      [
        "--reuid=\(user)", "--regid=\(user)", "--clear-groups", Self.python, "-c", script, pad.path,
      ], output: output.number)
    var end: ChildProcess.End?
    var turns = 0
    while end == nil, turns < 3000 {
      try pad.settle()
      end = try child.wait(milliseconds: 10)
      turns += 1
    }
    try #require(end == .exit(0))
    let text = String(
      decoding: try FileDescriptor(opening: path, O_RDONLY).readAll(limit: 1000) ?? [],
      as: UTF8.self)
    return text == "None" ? nil : text
  }

  @Test(
    .enabled(
      if: geteuid() == 0 && access(setpriv, X_OK) == 0 && access(python, X_OK) == 0,
      "needs root, setpriv and python3"))
  func `clients of other users are refused unless the configuration names them`() throws {
    let pad = try FakePad(users: [12345], mode: 0o666)
    chmod(pad.folder, 0o755)
    #expect(try error(asUser: 0, of: pad) == nil)
    #expect(try error(asUser: 12345, of: pad) == nil)
    #expect(try error(asUser: 23456, of: pad) == "org.varlink.service.PermissionDenied")
    #expect(pad.lines.all == ["control: user 23456 is not in [control] users: access denied"])
  }
}
