import CLinux
import Configuration
import Linux
import SpoolFixtures
import Testing

@testable import Handoff
@testable import Spool

@Suite struct SchedulerTests {
  private static let second: Int64 = 1_000_000_000
  private let folder = TemporaryFolder()
  private let now: Int64 = 1000 * second
  private var spool: String { folder.path + "/spool" }

  private final class Lines {
    var texts: [String] = []
  }

  @discardableResult
  private func publish(_ count: Int, in path: String? = nil) throws -> [ItemID] {
    var publisher = Publisher(at: path ?? spool)
    _ = try publisher.prepare()
    return try (0..<count).map { _ in try Fixtures.publish(&publisher).id }
  }

  private func scheduler(
    _ lines: Lines = Lines(), in path: String? = nil
  ) throws -> (Scheduler, Retention) {
    let spool = path ?? spool
    let text = """
      [spool]
      path = \(spool)
      [handoff]
      retain = 1h
      rescan = 1h
      [sink one]
      type = directory
      path = \(folder.path)/one
      """
    let configuration = try HandoffConfiguration(text, file: "test")
    let problems = Problems { lines.texts.append($1) }
    let retention = Retention(spool: spool, time: configuration.retain, problems)
    let scheduler = try Scheduler(
      configuration, Delivery.Limits(isBoot: false), retention, problems, Metrics(sinks: ["one"]))
    return (scheduler, retention)
  }

  /// Of a sink with these lines.
  private func scheduler(of sink: String, isBoot: Bool = false) throws -> Scheduler {
    let text = "[spool]\npath = \(spool)\n[handoff]\nrescan = 1h\n[sink one]\n\(sink)\n"
    let configuration = try HandoffConfiguration(text, file: "test")
    let problems = Problems { _, _ in }
    let retention = Retention(spool: spool, time: configuration.retain, problems)
    return try Scheduler(
      configuration, Delivery.Limits(isBoot: isBoot), retention, problems, Metrics(sinks: ["one"]))
  }

  @Test func `a sink that waits after a boot or a network's return is up, until it fails`() throws {
    try publish(1)
    let scheduler = try scheduler(of: "type = http\nurl = http://127.0.0.1:1/", isBoot: true)
    let due = try #require(scheduler.bootDues[0])
    var begun: [QueueEntry] = []
    _ = scheduler.step(at: due - 1) { begun.append($1) }
    #expect(begun.isEmpty && !scheduler.gauges[0].isPaused)
    func fail(at time: Int64) throws {
      begun = []
      _ = scheduler.step(at: time) { begun.append($1) }
      let entry = try #require(begun.first)
      scheduler.complete(
        .init(sink: 0, entry: entry, result: .answered(.temporaryFailure("no network"))), at: time)
    }
    try fail(at: due)
    let begins = scheduler.flushSoon(at: due)
    #expect(begins[0] != nil && !scheduler.gauges[0].isPaused)
    for hour in 1...3 as ClosedRange<Int64> { try fail(at: due + hour * 3600 * Self.second) }
    #expect(scheduler.gauges[0].isPaused)
  }

  @Test func `items that cannot be read wait alone, and their sink goes on`() throws {
    let ids = try publish(4)
    let (scheduler, _) = try scheduler()
    var begun: [QueueEntry] = []
    for _ in 0..<3 {
      _ = scheduler.step(at: now) { begun.append($1) }
      let entry = try #require(begun.last)
      let error = SystemError("read", "signature.png", Errno(EIO))
      scheduler.complete(
        .init(sink: 0, entry: entry, result: .unreadable(.system(error))), at: now)
    }
    #expect(!scheduler.gauges[0].isPaused)
    _ = scheduler.step(at: now) { begun.append($1) }
    #expect(begun.count == 4 && Set(begun.map { $0.id }) == Set(ids))
    #expect(scheduler.waitingCount == 4)
  }

  @Test func `after errors that concern all items, the sink pauses and tries no other`() throws {
    try publish(4)
    let (scheduler, _) = try scheduler()
    var begun: [QueueEntry] = []
    for _ in 0..<3 {
      _ = scheduler.step(at: now) { begun.append($1) }
      let entry = try #require(begun.last)
      let error = SystemError("open", spool + "/new", Errno(EIO))
      scheduler.complete(.init(sink: 0, entry: entry, result: .unavailable(error)), at: now)
    }
    #expect(scheduler.gauges[0].isPaused)
    #expect(scheduler.step(at: now) { begun.append($1) } > now)
    #expect(begun.count == 3)
  }

