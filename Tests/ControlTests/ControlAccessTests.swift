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
    var (looks, answers): (Int, [Bool]) = (0, [])
    func connect(_ user: UInt32, at now: Int64, _ accounts: String) {
      answers.append(
        access.admits(user, at: now) {
          looks += 1
          return Array(accounts.utf8)
        })
    }
    connect(12345, at: 0, Self.root)
    connect(12345, at: ControlAccess.lookInterval - 1, Self.root + Self.clerk)
    connect(7, at: ControlAccess.lookInterval, Self.root + Self.clerk)
    connect(12345, at: ControlAccess.lookInterval, Self.root + Self.clerk)
    // No other user has this name, and nothing is left to be looked up.
    connect(23456, at: 3 * ControlAccess.lookInterval, Self.root + Self.clerk)
    #expect(answers == [false, false, true, true, false] && looks == 2)
  }

  private static let root = "root:x:0:0:root:/root:/bin/sh\nclerks:x:500:100::/:\n+\n"
  private static let clerk = "clerk:x:12345:100:Clerk:/home/clerk:/bin/sh\n"

  @Test func `neither refused users nor found ones keep a new account waiting`() {
    var access = ControlAccess(users: [], names: ["clerk", "guest"], own: 7)
    func admits(_ user: UInt32, at now: Int64, _ accounts: String) -> Bool {
      access.admits(user, at: now) { Array(accounts.utf8) }
    }
    // The second look finds the clerk, who comes later.
    let refused = [
      admits(500, at: 0, Self.root),
      admits(500, at: ControlAccess.lookInterval, Self.root + Self.clerk),
      admits(12345, at: ControlAccess.lookInterval + 1, ""),
    ]
    #expect(refused == [false, false, true])
    access = ControlAccess(users: [], names: ["clerk", "guest"], own: 7)
    let found = [admits(12345, at: 0, Self.clerk), admits(23456, at: 1, "guest:x:23456:100::/:")]
    #expect(found == [true, true])
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
