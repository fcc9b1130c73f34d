import CLinux
import Client
import Configuration
import JSON
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// Presence and metrics of the built program, at a real broker.
@Suite(.serialized) final class PresenceTests {
  let folder = TemporaryFolder()
  let port: Int

  init() throws {
    port = try TestServer.freePort()
    try write("broker", "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n")
    chmod(folder.path, 0o755)
    chmod(folder.path + "/broker", 0o644)
    let publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
  }

  func write(_ name: String, _ text: String) throws {
    try Fixtures.write("\(folder.path)/\(name)", Array(text.utf8))
  }

  func log() throws -> FileDescriptor {
    try FileDescriptor(opening: folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
  }

  func startBroker() throws -> ChildProcess {
    let log = try log()
    let broker = try ChildProcess(
      MQTTSinkTests.broker, ["-v", "-c", folder.path + "/broker"], output: log.number,
      error: log.number)
    #expect(try eventually { try Fixtures.text(folder.path + "/log").contains(" running") })
    return broker
  }

  /// Writes each message as topic, retained or not, and payload.
  func startWitness() throws -> ChildProcess {
    let output = try FileDescriptor(
      opening: folder.path + "/seen", O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    let log = try log()
    let witness = try ChildProcess(
      "/usr/bin/mosquitto_sub",
      [
        "-h", "127.0.0.1", "-p", "\(port)", "-V", "5", "--retain-as-published", "-t", "#", "-q",
        "1", "-F", "%t %r %p",
      ],
      output: output.number, error: log.number)
    #expect(
      try eventually { try Fixtures.text(folder.path + "/log").contains("Sending SUBACK to") })
    return witness
  }

  /// The messages of a topic, with whether they are retained.
  func seen(_ topic: String) throws -> [(retained: Bool, value: JSONValue)] {
    try Fixtures.text(folder.path + "/seen").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[0] == topic else { return nil }
      return (words[1] == "1", try JSONValue.parse(Array(words[2].utf8), limits: .init(size: 4096)))
    }
  }

  func configuration(_ lines: String = "", _ version: String = "5", pad: String = "none") -> String
  {
    """
    [spool]
    path = \(folder.path)/spool
    [handoff]
    device-name = locker 17
    pad = \(pad)
    metrics = \(folder.path)/paraph.prom
    [sink broker]
    type = mqtt
    host = 127.0.0.1
    port = \(port)
    tls = no
    protocol = \(version)
    topic = t
    status-topic = pads/{device}/status
    events-topic = events/{device}
    \(lines)
    """
  }

  func start(_ text: String, _ name: String = "handoff") throws -> ChildProcess {
    try write(name + ".conf", text)
    let error = try Programs.open(folder.path + "/\(name).log")
    return try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", "\(folder.path)/\(name).conf"], error: error.number)
  }