  /// Three deliveries to the sink fail at `now`.
  private func fail(
    _ scheduler: Scheduler, _ result: SinkWorker.Result, _ begun: inout [QueueEntry]
  ) throws {
    for _ in 0..<3 {
      var next: QueueEntry?
      _ = scheduler.step(at: now) { next = $1 }
      let entry = try #require(next)
      begun.append(entry)
      scheduler.complete(.init(sink: 0, entry: entry, result: result), at: now)
    }
  }

  @Test(arguments: [false, true])
  func `a sink that paused because no item could be read goes on when a scan succeeds`(
    isRemote: Bool
  ) throws {
    let ids = try publish(3)
    let near = "type = directory\npath = \(folder.path)/one"
    let scheduler = try scheduler(
      of: isRemote ? "type = http\nurl = http://127.0.0.1:1/" : near)
    var begun: [QueueEntry] = []
    let error = SystemError("open", spool + "/new", Errno(ENODEV))
    try fail(scheduler, .unavailable(error), &begun)
    #expect(Set(begun.map { $0.id }) == Set(ids) && scheduler.gauges[0].isPaused)
    // The pause lasts for seconds.
    _ = scheduler.step(at: now + 1) { begun.append($1) }
    #expect(begun.count == 3)
    scheduler.requestScan()
    _ = scheduler.step(at: now + 1) { begun.append($1) }
    #expect(!scheduler.gauges[0].isPaused)
    // A remote one goes on after a random delay of up to 30 seconds.
    #expect(begun.count == (isRemote ? 3 : 4))
    _ = scheduler.step(at: now + 31 * Self.second) { begun.append($1) }
    #expect(begun.count == 4)
  }

  @Test func `a scan does not end the pause of a sink whose receiver fails`() throws {
    try publish(3)
    let (scheduler, _) = try scheduler()
    var begun: [QueueEntry] = []
    let error = SystemError("open", spool + "/new", Errno(ENODEV))
    try fail(scheduler, .unavailable(error), &begun)
    scheduler.requestScan()
    // The first of these steps ends the pause.
    try fail(scheduler, .answered(.temporaryFailure("no room")), &begun)
    scheduler.requestScan()
    _ = scheduler.step(at: now + 1) { begun.append($1) }
    #expect(scheduler.gauges[0].isPaused)
  }

  @Test func `an item is delivered by one sink although another one finds it erased`() throws {
    let id = try publish(1)[0]
    var text = "[spool]\npath = \(spool)\n[handoff]\nrescan = 1h\n"
    for name in ["one", "two"] {
      text += "[sink \(name)]\ntype = directory\npath = \(folder.path)/\(name)\n"
    }
    let configuration = try HandoffConfiguration(text, file: "test")
    let lines = Lines()
    let problems = Problems { lines.texts.append($1) }
    let scheduler = try Scheduler(
      configuration, Delivery.Limits(isBoot: false),
      Retention(spool: spool, time: configuration.retain, problems), problems,
      Metrics(sinks: ["one", "two"]))
    var begun: [QueueEntry] = []
    _ = scheduler.step(at: now) { begun.append($1) }
    #expect(begun.map { $0.id } == [id, id])
    let entry = try #require(begun.first)
    rename("\(spool)/new/\(id.text)", folder.path + "/erased")
    scheduler.complete(
      .init(sink: 0, entry: entry, result: .answered(.temporaryFailure("no network"))), at: now)
    #expect(scheduler.isBusy)
    scheduler.complete(.init(sink: 1, entry: entry, result: .answered(.delivered)), at: now)
    #expect(lines.texts.contains { $0.hasPrefix("paraph: delivered \(id.text) to two ") })
    #expect(scheduler.waitingCount == 0 && scheduler.remaining == 0 && !scheduler.isBusy)
  }

  @Test func `an item that is erased while its sink is held waits no longer`() throws {
    let ids = try publish(2)
    let scheduler = try scheduler(of: "type = directory\npath = \(folder.path)/one\nhold = yes")
    _ = scheduler.step(at: now) { _, _ in }
    #expect(scheduler.waitingCount == 2 && scheduler.gauges[0].waiting == 2)
    _ = try Spool(at: spool).erase(ids[0], wait: 0)
    scheduler.requestScan()
    _ = scheduler.step(at: now + 1) { _, _ in }
    #expect(scheduler.waitingCount == 1 && scheduler.gauges[0].waiting == 1)
    #expect(scheduler.oldest == ids[1])
  }

