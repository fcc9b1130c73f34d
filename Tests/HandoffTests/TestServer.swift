import CLinux
import JSON
import Linux
import SpoolFixtures
import Testing

/// A server of `Servers/` that runs while this lives.
final class TestServer: Sendable {
  let folder: TemporaryFolder
  let port: String
  private let process: ChildProcess

  /// The folder of the servers' programs.
  static let programs =
    #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Servers/"

  /// Runs programs that need moto and boto3.
  static let storeLauncher = programs + "store.sh"

  /// Made once: keys take a second.
  static let certificates: TemporaryFolder? = {
    let folder = TemporaryFolder()
    // What is static is never let go.
    atexit { TestServer.certificates?.remove() }
    do {
      let null = try FileDescriptor(opening: "/dev/null", O_WRONLY)
      var child = try ChildProcess(
        programs + "certificates.sh", [folder.path], output: null.number, error: null.number)
      return try child.wait(milliseconds: 60_000) == .exit(0) ? folder : nil
    } catch { return nil }
  }()

  /// A port for a server that cannot choose one itself.
  static func freePort() throws -> Int {
    let server = try TestServer("port.py")
    return try #require(Int(server.port))
  }

  /// A program of `Servers/` by Python, with its folder, the file for its port, and options.
  /// `launcher` runs it instead of Python itself; `limit` is for its start, in nanoseconds.
  init(
    _ program: String, _ options: [String] = [], launcher: String? = nil,
    limit: Int64 = 30_000_000_000
  ) throws {
    folder = TemporaryFolder()
    if let certificates = Self.certificates {
      for name in ["ca.pem", "server.pem", "server.key", "client.pem", "client.key"] {
        try Fixtures.write(
          folder.path + "/" + name, try Fixtures.read(certificates.path + "/" + name))
      }
    }
    let portFile = folder.path + "/port"
    let log = try FileDescriptor(
      opening: folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    process = try ChildProcess(
      launcher ?? "/usr/bin/python3",
      [launcher == nil ? Self.programs + program : program, folder.path, portFile] + options,
      // A server beside which Python leaves nothing.
      environment: ["PYTHONDONTWRITEBYTECODE=1"], output: log.number, error: log.number)
    guard eventually(within: limit, { Fixtures.exists(portFile) }) else {
      throw SystemError("start", program, Errno(ETIMEDOUT))
    }
    port = String(decoding: try Fixtures.read(portFile), as: UTF8.self)
  }

  /// Ends it: what is static is never let go.
  func stop() {
    process.signal(SIGKILL)
    folder.remove()
  }

  /// Begins a test with a server of its suite.
  func forgetRequests() { unlink(folder.path + "/requests") }

  /// What was asked so far.
  func requests() throws -> [JSONValue] {
    guard Fixtures.exists(folder.path + "/requests") else { return [] }
    return try Fixtures.read(folder.path + "/requests").split(separator: 10)
      .map { try JSONValue.parse(Array($0), limits: .init(size: 1 << 20)) }
  }
}
