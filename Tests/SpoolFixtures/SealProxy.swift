import CLinux
import Linux

/// A program in the place of paraph-seal that passes requests on to it, until it is told to do something else.
public struct SealProxy {
  /// A request.
  public enum Request: String, CaseIterable, Sendable {
    /// What the requests of a signature need is loaded.
    case prepare = "content[0] == 7"
    /// The ink is sealed, which tests of the recipients do not.
    case seal = "content[0] == 1"
    /// The manifest is signed, after the sealed files were written.
    case sign = "content[0] == 3 and b'sequence' in content"
    /// A request for a time stamp is written.
    case query = "content[0] == 5"
    /// A time stamp is checked.
    case stamp = "content[0] == 6"
  }

  /// The program.
  public let path: String
  private let folder: TemporaryFolder

  /// `request`: instead of which it does what `arm` says.
  public init(in folder: TemporaryFolder, insteadOf request: Request) throws {
    self.folder = folder
    path = folder.path + "/proxy"
    try Fixtures.write(
      path,
      Array(
        """
        #!/usr/bin/python3
        import os, struct, subprocess, sys, time
        def read(number, count):
            content = b""
            while len(content) < count:
                part = os.read(number, count - len(content))
                if not part:
                    break
                content += part
            return content
        def frame(number):
            head = read(number, 8)
            return head, head and read(number, struct.unpack(">I", head[4:])[0])
        def note(word):
            with open("\(folder.path)/requests", "a") as file:
                file.write(f"{os.getpid()} {word}\\n")
        real = None
        note("start")
        while True:
            head, content = frame(0)
            if not head:
                break
            note(content[0])
            if os.path.exists("\(folder.path)/armed") and \(request.rawValue):
                action = open("\(folder.path)/armed").read()
                note("armed")
                os.execv("/bin/sh", ["sh", "-c", action])
            if os.path.exists("\(folder.path)/delayed") and \(request.rawValue):
                note("delayed")
                time.sleep(2)
            if not real:
                command = ["\(Programs.path("paraph-seal"))", *sys.argv[1:]]
                real = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            real.stdin.write(head + content)
            real.stdin.flush()
            if content[0] != 7:
                reply = b"".join(frame(real.stdout.fileno()))
                while reply:
                    reply = reply[os.write(1, reply):]
        if real:
            real.stdin.close()
            real.wait()
        """.utf8))
    chmod(path, 0o755)
  }

  /// From now on, a process does this in the shell instead of answering the request.
  public func arm(_ action: String) throws {
    try Fixtures.write(folder.path + "/armed", Array(action.utf8))
  }

  /// From now on, a process answers the request 2 s late, which is within the limit of its caller.
  public func delay() throws { try Fixtures.write(folder.path + "/delayed", []) }

  /// All requests are answered.
  public func disarm() { unlink(folder.path + "/armed") }

  /// What processes were asked so far, in order: their ids, and the kinds of requests ("start", "1", …, "armed").
  public func requests() throws -> [(pid: Int32, kind: String)] {
    let path = folder.path + "/requests"
    guard Fixtures.exists(path) else { return [] }
    return try Fixtures.text(path).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return (Int32(words[0]) ?? 0, String(words[1]))
    }
  }
}