  @Test(arguments: [Outcome.temporaryFailure("no network"), .permanentFailure("no room")])
  func `a delivery that fails after the erasure of its item leaves no record`(
    outcome: Outcome
  ) throws {
    let id = try publish(1)[0]
    let (scheduler, _) = try scheduler()
    var begun: QueueEntry?
    _ = scheduler.step(at: now) { begun = $1 }
    _ = try Spool(at: spool).erase(id, wait: 0)
    scheduler.requestScan()
    _ = scheduler.step(at: now + 1) { _, _ in }
    // A scan leaves what a sink is working on.
    #expect(scheduler.isBusy && scheduler.waitingCount == 1)
    let entry = try #require(begun)
    scheduler.complete(.init(sink: 0, entry: entry, result: .answered(outcome)), at: now + 1)
    #expect(try Spool(at: spool).idsWithState().isEmpty)
    #expect(scheduler.waitingCount == 0 && scheduler.remaining == 0 && !scheduler.isBusy)
  }

  @Test func `retained items are looked through when it is due, and not before`() throws {
    try publish(1)
    let (scheduler, retention) = try scheduler()
    _ = scheduler.step(at: now) { _, _ in }
    let due = retention.due
    #expect(due > now)
    _ = scheduler.step(at: due - 1) { _, _ in }
    #expect(retention.due == due)
    _ = scheduler.step(at: due) { _, _ in }
    #expect(retention.due > due)
  }

  @Test func `a scan does not take a delivery that runs for one that a crash interrupted`() throws {
    try publish(2)
    let (scheduler, _) = try scheduler()
    var delivered = 0
    _ = scheduler.step(at: now) { _, _ in delivered += 1 }
    #expect(delivered == 1)
    for later in 1...3 as ClosedRange<Int64> {
      scheduler.requestScan()
      _ = scheduler.step(at: now + later) { _, _ in delivered += 1 }
      #expect(!scheduler.isAlone(at: now + later))
    }
    #expect(delivered == 1 && scheduler.remaining == 2)
    // Nor is it forgotten that it runs.
    #expect(CrashRecords(spool: spool).deliveries().count == 1)
  }

  @Test func `deliveries begin when all items that were found are read`() throws {
    try publish(300)
    let (scheduler, _) = try scheduler()
    var delivered = 0
    // A step reads 256.
    #expect(scheduler.step(at: now) { _, _ in delivered += 1 } == now)
    #expect(delivered == 0 && scheduler.unread.count == 44)
    _ = scheduler.step(at: now) { _, _ in delivered += 1 }
    #expect(delivered == 1 && scheduler.unread.isEmpty)
  }

  @Test func `deliveries begin a second after the scan although items are unread`() throws {
    try publish(520)
    let (scheduler, _) = try scheduler()
    var delivered = 0
    _ = scheduler.step(at: now) { _, _ in delivered += 1 }
    _ = scheduler.step(at: now + Self.second) { _, _ in delivered += 1 }
    #expect(delivered == 1 && scheduler.unread.count == 8)
  }

  @Test func `a spool that vanishes while it is read is reported, and read again when it is back`()
    throws
  {
    try publish(300)
    let lines = Lines()
    let (scheduler, _) = try scheduler(lines)
    _ = scheduler.step(at: now) { _, _ in }
    rename(spool, spool + "-gone")
    let due = scheduler.step(at: now + 1) { _, _ in }
    #expect(scheduler.unread.isEmpty && scheduler.waitingCount == 300)
    #expect(lines.texts.contains("paraph: spool: open \(spool): No such file or directory"))
    #expect(due <= now + 1 + 5 * Self.second)
    // It is looked for again and again.
    let again = scheduler.step(at: now + 2) { _, _ in }
    #expect(again > now + 2 && again <= now + 2 + 5 * Self.second)
    rename(spool + "-gone", spool)
    _ = scheduler.step(at: again) { _, _ in }
    #expect(scheduler.waitingCount == 300)
    #expect(lines.texts.last == "paraph: spool: works again")
  }

