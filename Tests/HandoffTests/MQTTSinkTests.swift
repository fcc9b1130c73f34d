import CLinux
import Configuration
import Linux
import Retry
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
  /// How long to wait for what a program's sink does first, in nanoseconds.
  ///
  /// On a machine that has just started, it begins up to 30 s later.
  static let bootLimit: Int64 = 90_000_000_000

  init() throws {
    MQTTClient.prepareLibrary()
    cancellation = try Cancellation()
    port = try TestServer.freePort()
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

  /// What the witness has seen when everything that was published before has reached it.
  func seenByNow() throws -> [String] {
    #expect(
      try run("/usr/bin/mosquitto_pub", client + ["-q", "1", "-t", "paraph/status", "-m", "now"])
        == .exit(0))
    let last = "paraph/status 0 " + hexadecimal(Array("now".utf8))
    #expect(try eventually { try seen().last == last })
    return try seen().dropLast()
  }

  /// mosquitto's log is the only place that tells in time.
  func isLogged(_ text: String) throws -> Bool {
    String(decoding: try Fixtures.read(folder.path + "/log"), as: UTF8.self).contains(text)
  }

  /// `padding`: bytes that its picture is larger by.
  func item(padding: Int = 0) throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png(padding: padding))
    let id = try draft.publish(Fixtures.description).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  /// A sink of the broker for a program, with more lines.
  func section(_ lines: String) -> String {
    """
    [sink broker]
    type = mqtt
    host = localhost
    port = \(port)
    ca-file = \(folder.path)/ca.pem
    username = pad
    password-file = \(folder.path)/secret
    topic = t

    """ + lines + "\n"
  }

  func sink(_ lines: [String] = [], authority: String? = nil) throws -> MQTTSink {
    var text = [
      "[sink broker]", "type = mqtt", "host = localhost", "port = \(port)",
      "ca-file = \(authority ?? folder.path + "/ca.pem")", "username = pad",
      "password-file = \(folder.path)/secret", "topic = paraph/{device}/signatures",
      "status-topic = paraph/status", "status-format = text", "time-limit = 20s",
    ]
    for line in lines {
      let key = line.prefix { $0 != "=" }
      text.removeAll { $0.prefix { $0 != "=" } == key }
    }
    text += lines + ["[sink pictures]", "type = directory", "path = /tmp"]
    let configuration = try HandoffConfiguration(text.joined(separator: "\n"), file: "test")
    guard case .mqtt(let mqtt) = configuration.sinks[0].kind else { throw Errno(EINVAL) }
    return try MQTTSink(mqtt, cancellation)
  }

  /// Starts the broker with more lines of configuration, and waits until it listens.
  func startBroker(with lines: String) throws -> ChildProcess {
    try write("configuration", configuration + lines + "\n")
    chmod(folder.path + "/configuration", 0o755)
    let broker = try startBroker()
    #expect(try eventually { try isLogged(" running") })
    return broker
  }

  /// What the user of the sink may do.
  func startBroker(allowing rules: String) throws -> ChildProcess {
    try write("rules", "user pad\n\(rules)\n")
    chmod(folder.path + "/rules", 0o755)
    return try startBroker(with: "acl_file \(folder.path)/rules")
  }

  func reason(_ outcome: Outcome) -> String {
    switch outcome {
    case .delivered: "delivered"
    case .temporaryFailure(let reason, _, _): reason
    case .permanentFailure(let reason): "never: " + reason
    }
  }

  func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `the manifest, the picture and the status are published`() throws {
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
      guard case .temporaryFailure = sink.deliver(item) else {
        Issue.record("delivered without a broker")
        return
      }
    }
    _ = consume witness
  }

  @Test func `a picture beyond the limit fails the item, and nothing of it is published`() throws {
    let broker = try startBroker()
    let witness = try startWitness()
    let item = try item()
    let size = item.files[1].bytes.count
    #expect(
      try sink(["picture-limit = 10"]).deliver(item)
        == .permanentFailure("signature.png has \(size) bytes; picture-limit is 10"))
    #expect(try !seenByNow().contains { $0.contains("signatures/") })
    _ = consume broker
    _ = consume witness
  }

  @Test func `without pictures the manifest alone is published`() throws {
    let broker = try startBroker()
    let witness = try startWitness()
    #expect(try sink(["picture-limit = 0"]).deliver(item()) == .delivered)
    let seen = try seenByNow()
    #expect(seen.contains { $0.contains("/manifest ") })
    #expect(!seen.contains { $0.contains("/png ") })
    _ = consume broker
    _ = consume witness
  }

  @Test func `a message that the broker's access list denies is not delivered`() throws {
    let broker = try startBroker(allowing: "topic read #\ntopic write paraph/status")
    let witness = try startWitness()
    let item = try item()
    #expect(
      try sink().deliver(item)
        == .temporaryFailure(
          "localhost:\(port): Not authorized (0x87); check the broker's access list"))
    #expect(try !seenByNow().contains { $0.contains("signatures/") })
    _ = consume broker
    _ = consume witness
  }

  /// That is why 3.1.1 is not the default.
  @Test func `with 3.1.1, the broker acknowledges a message that its access list denies`() throws {
    let broker = try startBroker(allowing: "topic read #\ntopic write paraph/status")
    let witness = try startWitness()
    let sink = try sink(["protocol = 3.1.1", "status-topic = "])
    #expect(try sink.deliver(item()) == .delivered)
    #expect(try eventually { try isLogged("Denied PUBLISH") })
    #expect(try seenByNow().isEmpty)
    _ = consume broker
    _ = consume witness
  }

  @Test(arguments: ["5", "3.1.1"])
  func `both versions of the protocol deliver to a subscriber`(version: String) throws {
    let broker = try startBroker()
    let witness = try startWitness()
    #expect(try sink(["protocol = \(version)"]).deliver(item()) == .delivered)
    #expect(try eventually { try seen().filter { $0.contains("signatures/") }.count == 2 })
    _ = consume broker
    _ = consume witness
  }

  @Test(arguments: [
    ("message_size_limit 1000", "never: localhost:PORT: Packet too large (0x95)"),
    (
      "max_packet_size 1000", "never: localhost:PORT: the message is larger than the broker accepts"
    ),
  ])
  func `a message that is too large for the broker fails permanently`(
    line: String, expected: String
  )
    throws
  {
    let broker = try startBroker(with: line)
    let reason = reason(try sink().deliver(item(padding: 4096)))
    #expect(reason == "\(expected.prefix(17))\(port)\(expected.dropFirst(21))", "\(reason)")
    _ = consume broker
  }

  @Test func `a message without a subscriber is not delivered unless that is accepted`() throws {
    let broker = try startBroker(with: "")
    let item = try item()
    #expect(
      try sink().deliver(item)
        == .temporaryFailure(
          "localhost:\(port): no client subscribes to the topic (unrouted = retry)"))
    #expect(try sink(["unrouted = accept"]).deliver(item) == .delivered)
    _ = consume broker
  }

  @Test func `two machines with one password keep their connections`() throws {
    let broker = try startBroker()
    let witness = try startWitness()
    let item = try item()
    let first = try sink(["client-id = {device}-{machine}"])
    #expect(first.deliver(item) == .delivered)
    let second = try sink()
    #expect(second.deliver(item) == .delivered)
    #expect(first.deliver(item) == .delivered)
    #expect(try isLogged("as paraph-\(Escape.plain(Process.hostName)) "))
    #expect(try isLogged("as \(Escape.plain(Process.hostName))-\(MachineID.current.text) "))
    #expect(try !isLogged("already connected"))
    _ = consume broker
    _ = consume witness
  }

  /// mosquitto names no reason: three short connections in a row are a conflict.
  @Test func `a pad whose name another one has reports it, and delivers with its machine's id`()
    throws
  {
    let broker = try startBroker()
    let witness = try startWitness()
    let name = "paraph-\(Escape.plain(Process.hostName))"
    let configuration = try HandoffConfiguration(section("unrouted = accept"), file: "test")
    guard case .mqtt(let mqtt) = configuration.sinks[0].kind else { throw Errno(EINVAL) }
    let health = SinkHealth()
    let pad = try MQTTSink(mqtt, cancellation, health, Backoff(first: 1000, longest: 1000))
    // The other one has the same name, and comes after each connection of this one.
    for _ in 1...3 {
      #expect(try eventually { try self.isDelivered(by: pad) })
      let other = try sink(["client-id = \(name)"])
      #expect(try eventually { try self.isDelivered(by: other) })
      pad.work()
    }
    #expect(try eventually { try self.isDelivered(by: pad) })
    #expect(try isLogged("as \(name)-\(MachineID.current.text) "))
    #expect(health.conflictCount == 1)
    _ = consume broker
    _ = consume witness
  }

  func isDelivered(by sink: MQTTSink) throws -> Bool { try sink.deliver(item()) == .delivered }

  @Test func `the status topic names the device`() throws {
    let broker = try startBroker()
    let witness = try startWitness()
    let configuration = try HandoffConfiguration(
      "[handoff]\ndevice-name = Locker 17\n"
        + section("status-topic = pads/{device}/status\nstatus-format = text"),
      file: "test")
    guard case .mqtt(let mqtt) = configuration.sinks[0].kind else { throw Errno(EINVAL) }
    #expect(try MQTTSink(mqtt, cancellation).deliver(item()) == .delivered)
    #expect(try eventually { try seen().contains { $0.hasPrefix("pads/Locker_17/status ") } })
    _ = consume broker
    _ = consume witness
  }

  @Test func `the client tells the broker the size that it accepts`() throws {
    let listener = try TestServer("connect.py")
    let sink = try sink([
      "port = \(listener.port)", "tls = no", "username = ", "password-file = ", "time-limit = 1s",
    ])
    var packet = ""
    #expect(
      try eventually {
        sink.work()
        packet = try Fixtures.text(listener.folder.path + "/requests")
        return packet.hasSuffix("\n")
      })
    // A maximum packet size (0x27) of 16 KiB and a receive maximum (0x21) of 1.
    #expect(packet.contains("2700004000") && packet.contains("210001"), "\(packet)")
    // A keep-alive of 30 s, after the protocol and a byte of flags.
    let rest = packet.split(separator: "4d51545405").last ?? ""
    #expect(rest.dropFirst(2).hasPrefix("001e"), "\(packet)")
    let reason = reason(try sink.deliver(item()))
    #expect(reason == "localhost:\(listener.port): no response within the time limit")
  }

  @Test func `sinks without a broker do not reconnect all at once`() throws {
    let pauses = try (0..<8).map { _ in
      let sink = try sink(["port = 1"])
      sink.work()
      // The refusal has come by then, or comes while the next one waits.
      #expect(
        eventually {
          sink.work()
          return sink.wait.descriptor == -1
        })
      return try #require(sink.wait.nanoseconds)
    }
    let spread = try #require(pauses.max()) - #require(pauses.min())
    #expect(spread > 10_000_000, "\(pauses)")
  }

  @Test func `the last will reports that the client has gone`() throws {
    let broker = try startBroker()
    let spool = folder.path + "/spool"
    _ = try item()
    mkdir(folder.path + "/outbox", 0o770)
    try write(
      "handoff.conf",
      "[spool]\npath = \(spool)\n"
        + section("unrouted = accept\nstatus-topic = paraph/status\nstatus-format = text"))
    let error = try log()
    // The broker may not listen yet: the first pause is short, and another attempt comes.
    var child = try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", folder.path + "/handoff.conf"], error: error.number)
    #expect(
      try eventually(within: Self.bootLimit) { try Folder(spool + "/new").names().isEmpty })
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

  @Test func `the status is published as soon as the broker is available, before any signature`()
    throws
  {
    let publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    try write(
      "handoff.conf",
      "[spool]\npath = \(folder.path)/spool\n"
        + section("status-topic = paraph/status\nstatus-format = text"))
    let error = try Programs.open(folder.path + "/error")
    let child = try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", folder.path + "/handoff.conf"], error: error.number)
    #expect(
      try eventually(within: Self.bootLimit) {
        try Fixtures.text(folder.path + "/error").contains(
          "connection failed (connection refused or unreachable); retrying")
      })
    let broker = try startBroker()
    let witness = try startWitness()
    #expect(
      try eventually(within: Self.bootLimit) {
        try Fixtures.exists(folder.path + "/seen")
          && seen().contains { $0.hasSuffix(hexadecimal(Array("online".utf8))) }
      })
    _ = consume child
    _ = consume broker
    _ = consume witness
  }

  @Test func `a wrong password waits, and the next one is read`() throws {
    let broker = try startBroker(with: "")
    let witness = try startWitness()
    try write("secret", "wrong")
    let sink = try sink()
    let item = try item()
    #expect(
      sink.deliver(item)
        == .temporaryFailure(
          "localhost:\(port): credentials rejected; check username, password-file and "
            + "client-certificate"))
    try write("secret", "s3cret\n")
    #expect(sink.deliver(item) == .delivered)
    _ = consume broker
    _ = consume witness
  }

  @Test func `a TLS failure is described in words`() throws {
    let broker = try startBroker(with: "listener \(try TestServer.freePort()) 127.0.0.1")
    // Any certificate but the authority's.
    let stranger = try #require(TestServer.certificates).path + "/client.pem"
    let item = try item()
    #expect(
      try sink(authority: stranger).deliver(item)
        == .temporaryFailure(
          "localhost:\(port): the server's certificate is not trusted; check ca-file"))
    #expect(
      try sink(["ca-file = /nowhere"]).deliver(item)
        == .temporaryFailure(
          "localhost:\(port): ca-file, client-certificate or client-key cannot be read"))
    let plain = try TestServer("web.py")
    #expect(
      try sink(["port = \(plain.port)"]).deliver(item)
        == .temporaryFailure("localhost:\(plain.port): the server does not speak TLS on this port"))
    #expect(!(try isLogged("connected from 127.0.0.1 as")))
    _ = consume broker
  }

  @Test func `an unavailable broker is reported`() throws {
    #expect(
      try sink().deliver(item())
        == .temporaryFailure("localhost:\(port): connection refused or unreachable"))
  }
}
