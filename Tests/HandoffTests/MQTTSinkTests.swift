import CLinux
import Configuration
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// Against mosquitto, with TLS and a password, and with its own client as the witness.
@Suite(.serialized) final class MQTTSinkTests {
  let folder = TemporaryFolder()
  let cancellation: Cancellation
  let port: Int

  static let broker = "/usr/sbin/mosquitto"

  init() throws {
    MQTTClient.prepareLibrary()
    cancellation = try Cancellation()
    port = try Self.freePort()
    if let certificates = TestServer.certificates {
      for name in ["ca.pem", "server.pem", "server.key"] {
        try Fixtures.write(
          folder.path + "/" + name, try Fixtures.read(certificates.path + "/" + name))
      }
    }
    try write("secret", "s3cret\n")
    try write("configuration", configuration)
    try write("passwords", "")
    let made = try run(
      "/usr/bin/mosquitto_passwd", ["-b", "\(folder.path)/passwords", "pad", "s3cret"])
    #expect(made == .exit(0))
    // mosquitto gives up root, and reads its files after that.
    for name in ["", "/configuration", "/passwords", "/server.key"] {
      chmod(folder.path + name, 0o755)
    }
  }

  var configuration: String {
    """
    listener \(port) 127.0.0.1
    cafile \(folder.path)/ca.pem
    certfile \(folder.path)/server.pem
    keyfile \(folder.path)/server.key
    password_file \(folder.path)/passwords
    allow_anonymous false
    persistence false

    """
  }

  static func freePort() throws -> Int {
    let server = try TestServer("port.py")
    return Int(server.port) ?? 0
  }

  func write(_ name: String, _ text: String) throws {
    try Fixtures.write("\(folder.path)/\(name)", Array(text.utf8))
    chmod("\(folder.path)/\(name)", 0o600)
  }

  func log() throws -> FileDescriptor {
    try FileDescriptor(
      opening: folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
  }

  func run(_ path: String, _ arguments: [String]) throws -> ChildProcess.End? {
    let log = try log()
    var child = try ChildProcess(path, arguments, output: log.number, error: log.number)
    return try child.wait(milliseconds: 30_000)
  }

  func startBroker() throws -> ChildProcess {
    let log = try log()
    return try ChildProcess(
      Self.broker, ["-v", "-c", folder.path + "/configuration"], output: log.number,
      error: log.number)
  }

  var client: [String] {
    [
      "-h", "localhost", "-p", "\(port)", "--cafile", folder.path + "/ca.pem", "-u", "pad", "-P",
      "s3cret",
    ]
  }

  /// Writes every message as topic, retained or not, and hexadecimal digits of the payload.
  func startWitness() throws -> ChildProcess {
    #expect(try eventually { try isLogged(" running") })
    let output = try FileDescriptor(
      opening: folder.path + "/seen", O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    let log = try log()
    let witness = try ChildProcess(
      "/usr/bin/mosquitto_sub", client + ["-t", "#", "-q", "1", "-F", "= %t %r %x"],
      output: output.number, error: log.number)
    #expect(try eventually { try isLogged("Sending SUBACK to") })
    return witness
  }

  func seen() throws -> [String] {
    String(decoding: try Fixtures.read(folder.path + "/seen"), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("= ") }.map { String($0.dropFirst(2)) }
  }

  /// mosquitto's log is the only place that tells in time.
  func isLogged(_ text: String) throws -> Bool {
    String(decoding: try Fixtures.read(folder.path + "/log"), as: UTF8.self).contains(text)
  }

  func item() throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  func sink(_ lines: [String] = [], authority: String? = nil) throws -> MQTTSink {
    let text =
      [
        "[sink broker]", "type = mqtt", "host = localhost", "port = \(port)",
        "ca-file = \(authority ?? folder.path + "/ca.pem")", "username = pad",
        "password-file = \(folder.path)/secret", "topic = paraph/{device}/signatures",
        "status-topic = paraph/status",
      ] + lines
    let configuration = try HandoffConfiguration(text.joined(separator: "\n"), file: "test")
    guard case .mqtt(let mqtt) = configuration.sinks[0].kind else { throw Errno(EINVAL) }
    return try MQTTSink(mqtt, cancellation)
  }

  func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `the manifest and the picture are published, and the status is told`() throws {
    let broker = try startBroker()
    let witness = try startWitness()
    let item = try item()
    do {
      let sink = try sink()
      #expect(sink.deliver(item) == .delivered)
      let topic = "paraph/locker/signatures/\(item.manifest.id.text)"
      #expect(try eventually { try seen().count == 3 })
      #expect(
        try Set(seen()) == [
          "paraph/status 0 " + hexadecimal(Array("online".utf8)),
          "\(topic)/manifest 0 " + hexadecimal(item.files[0].bytes),
          "\(topic)/png 0 " + hexadecimal(item.files[1].bytes),
        ])
      _ = consume broker
      guard case .later = sink.deliver(item) else {
        Issue.record("delivered without a broker")
        return
      }
    }
    _ = consume witness
  }

  @Test func `a large picture is left out`() throws {
    let broker = try startBroker()
    let witness = try startWitness()
    #expect(try sink(["picture-limit = 10"]).deliver(item()) == .delivered)
    #expect(try eventually { try seen().contains { $0.contains("/manifest ") } })
    #expect(try !seen().contains { $0.contains("/png ") })
    _ = consume broker
    _ = consume witness
  }

  @Test func `the last will tells that the client has gone`() throws {
    let broker = try startBroker()
    let spool = folder.path + "/spool"
    _ = try item()
    mkdir(folder.path + "/outbox", 0o770)
    try write(
      "handoff.conf",
      """
      [spool]
      path = \(spool)
      [sink broker]
      type = mqtt
      host = localhost
      port = \(port)
      ca-file = \(folder.path)/ca.pem
      username = pad
      password-file = \(folder.path)/secret
      topic = t
      status-topic = paraph/status
      """)
    let error = try log()
    // The broker may not listen yet: the first pause is short, and another attempt comes.
    var child = try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", folder.path + "/handoff.conf"], error: error.number)
    #expect(try eventually { try Folder(spool + "/new").names().isEmpty })
    let witness = try startWitness()
    #expect(
      try eventually {
        try Fixtures.exists(folder.path + "/seen")
          && seen().contains("paraph/status 1 " + hexadecimal(Array("online".utf8)))
      })
    child.signal(SIGKILL)
    _ = try child.wait()
    #expect(
      try eventually {
        try seen().contains("paraph/status 0 " + hexadecimal(Array("offline".utf8)))
      })
    _ = consume broker
    _ = consume witness
  }

  @Test func `a wrong password, a broker that is away and a stranger's certificate wait`() throws {
    let broker = try startBroker()
    try write("secret", "wrong")
    #expect(
      try eventually {
        try sink(["time-limit = 5s"]).deliver(item())
          == .later("localhost:\(port): Connection Refused: not authorised.")
      })
    // Any certificate but the authority's.
    let stranger = try #require(TestServer.certificates).path + "/client.pem"
    try write("secret", "s3cret\n")
    guard
      case .later(let reason, _) = try sink(["time-limit = 5s"], authority: stranger)
        .deliver(item())
    else {
      Issue.record("a stranger was trusted")
      return
    }
    #expect(reason.hasPrefix("localhost:\(port): "), "\(reason)")
    _ = consume broker
    guard case .later = try sink(["time-limit = 1s"]).deliver(item()) else {
      Issue.record("not later")
      return
    }
  }
}