  private func scheduler(_ problems: Problems) throws -> Scheduler {
    let text = """
      [spool]
      path = \(spool)
      [handoff]
      rescan = 1h
      [sink one]
      type = directory
      path = \(folder.path)/one
      """
    let configuration = try HandoffConfiguration(text, file: "test")
    return try Scheduler(
      configuration, Delivery.Limits(isBoot: false),
      Retention(spool: spool, time: configuration.retain, problems), problems,
      Metrics(sinks: ["one"]))
  }

  @Test(arguments: [true, false])
  func `an item whose manifest or records cannot be read stays counted, and is found when they can`(
    isManifest: Bool
  ) throws {
    let ids = try publish(2)
    try Spool(at: spool).record(
      SinkState(attempts: 1, reason: "busy"), of: "one", for: ids[0], durable: false)
    let name = isManifest ? "new/\(ids[0].text)/signature.json" : "state/\(ids[0].text)/one"
    let file = try LeasedFile("\(spool)/\(name)")
    let lines = Lines()
    let problems = Problems { lines.texts.append($1) }
    let scheduler = try scheduler(problems)
    var begun: [QueueEntry] = []
    for _ in 0..<3 {
      scheduler.requestScan()
      _ = scheduler.step(at: now) { begun.append($1) }
      #expect(begun.map { $0.id } == [ids[1]] && scheduler.gauges[0].waiting == 1)
      #expect(scheduler.waitingCount == 2 && scheduler.oldest?.time == ids[0].time)
      #expect(problems.isSpoolUnreadable)
    }
    #expect(lines.texts.count { $0.contains("/\(name): ") } == 1, "\(lines.texts)")
    file.release()
    scheduler.requestScan()
    _ = scheduler.step(at: now) { _, _ in }
    #expect(scheduler.waitingCount == 2 && scheduler.gauges[0].waiting == 2)
    #expect(!problems.isSpoolUnreadable)
  }

  @Test func `an item that could not be read and is erased waits no longer`() throws {
    let id = try publish(1)[0]
    let file = try LeasedFile("\(spool)/new/\(id.text)/signature.json")
    let problems = Problems { _, _ in }
    let scheduler = try scheduler(problems)
    _ = scheduler.step(at: now) { _, _ in }
    #expect(scheduler.waitingCount == 1 && problems.isSpoolUnreadable)
    try Folder(spool + "/new").removeTree(id.text)
    scheduler.requestScan()
    _ = scheduler.step(at: now) { _, _ in }
    #expect(scheduler.waitingCount == 0 && scheduler.oldest == nil && scheduler.remaining == 0)
    #expect(!problems.isSpoolUnreadable)
    file.release()
  }

  @Test func `a spool that cannot be read is not said to be empty`() throws {
    let problems = Problems { _, _ in }
    let scheduler = try scheduler(problems)
    _ = scheduler.step(at: now) { _, _ in }
    #expect(scheduler.waitingCount == nil && problems.isSpoolUnreadable)
    try publish(1)
    scheduler.requestScan()
    _ = scheduler.step(at: now) { _, _ in }
    #expect(scheduler.waitingCount == 1 && !problems.isSpoolUnreadable)
  }

  @Test func `an item is locked while it is delivered, and no longer`() throws {
    try publish(1)
    let (scheduler, _) = try scheduler()
    var begun: QueueEntry?
    _ = scheduler.step(at: now) { begun = $1 }
    let entry = try #require(begun)
    // As an erasure asks: deliveries share the lock.
    func isLocked() throws -> Bool {
      try !Folder("\(spool)/new/\(entry.id.text)").descriptor.tryLock()
    }
    #expect(try isLocked())
    scheduler.complete(
      .init(sink: 0, entry: entry, result: .answered(.temporaryFailure("no network"))), at: now)
    #expect(try !isLocked())
  }