  @Test(arguments: ["5", "3.1.1"])
  func
    `a pad is retained as online with its figures, its event is not, and its last will is offline`(
      version: String
    ) throws
  {
    let broker = try startBroker()
    let witness = try startWitness()
    var child = try start(configuration("", version))
    let topic = "pads/locker_17/status"
    #expect(
      try eventually(within: MQTTSinkTests.bootLimit) {
        try !seen(topic).isEmpty && !seen("events/locker_17").isEmpty
      })
    let first = try #require(try seen(topic).first)
    #expect(first.retained && first.value["status"]?.text == "online")
    #expect(
      first.value["device"]?.text == "locker 17"
        && first.value["version"]?.text == DaemonArguments.version)
    #expect(first.value["state"]?.text == "unknown" && first.value["waiting"]?.integer == 0)
    #expect(first.value["failed"]?.integer == 0 && (first.value["free_bytes"]?.integer ?? 0) > 0)
    let event = try #require(try seen("events/locker_17").first)
    #expect(!event.retained && event.value["status"]?.text == "online")
    child.signal(SIGKILL)
    _ = try child.wait()
    #expect(try eventually { try seen(topic).last?.value["status"]?.text == "offline" })
    #expect(try seen(topic).last?.retained == true)
    #expect(try seen(topic).last?.value["connected"]?.text == first.value["connected"]?.text)
    _ = consume broker
    _ = consume witness
  }

  @Test func `a signature that waits is reported, and its failures are counted by kind`() throws {
    let broker = try startBroker()
    let witness = try startWitness()
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try Fixtures.publish(&publisher)
    let child = try start(
      configuration() + "\n[sink none]\ntype = http\nurl = http://127.0.0.1:1/\n")
    #expect(
      try eventually(within: MQTTSinkTests.bootLimit) {
        try seen("pads/locker_17/status").last?.value["waiting"]?.integer == 1
      })
    let status = try #require(try seen("pads/locker_17/status").last).value
    #expect(status["oldest_seconds"]?.integer != nil && status["last_signature"]?.text != nil)
    #expect(
      try eventually(within: MQTTSinkTests.bootLimit) {
        let text = try Fixtures.text(folder.path + "/paraph.prom")
        return text.contains("paraph_spool_items{state=\"new\"} 1\n")
          && !text.contains("failures_total{sink=\"none\",kind=\"network\"} 0\n")
          && text.contains("paraph_handoff_sink_up{sink=\"broker\"} 1\n")
      })
    _ = consume child
    _ = consume broker
    _ = consume witness
  }

  /// mosquitto 2.0 names no reason when it ends the older connection, whatever the version: the program has to notice.
  @Test(.enabled(if: Soak.isOn, "only make soak has the time"), arguments: ["5", "3.1.1"])
  func `two pads of one name report it, and do not evict each other in a loop`(version: String)
    throws
  {
    let broker = try startBroker()
    let lines = "client-id = same"
    let first = try start(configuration(lines, version), "first")
    #expect(
      try eventually(within: MQTTSinkTests.bootLimit) {
        try Fixtures.text(folder.path + "/log").contains(" as same ")
      })
    // The spool of the second pad.
    let publisher = Publisher(at: folder.path + "/second")
    _ = try publisher.prepare()
    let text = configuration(lines, version)
      .replacing("\(folder.path)/spool", with: "\(folder.path)/second")
      .replacing("paraph.prom", with: "second.prom")
    let second = try start(text, "second")
    #expect(
      try eventually(within: 300_000_000_000) {
        let logs =
          try Fixtures.text(folder.path + "/first.log")
          + Fixtures.text(folder.path + "/second.log")
        return logs.contains("another client seems to take over the client id same")
      })
    let connections = try Fixtures.text(folder.path + "/log").split(separator: "\n").count {
      $0.contains(" as same ")
    }
    #expect(connections <= 10, "\(connections)")
    _ = consume first
    _ = consume second
    _ = consume broker
  }

  /// The pad is played: it says what it is told.
  @Test func `the pad's state is watched, and its absence is no fault`() throws {
    let link = PadLink(folder.path + "/pad", seed: 1)
    link.work(at: 0)
    #expect(link.status.state == "unknown" && link.watchNumber == -1)
    #expect(link.due > 0 && link.due <= 1_000_000_000)
    let listener = try SocketListener(path: folder.path + "/pad", mode: 0o600)
    var now = link.due
    link.work(at: now)
    guard let watch = try listener.accept(), let info = try listener.accept() else {
      throw Errno(EAGAIN)
    }
    #expect(link.watchNumber >= 0)
    func send(_ text: String, _ socket: borrowing FileDescriptor) throws {
      let bytes = Array(text.utf8) + [0]
      #expect(try socket.send(bytes.span.bytes) == bytes.count)
      link.work(at: now)
    }
    try send(#"{"parameters":{"state":"idle"},"continues":true}"#, watch)
    #expect(link.status.state == "idle" && link.status.panel == nil)
    try send(
      #"{"parameters":{"panel":{"name":"DSI-1"},"touchscreens":[{"in_use":false},{"in_use":true}]}}"#,
      info)
    #expect(link.status == PadStatus(state: "idle", touch: true, panel: true))
    try send(#"{"parameters":{"state":"signing"},"continues":true}"#, watch)
    #expect(link.status.state == "signing")
    // A state that is none ends the connection, as any nonsense does.
    try send(#"{"parameters":{"state":"A B"},"continues":true}"#, watch)
    #expect(link.status == PadStatus() && link.watchNumber == -1 && link.infoNumber == -1)
    now = link.due
    link.work(at: now)
    #expect(link.watchNumber >= 0)
  }

  @Test func `a pad that hangs is unknown after ten seconds, until it answers again`() throws {
    let listener = try SocketListener(path: folder.path + "/pad", mode: 0o600)
    let link = PadLink(folder.path + "/pad", seed: 1)
    link.work(at: 0)
    guard let watch = try listener.accept(), let first = try listener.accept() else {
      throw Errno(EAGAIN)
    }
    func send(_ text: String, _ socket: borrowing FileDescriptor, at now: Int64) throws {
      let bytes = Array(text.utf8) + [0]
      #expect(try socket.send(bytes.span.bytes) == bytes.count)
      link.work(at: now)
    }
    let answer = #"{"parameters":{"panel":{"name":"DSI-1"},"touchscreens":[{"in_use":true}]}}"#
    try send(#"{"parameters":{"state":"idle"},"continues":true}"#, watch, at: 0)
    // The state's change asks again at once; the answer is to the question before.
    try send(answer, first, at: 0)
    let known = PadStatus(state: "idle", touch: true, panel: true)
    #expect(link.status == known)
    link.work(at: 60_000_000_000)
    #expect(link.infoNumber >= 0 && link.status == known)
    link.work(at: 70_000_000_000)
    #expect(link.status == PadStatus() && link.watchNumber >= 0)
    link.work(at: 130_000_000_000)
    guard try listener.accept() != nil, let third = try listener.accept() else {
      throw Errno(EAGAIN)
    }
    try send(answer, third, at: 131_000_000_000)
    #expect(link.status == known)
  }

  @Test func `a pad that accepts and says nothing delays nothing`() throws {
    let listener = try SocketListener(path: folder.path + "/pad", mode: 0o600)
    let link = PadLink(folder.path + "/pad", seed: 1)
    link.work(at: 0)
    link.work(at: 5_000_000_000)
    #expect(link.status == PadStatus() && link.watchNumber >= 0 && link.infoNumber >= 0)
    // GetInfo is given up after ten seconds, and asked again after a minute.
    link.work(at: 10_000_000_000)
    #expect(link.infoNumber == -1 && link.due == 70_000_000_000)
    _ = consume listener
  }
}
