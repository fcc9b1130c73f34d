import CLinux
import Configuration
import JSON
import Linux
import SpoolFixtures
import Testing

@testable import Handoff
@testable import Spool

/// Time stamps of a real authority (`openssl ts`), which misbehaves on request.
@Suite(.serialized) final class TimestampTests {
  let folder = TemporaryFolder()
  let server: TestServer
  let authority: TimestampAuthority
  /// Of the spool; nil: it is in the folder.
  private var disk: Disk?
  var spool: String { (disk?.path ?? folder.path) + "/spool" }
  var outbox: String { folder.path + "/outbox" }
  private var mailbox: [String] = []

  init() throws {
    let shared = try #require(Self.shared)
    (server, authority) = (shared.server, shared.authority)
    server.forgetRequests()
    mkdir(outbox, 0o770)
    try answer("ok")
  }

  private struct Shared {
    let folder: TemporaryFolder
    let authority: TimestampAuthority
    let server: TestServer
  }

  /// Made once: keys and Python take a while.
  private static let shared: Shared? = {
    atexit {
      TimestampTests.shared?.server.stop()
      TimestampTests.shared?.folder.remove()
    }
    let folder = TemporaryFolder()
    guard let authority = try? TimestampAuthority("clock", in: folder),
      let other = try? TimestampAuthority("other", in: folder),
      let server = try? TestServer("tsa.py", [authority.folder, other.folder])
    else { return nil }
    return Shared(folder: folder, authority: authority, server: server)
  }()

  /// What the authority answers from now on.
  private func answer(_ mode: String) throws {
    try Fixtures.write(server.folder.path + "/mode.new", Array(mode.utf8))
    rename(server.folder.path + "/mode.new", server.folder.path + "/mode")
  }

  /// A configuration; a line of [timestamp] replaces the one with its key.
  /// - Parameter pause: Until a failed fetch is repeated. On a busy machine, a short one ends before a single run does, which
  ///   then makes a second attempt.
  private func text(
    _ lines: String..., sinks: [String] = ["outbox"], retain: String = "0", pause: String = "10ms"
  ) -> String {
    let keys = lines.map { $0.prefix { $0 != "=" } }
    let timestamp =
      [
        "url = http://127.0.0.1:\(server.port)/", "ca = \(authority.root)", "time-limit = 2s",
        "service = \(Programs.path("paraph-seal"))",
      ].filter { !keys.contains($0.prefix { $0 != "=" }) } + lines
    var text = """
      [spool]
      path = \(spool)
      [handoff]
      retain = \(retain)
      rescan = 1h
      first-pause = \(pause)
      longest-pause = \(pause)
      [timestamp]
      \(timestamp.joined(separator: "\n"))

      """
    for sink in sinks {
      text += "[sink \(sink)]\ntype = directory\npath = \(folder.path)/\(sink)\n"
    }
    return text
  }

  private func delivery(_ text: String) throws -> Delivery {
    try Delivery(HandoffConfiguration(text, file: "test")) { self.mailbox.append($1) }
  }

  /// A published item whose manifest has this signature; nil: unsigned.
  private func publish(_ signature: [UInt8]? = Array("a signature".utf8)) throws -> ItemID {
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    _ = try draft.describe(Fixtures.description)
    if let signature { try draft.sign(signature) }
    return try draft.publish().id
  }

  private func names(_ path: String) -> Set<String> { Set((try? Folder.names(of: path)) ?? []) }

  private func isStamped(_ id: ItemID, in folder: String? = nil) throws -> Bool {
    let item = "\(folder ?? outbox)/\(id.text)/"
    guard Fixtures.exists(item + Manifest.timestampName) else { return false }
    return try authority.verifies(
      Fixtures.read(item + Manifest.timestampName), of: Fixtures.read(item + Manifest.signatureName)
    )
  }

  private func isMissed(_ id: ItemID, in folder: String? = nil) -> Bool {
    Fixtures.exists("\(folder ?? outbox)/\(id.text)/\(Manifest.missingTimestampName)")
  }

  // MARK: With an authority that works

