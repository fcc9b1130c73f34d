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

  @Test func `a user that is unknown at first may call when a reload finds it`() {
    var access = ControlAccess(users: [], names: ["clerk", "guest"], own: 7)
    let before = access.find { _ in nil }
    #expect(before.isEmpty && !access.allows(12345) && access.allows(7))
    let found = access.find { $0 == "clerk" ? 12345 : nil }
    #expect(found == ["clerk"] && access.allows(12345) && !access.allows(23456))
    let again = access.find { _ in 12345 }
    #expect(again == ["guest"])
  }

  @Test func `a new account may call, and is looked for every ten seconds at most`() {
    var access = ControlAccess(users: [], names: ["clerk"], own: 7)
    var (asked, answers): ([UInt32], [Bool]) = ([], [])
    func connect(_ user: UInt32, at now: Int64, _ name: String?) {
      answers.append(
        access.admits(user, at: now) {
          asked.append($0)
          return name
        })
    }
    connect(12345, at: 0, nil)
    connect(12345, at: ControlAccess.lookInterval - 1, "clerk")
    connect(7, at: ControlAccess.lookInterval, "paraph")
    connect(12345, at: ControlAccess.lookInterval, "clerk")
    // No other user has this name, and nothing is left to be looked up.
    connect(23456, at: 3 * ControlAccess.lookInterval, "clerk")
    #expect(answers == [false, false, true, true, false] && asked == [12345, 12345])
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
    let pad = try FakePad(users: [12345], names: ["clerk-of-no-account"], mode: 0o666)
    chmod(pad.folder, 0o755)
    #expect(try error(asUser: 0, of: pad) == nil)
    #expect(try error(asUser: 12345, of: pad) == nil)
    #expect(try error(asUser: 23456, of: pad) == "org.varlink.service.PermissionDenied")
    #expect(pad.lines.all == ["control: user 23456 is not in [control] users: access denied"])
    let found = pad.server.findUsers { _ in 23456 }
    #expect(found == ["clerk-of-no-account"])
    #expect(try error(asUser: 23456, of: pad) == nil)
  }
}