  @Test(arguments: [false, true])
  func `an item that is gone or locked makes room for the next one at once`(isLocked: Bool) throws {
    let ids = try publish(3)
    let (scheduler, _) = try scheduler()
    var begun: [QueueEntry] = []
    _ = scheduler.step(at: now) { begun.append($1) }
    // The newest one is next.
    let new = try Folder(spool + "/new")
    let item = try Folder(ids[2].text, in: new)
    if isLocked { #expect(try item.descriptor.tryLock()) } else { try new.removeTree(ids[2].text) }
    for _ in 0..<2 {
      let last = try #require(begun.last)
      scheduler.complete(.init(sink: 0, entry: last, result: .answered(.delivered)), at: now)
      let due = scheduler.step(at: now) { begun.append($1) }
      #expect(due > now)
      #expect(begun.map { $0.id } == [ids[0], ids[1]])
    }
    #expect(scheduler.isIdle && scheduler.remaining == (isLocked ? 1 : 0))
    _ = consume item
  }

  @Test func `a suspect that is gone makes room for the next one`() throws {
    let ids = try publish(3)
    let records = "\(spool)/state/.attempts"
    mkdir(records, 0o770)
    var record = CrashRecord(boot: CrashCounter.currentBoot)
    record.add()
    for (index, id) in ids.enumerated() {
      let path = "\(records)/delivery.one.\(id.text)"
      try Fixtures.write(path, record.bytes)
      // The latest one is the first.
      let time = timeval(tv_sec: 1000 - index, tv_usec: 0)
      utimes(path, [time, time])
    }
    let (scheduler, _) = try scheduler()
    var begun: [QueueEntry] = []
    _ = scheduler.step(at: now) { begun.append($1) }
    #expect(begun.map { $0.id } == [ids[0]] && scheduler.isAlone(at: now))
    try Folder(spool + "/new").removeTree(ids[1].text)
    let first = try #require(begun.first)
    scheduler.complete(.init(sink: 0, entry: first, result: .answered(.delivered)), at: now)
    _ = scheduler.step(at: now) { begun.append($1) }
    #expect(begun.map { $0.id } == [ids[0], ids[2]] && scheduler.isAlone(at: now))
  }

  /// A path with a file's name in it is longer than the kernel takes, which the spool does not need.
  private func unwatchedSpool() -> String {
    var path = folder.path
    while path.utf8.count < 3837 {
      path += "/" + String(repeating: "x", count: 250)
      mkdir(path, 0o770)
    }
    return path + "/" + String(repeating: "y", count: 4092 - path.utf8.count)
  }

  @Test func `a spool that cannot be watched is scanned each minute, of which the log tells once`()
    throws
  {
    let path = unwatchedSpool()
    try publish(1, in: path)
    let lines = Lines()
    let (scheduler, _) = try scheduler(lines, in: path)
    var delivered = 0
    let due = scheduler.step(at: now) { _, _ in delivered += 1 }
    #expect(delivered == 1 && due <= now + 60 * Self.second)
    try publish(1, in: path)
    _ = scheduler.step(at: now + 60 * Self.second) { _, _ in }
    #expect(scheduler.waitingCount == 2)
    #expect(
      lines.texts.filter { $0.hasPrefix("paraph: spool: ") } == [
        "paraph: spool: new signatures are not noticed at once (inotify_add_watch \(path)/new: "
          + "File name too long); scanning every 60 s"
      ])
  }

  @Test func `a request to flush is followed once`() throws {
    try publish(1)
    let lines = Lines()
    let (scheduler, _) = try scheduler(lines)
    var begun: QueueEntry?
    _ = scheduler.step(at: now) { begun = $1 }
    scheduler.complete(
      .init(
        sink: 0, entry: try #require(begun),
        result: .answered(.temporaryFailure("no network"))), at: now)
    try Spool(at: spool).requestFlush(of: "one")
    scheduler.requestScan()
    for later in 1...3 as ClosedRange<Int64> { _ = scheduler.step(at: now + later) { _, _ in } }
    #expect(lines.texts.count { $0.hasSuffix("retried on request") } == 1)
  }

  @Test func `each rejection is logged with its reason and when it is tried again`() throws {
    try publish(1)
    let lines = Lines()
    let (scheduler, _) = try scheduler(lines)
    var texts: [String] = []
    for attempt in 1...2 {
      var begun: QueueEntry?
      _ = scheduler.step(at: now + Int64(attempt) * 600 * Self.second) { begun = $1 }
      let entry = try #require(begun)
      scheduler.complete(
        .init(sink: 0, entry: entry, result: .answered(.permanentFailure("no room"))),
        at: now + Int64(attempt) * 600 * Self.second)
      texts.append(
        "paraph: one: rejected \(entry.id.text) (no room); attempt \(attempt), retry in ")
    }
    let logged = lines.texts.suffix(2)
    #expect(logged.count == 2 && zip(logged, texts).allSatisfy { $0.hasPrefix($1) })
  }
}