  @Test func `an item is delivered with a time stamp that openssl verifies`() throws {
    let id = try publish()
    #expect(try delivery(text()).runOnce() == 0)
    #expect(try isStamped(id) && !isMissed(id))
    #expect(
      names(spool + "/new").isEmpty && names(spool + "/state").filter { $0.first != "." }.isEmpty)
    let requests = try server.requests()
    #expect(requests.count == 1)
    #expect(requests.first?["headers"]?["content-type"]?.text == "application/timestamp-query")
    #expect(
      mailbox.contains { $0.contains("timestamp: \(id.text): 20") && $0.contains("/CN=clock") })
  }

  @Test func `a retained item keeps its time stamp, readable by the group only`() throws {
    let id = try publish()
    #expect(try delivery(text(retain: "1d")).runOnce() == 0)
    #expect(try isStamped(id, in: spool + "/delivered"))
    let path = "\(spool)/delivered/\(id.text)/\(Manifest.timestampName)"
    #expect(try FileStatus(of: path).mode & 0o777 == 0o640)
  }

  @Test func `an item that the pad has not signed gets none, and does not wait`() throws {
    let ids = [try publish(nil), try publish(nil)]
    try answer("stall")
    #expect(try delivery(text()).runOnce() == 0)
    #expect(names(outbox) == Set(ids.map { $0.text }))
    #expect(try server.requests().isEmpty)
    #expect(!isMissed(ids[0]))
    #expect(mailbox.count { $0.contains("is not signed by the pad") } == 1)
  }

  // MARK: With one that does not

  @Test(arguments: [
    ("status/503", "HTTP 503: no"), ("html", "the response is a web page, not a time stamp"),
    ("huge", "the response is larger than 65536 bytes"),
    ("garbage", "the response is no time stamp"),
    ("empty", "the response is no time stamp"), ("nonce", "its nonce differs"),
    ("imprint", "message imprint mismatch"), ("other", "certificate verify error"),
    ("reject", "status 2, unknown algorithm"), ("status/400", "HTTP 400: no"),
    ("retry/429/1", "HTTP 429: later"), ("stall", "timed out"),
  ])
  func `an item waits while there is no valid time stamp, and the reason is recorded`(
    mode: String, reason: String
  ) throws {
    let id = try publish()
    try answer(mode)
    let limit = mode == "stall" ? "1s" : "20s"
    #expect(try delivery(text("time-limit = \(limit)", pause: "1h")).runOnce() == 1)
    #expect(names(outbox).isEmpty)
    #expect(!names("\(spool)/new/\(id.text)").contains(Manifest.timestampName))
    let line = mailbox.first { $0.contains("timestamp: \(id.text): failed (") } ?? "\(mailbox)"
    #expect(line.contains(reason), "\(line)")
    let failure = try #require(try Spool(at: spool).timestampFailure(of: id))
    #expect(failure.attempts == 1 && failure.reason?.contains(reason) == true)
    // Whatever it was, the next run fetches it anew.
    try answer("ok")
    #expect(try delivery(text()).runOnce() == 0)
    #expect(try isStamped(id))
    #expect(try Spool(at: spool).timestampFailure(of: id) == nil)
  }

  @Test func `without an authority at all, items wait`() throws {
    let id = try publish()
    // A port where nobody listens.
    let listener = try TestServer("port.py")
    let port = listener.port
    listener.stop()
    #expect(try delivery(text("url = http://127.0.0.1:\(port)/")).runOnce() == 1)
    #expect(names(spool + "/new") == [id.text] && names(outbox).isEmpty)
  }

  /// As if this boot had seen the items long ago.
  private func age(_ ids: [ItemID]) throws {
    let folder = try #require(CrashRecords(spool: spool).folder)
    for id in ids {
      let path = "\(folder)/unstamped.\(id.text)"
      try #require(Fixtures.exists(path))
      try Fixtures.write(path, Array("0 \(CrashCounter.currentBoot)".utf8))
    }
  }

  @Test(arguments: [1, 20])
  func `also runs of --once deliver without, when the time has passed and the attempt failed`(
    count: Int
  ) throws {
    let ids = try (1...count).map { _ in try publish() }
    try answer("status/503")
    #expect(try delivery(text()).runOnce() == count)
    #expect(names(outbox).isEmpty)
    try age(ids)
    #expect(try delivery(text("wait = 1s")).runOnce() == 0)
    #expect(ids.allSatisfy { isMissed($0) })
  }

  @Test func `an item whose time has passed still gets its time stamp if the authority works`()
    throws
  {
    let ids = try (1...5).map { _ in try publish() }
    try answer("status/503")
    #expect(try delivery(text()).runOnce() == 5)
    try age(ids)
    try answer("ok")
    // All five get theirs within that time.
    #expect(try delivery(text("wait = 30s")).runOnce() == 0)
    for id in ids { #expect(try isStamped(id)) }
  }

  @Test func `what was recorded of an item that is gone is removed`() throws {
    let (gone, id) = (try publish(), try publish())
    try answer("status/503")
    #expect(try delivery(text()).runOnce() == 2)
    try Spool(at: spool).drop(gone.text, from: .new)
    let folder = try #require(CrashRecords(spool: spool).folder)
    #expect(Fixtures.exists("\(folder)/unstamped.\(gone.text)"))
    #expect(try delivery(text()).runOnce() == 1)
    #expect(!Fixtures.exists("\(folder)/unstamped.\(gone.text)"))
    #expect(Fixtures.exists("\(folder)/unstamped.\(id.text)"))
  }

  @Test func `the age of the oldest signature includes those that wait for a time stamp`() throws {
    let ids = [try publish(), try publish()]
    try answer("status/503")
    let delivery = try delivery(text())
    #expect(try delivery.runOnce() == 2)
    #expect(delivery.scheduler.oldest?.time == ids.map { $0.time }.min())
  }

  @Test func `fetches that only wait after a boot do not count as paused by failures`() throws {
    let id = try publish()
    let metrics = Metrics(sinks: ["outbox"])
    let configuration = try HandoffConfiguration(text(pause: "1h"), file: "test")
    let timestamps = try #require(
      Timestamps(
        configuration, Delivery.Limits(isBoot: true), Problems { _, _ in }, metrics, seed: 7))
    let entry = QueueEntry(sequence: 1, id: id)
    #expect(!timestamps.admit(entry, [:], at: MonotonicClock.now))
    #expect(metrics.timestamps?.waiting == 1 && metrics.timestamps?.isPaused == false)
  }

  @Test func `a time far from that of a clock that is set is refused`() {
    let time: Int64 = 1_795_000_000
    for (seconds, isRefused) in [
      (0, false), (-600, false), (600, false), (601, true), (-601, true),
    ]
      as [(Int64, Bool)]
    {
      let reason = TimestampFetch.difference(of: time + seconds, from: time * 1_000_000_000)
      #expect((reason != nil) == isRefused, "\(seconds)")
    }
    #expect(TimestampFetch.difference(of: time, from: nil) == nil)
    #expect(TimestampFetch.difference(of: .min, from: .max) != nil)
  }

  @Test func `with wait = 0, sinks have an item at once, and it is marked`() throws {
    let id = try publish()
    try answer("status/500")
    let delivery = try delivery(text("wait = 0"))
    #expect(try delivery.runOnce() == 0)
    #expect(isMissed(id))
    #expect(
      try Fixtures.text("\(outbox)/\(id.text)/\(Manifest.missingTimestampName)")
        == "no time stamp: sinks do not wait for it\n")
  }

  @Test func `a time stamp that comes after the mark replaces it for the other sinks`() throws {
    let id = try publish()
    try answer("status/500")
    #expect(try delivery(text("wait = 0", sinks: ["outbox", "later"])).runOnce() == 1)
    #expect(isMissed(id) && isMissed(id, in: spool + "/new"))
    mkdir(folder.path + "/later", 0o770)
    try answer("ok")
    // Held, so that it is not faster than the authority.
    let held = text("wait = 0", sinks: ["outbox", "later"]) + "hold = yes\n"
    #expect(try delivery(held).runOnce() == 1)
    #expect(try isStamped(id, in: spool + "/new") && !isMissed(id, in: spool + "/new"))
    #expect(try delivery(text("wait = 0", sinks: ["outbox", "later"])).runOnce() == 0)
    #expect(
      try isStamped(id, in: folder.path + "/later") && !isMissed(id, in: folder.path + "/later"))
    #expect(isMissed(id))
  }

  // MARK: paraph-seal

  @Test(arguments: [
    ("exit 3", "ended without a reply (exit code 3)"),
    ("kill -9 $$", "ended without a reply (signal 9)"),
    ("cat > /dev/null; head -c 5000 /dev/urandom", "its reply is invalid or cut"),
    // Another request's reply.
    (
      "cat > /dev/null; printf 'PSL1\\0\\0\\0\\006\\004\\0\\0\\0\\001x'",
      "its reply is invalid or cut"
    ),
  ])
  func `a paraph-seal that fails is retried`(script: String, reason: String) throws {
    let (id, path) = (try publish(), folder.path + "/seal")
    try Fixtures.write(path, Array("#!/bin/sh\n\(script)\n".utf8))
    chmod(path, 0o755)
    let broken = text("service = \(path)")
    #expect(try delivery(broken).runOnce() == 1)
    #expect(mailbox.contains { $0.contains("failed (paraph-seal: \(reason))") }, "\(mailbox)")
    #expect(names(outbox).isEmpty)
    unlink(path)
    #expect(try delivery(broken).runOnce() == 1)
    #expect(mailbox.contains { $0.contains("\(path): No such file or directory") }, "\(mailbox)")
    #expect(try delivery(text()).runOnce() == 0)
    #expect(try isStamped(id))
  }

  // MARK: Items

  @Test func `an item whose signature is no file fails, and blocks no other`() throws {
    let (bad, good) = (try publish(nil), try publish())
    mkdir("\(spool)/new/\(bad.text)/\(Manifest.signatureName)", 0o770)
    #expect(try delivery(text()).runOnce() == 1)
    #expect(try isStamped(good))
    #expect(names(spool + "/failed") == [bad.text, bad.text + ".reason"])
  }

  @Test func `a file that cannot be the authority's stops no fetch that comes later`() throws {
    let id = try publish()
    let missing = text("ca = \(folder.path)/none.pem")
    #expect(try delivery(missing).runOnce() == 1)
    #expect(mailbox.contains { $0.contains("/none.pem: No such file or directory") })
    #expect(try delivery(text()).runOnce() == 0)
    #expect(try isStamped(id))
  }

  // MARK: The program

  private func start(_ text: String) throws -> ChildProcess {
    try Fixtures.write(folder.path + "/handoff.conf", Array(text.utf8))
    let log = try Programs.open(folder.path + "/log")
    mkdir(folder.path + "/run", 0o700)
    return try ChildProcess(
      Programs.path("paraph-handoff"), ["-c", folder.path + "/handoff.conf"],
      environment: ["RUNTIME_DIRECTORY=\(folder.path)/run"], error: log.number)
  }

  private func log() throws -> String { try Fixtures.text(folder.path + "/log") }
  private var said: String { (try? log()) ?? "" }

  @Test func `an item goes without when its time has passed, and says so`() throws {
    try answer("status/503")
    let child = try start(text("wait = 1s", "time-limit = 1s"))
    let id = try publish()
    #expect(eventually { isMissed(id) })
    #expect(
      try Fixtures.text("\(outbox)/\(id.text)/\(Manifest.missingTimestampName)")
        == "no time stamp: none within 1 s\n")
    #expect(try log().contains("timestamp: \(id.text): none within 1 s; sinks take it without"))
    _ = consume child
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `on a full disk, an item waits for its time stamp, and gets it when there is room`() throws {
    let disk = try Disk(tmpfs: "1m")
    self.disk = disk
    let id = try publish()
    // Its folders are there, and the room for its records.
    try answer("status/503")
    #expect(try delivery(text()).runOnce() == 1)
    try answer("ok")
    try disk.fill(leaving: 0)
    let child = try start(text())
    #expect(eventually { said.contains("No space left on device") }, "\(said)")
    #expect(names(outbox).isEmpty && names(spool + "/new") == [id.text])
    #expect(names("\(spool)/new/\(id.text)").isDisjoint(with: Self.stampNames))
    disk.clear()
    #expect(try eventually { try isStamped(id) }, "\(said)")
    #expect(!isMissed(id))
    _ = consume child
  }

  private static let stampNames: Set = [Manifest.timestampName, Manifest.missingTimestampName]

  @Test(arguments: [SealProxy.Request.query, .stamp], ["kill -9 $$", "exec sleep 60"])
  func `when paraph-seal is killed or hangs, an item waits, and gets its time stamp later`(
    request: SealProxy.Request, fault: String
  ) throws {
    let proxy = try SealProxy(in: folder, insteadOf: request)
    try proxy.arm(fault)
    let id = try publish()
    #expect(try delivery(text("service = \(proxy.path)")).runOnce() == 1)
    #expect(names(outbox).isEmpty)
    let reason =
      fault.hasPrefix("kill")
      ? "paraph-seal: ended without a reply (signal 9)" : "paraph-seal: no reply within 8000 ms"
    #expect(
      mailbox.contains { $0.contains("timestamp: \(id.text): failed (\(reason))") }, "\(mailbox)")
    proxy.disarm()
    #expect(try delivery(text("service = \(proxy.path)")).runOnce() == 0)
    #expect(try isStamped(id))
  }

  @Test func `killed between request and storage, it fetches again`() throws {
    try answer("stall")
    let id = try publish()
    var child = try start(text("time-limit = 1min"))
    #expect(try eventually { try server.requests().count == 1 })
    child.signal(SIGKILL)
    #expect(try child.wait() == .signal(SIGKILL))
    try answer("ok")
    child = try start(text())
    #expect(try eventually { try isStamped(id) })
    #expect(try server.requests().count == 2)
  }

  @Test func `a restart does not begin the time anew`() throws {
    try answer("status/503")
    let id = try publish()
    var child = try start(text("wait = 1h"))
    let record = "\(folder.path)/run/unstamped.\(id.text)"
    #expect(eventually { Fixtures.exists(record) })
    child.signal(SIGTERM)
    #expect(try child.wait(milliseconds: 30_000) == .exit(0))
    // As if it had been an hour ago.
    let words = try Fixtures.text(record).split(separator: " ", omittingEmptySubsequences: false)
    let seen = try #require(Int64(words[0])) - 3_600_000_000_000
    // A boot of less than an hour has no such time.
    try #require(seen > 0 || MonotonicClock.now < 3_600_000_000_000)
    try Fixtures.write(record, Array("\(max(0, seen)) \(words[1])".utf8))
    child = try start(text("wait = 30s", "time-limit = 1s"))
    #expect(eventually { isMissed(id) })
    #expect(eventually { !Fixtures.exists(record) })
  }

  @Test func `a reload without [timestamp] delivers what waited`() throws {
    try answer("status/503")
    let id = try publish()
    let child = try start(text())
    #expect(try eventually { try log().contains("timestamp: \(id.text): failed") })
    let plain = "[spool]\npath = \(spool)\n[sink outbox]\ntype = directory\npath = \(outbox)\n"
    try Fixtures.write(folder.path + "/handoff.conf", Array(plain.utf8))
    child.signal(SIGHUP)
    #expect(eventually { names(outbox) == [id.text] })
    #expect(!isMissed(id))
  }

  @Test func `an item that is removed while it waits leaves nothing, and stops nothing`() throws {
    try answer("stall")
    let id = try publish()
    let child = try start(text("time-limit = 1min"))
    #expect(try eventually { try server.requests().count == 1 })
    let result = try Programs.run(
      "paraph", ["spool", "drop", "--force", id.text, "--spool", spool])
    #expect(result.end == .exit(0), "\(result)")
    try answer("ok")
    child.signal(SIGTERM)
    _ = consume child
    let next = try publish()
    let again = try start(text())
    #expect(try eventually { try isStamped(next) })
    #expect(names(outbox) == [next.text])
    #expect(names(spool + "/state").filter { $0.first != "." }.isEmpty)
    _ = consume again
  }

  @Test func `what has failed is shown by the tool and counted`() throws {
    try answer("status/503")
    let id = try publish()
    let counted = text(pause: "1h").replacing(
      "rescan = 1h", with: "rescan = 1h\nmetrics = \(folder.path)/paraph.prom")
    #expect(try delivery(counted).runOnce() == 1)
    let list = try Programs.run("paraph", ["spool", "list", "--spool", spool])
    #expect(list.output.contains("time stamp failed 1 times: 127.0.0.1:"), "\(list)")
    let show = try Programs.run("paraph", ["spool", "show", id.text, "--spool", spool])
    #expect(show.output.contains("time stamp: 1 failed attempts, 127.0.0.1:"), "\(show)")
    let metrics = try Fixtures.text(folder.path + "/paraph.prom")
    for line in [
      "paraph_handoff_timestamps_total 0", "paraph_handoff_timestamp_failed_attempts_total 1",
      "paraph_handoff_timestamp_missed_total 0", "paraph_handoff_timestamp_waiting 1",
      "paraph_handoff_timestamp_held 1", "paraph_handoff_timestamp_paused 0",
    ] { #expect(metrics.contains("\n\(line)\n"), "\(line)") }
  }
}
