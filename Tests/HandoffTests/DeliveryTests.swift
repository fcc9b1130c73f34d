import CLinux
import Configuration
import Linux
import SpoolFixtures
import Testing

@testable import Handoff
@testable import Spool

@Suite struct DeliveryTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }

  func outbox(_ name: String) -> String {
    mkdir("\(folder.path)/\(name)", 0o770)
    return "\(folder.path)/\(name)"
  }

  func delivery(
    _ sinks: [String], held: [String] = [], retain: String = "0",
    log: @escaping Delivery.Log = { _, _ in }
  ) throws -> Delivery {
    var text = "[spool]\npath = \(spool)\n[handoff]\nretain = \(retain)\nfirst-pause = 10ms\n"
    text += "longest-pause = 20ms\n"
    for sink in sinks {
      text += "[sink \(sink)]\ntype = directory\npath = \(folder.path)/\(sink)\n"
      if held.contains(sink) { text += "hold = yes\n" }
    }
    return try Delivery(HandoffConfiguration(text, file: "test"), log: log)
  }

  func publish(_ count: Int) throws -> [String] {
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    return try (0..<count).map { _ in try Fixtures.publish(&publisher).id.text }
  }

  func names(_ path: String) throws -> Set<String> { Set(try Folder(path).names()) }

  @Test func `a waiting item is delivered to every sink and leaves the spool`() throws {
    let ids = try publish(20)
    let outboxes = [outbox("one"), outbox("two")]
    #expect(try delivery(["one", "two"]).runOnce() == 0)
    for path in outboxes { #expect(try names(path) == Set(ids)) }
    for part in ["new", "delivered", "failed", "tmp"] {
      #expect(try names("\(spool)/\(part)").isEmpty, "\(part)")
    }
    #expect(try Spool(at: spool).idsWithState().isEmpty)
  }

  @Test func `the item waits for an unavailable sink, which alone is retried`() throws {
    let ids = try publish(3)
    let one = outbox("one")
    #expect(try delivery(["one", "two"]).runOnce() > 0)
    #expect(try names(one) == Set(ids))
    #expect(try names("\(spool)/new") == Set(ids))
    // Emptied by whoever fetches: nothing may come again.
    for id in ids { try Folder(one).removeTree(id) }
    let two = outbox("two")
    let delivery = try delivery(["one", "two"])
    while try delivery.runOnce() > 0 {}
    #expect(try names(two) == Set(ids))
    #expect(try names(one).isEmpty)
    #expect(try names("\(spool)/new").isEmpty)
  }

  @Test func `a single run tries what comes after an item that is locked`() throws {
    let ids = try publish(3)
    let one = outbox("one")
    let item = try Folder("\(spool)/new/\(ids[0])")
    #expect(try item.descriptor.tryLock())
    #expect(try delivery(["one"]).runOnce() == 1)
    #expect(try names(one) == Set(ids.dropFirst()))
    try item.descriptor.unlock()
    #expect(try delivery(["one"]).runOnce() == 0)
    #expect(try names(one) == Set(ids))
  }

  @Test func `a pad that hangs up does not keep the program busy while a configuration waits`()
    throws
  {
    _ = try publish(1)
    let (script, begun, go) = (folder.path + "/slow", folder.path + "/begun", folder.path + "/go")
    let lines = "#!/bin/sh\ntouch \(begun)\nuntil [ -e \(go) ]; do sleep 0.01; done\n"
    try Fixtures.write(script, Array(lines.utf8))
    chmod(script, 0o755)
    let pad = try SocketListener(path: folder.path + "/pad", mode: 0o600)
    let text = """
      [spool]
      path = \(spool)
      [handoff]
      pad = \(folder.path)/pad
      metrics = \(folder.path)/paraph.prom
      [sink slow]
      type = command
      command = \(script)
      """
    let configuration = try HandoffConfiguration(text, file: "test")
    var next = configuration
    next.retain = 1
    let event = try EventDescriptor()
    event.signal()
    var (isReloading, wakeups) = (false, 0)
    let delivery = try Delivery(configuration) { _, _ in }
    let end = try delivery.run(event.number) {
      if isReloading {
        wakeups += 1
      } else if Fixtures.exists(begun) {
        event.clear()
        isReloading = true
        return SIGHUP
      }
      return nil
    } reload: {
      // Its end of the connection is closed at once.
      _ = try? pad.accept()
      try? Fixtures.write(go, [])
      return next
    }
    guard case .reload = end else { throw Errno(EINVAL) }
    // The delivery's end, and a few notices of the kernel.
    #expect(wakeups < 20)
  }

  @Test func `a rejected item fails with the reason, and a retry delivers only to that sink`()
    throws
  {
    let ids = try publish(2)
    let id = ids[0]
    let (one, two) = (outbox("one"), outbox("two"))
    try Fixtures.write("\(one)/\(id)", [])
    #expect(try delivery(["one", "two"]).runOnce() == 1)
    #expect(try names(two) == Set(ids))
    #expect(try names("\(spool)/failed") == [id, id + ".reason"])
    let open = try Spool(at: spool)
    #expect(try open.reason(of: id) == "one: \(one)/\(id) exists and is not a folder\n")
    unlink("\(one)/\(id)")
    try Folder(two).removeTree(id)
    try open.retry(#require(ItemID(id)))
    #expect(try delivery(["one", "two"]).runOnce() == 0)
    #expect(try names(one) == Set(ids))
    #expect(try names(two) == [ids[1]])
    #expect(try names("\(spool)/failed").isEmpty)
    #expect(try open.idsWithState().isEmpty)
  }

  @Test func `foreign entries of the spool move to failed`() throws {
    let ids = try publish(4)
    let one = outbox("one")
    let new = "\(spool)/new"
    symlink("/etc", "\(new)/0192f0c1-2d3e-7a4b-8c5d-000000000001")
    mkdir("\(new)/0192f0c1-2d3e-7a4b-8c5d-000000000002", 0o770)
    try Fixtures.write("\(new)/0192f0c1-2d3e-7a4b-8c5d-000000000003", [1])
    mkdir("\(new)/not an id", 0o770)
    try Fixtures.write("\(new)/\(ids[0])/signature.png", [1])
    mkfifo("\(new)/0192f0c1-2d3e-7a4b-8c5d-000000000004", 0o660)
    // What is no item's folder at all is not counted as a signature.
    #expect(try delivery(["one"]).runOnce() == 5)
    #expect(try names(one) == Set(ids.dropFirst()))
    #expect(try names(new).isEmpty)
    let failed = try names("\(spool)/failed")
    #expect(failed.count { !$0.hasSuffix(".reason") } == 6)
    #expect(failed.count { $0.hasSuffix(".reason") } == 6)
    #expect(Fixtures.exists("/etc/passwd"))
  }

  @Test func `more foreign entries than one scan moves are moved without a wait for the next one`()
    throws
  {
    let ids = try publish(1)
    let one = outbox("one")
    let new = "\(spool)/new"
    for number in 0..<300 { mkdir("\(new)/not an id \(number)", 0o770) }
    #expect(try delivery(["one"]).runOnce() == 0)
    #expect(try names(one) == Set(ids))
    #expect(try names(new).isEmpty)
  }

  @Test func `a foreign entry that cannot be moved blocks nothing`() throws {
    let ids = try publish(3)
    let one = outbox("one")
    // Names that are taken already, as another user of the group could make them.
    mkdir("\(spool)/delivered/\(ids[1])", 0o770)
    mkdir("\(spool)/failed/\(ids[0])", 0o770)
    try Fixtures.write("\(one)/\(ids[0])", [])
    #expect(try delivery(["one"]).runOnce() > 0)
    #expect(try names(one) == Set(ids))
    #expect(try names("\(spool)/new") == [ids[0]])
    #expect(try names("\(spool)/delivered").isEmpty)
    rmdir("\(spool)/failed/\(ids[0])")
    #expect(try delivery(["one"]).runOnce() == 1)
    #expect(try names("\(spool)/new").isEmpty)
    #expect(try names("\(spool)/failed") == [ids[0], ids[0] + ".reason"])
  }

  @Test(arguments: ["", "/one", "/two"])
  func `foreign objects in place of a record block nothing`(name: String) throws {
    let ids = try publish(6)
    let outboxes = [outbox("one"), outbox("two")]
    for (id, make) in zip(
      ids,
      [
        { try Fixtures.write($0, [1]) }, { mkdir($0, 0o770) }, { symlink("/etc/passwd", $0) },
        { symlink("/nowhere", $0) }, { mkfifo($0, 0o660) },
      ] as [(String) throws -> Void])
    {
      if !name.isEmpty { mkdir("\(spool)/state/\(id)", 0o770) }
      try make("\(spool)/state/\(id)\(name)")
    }
    #expect(try delivery(["one", "two"]).runOnce() == 0)
    for path in outboxes { #expect(try names(path) == Set(ids)) }
    #expect(Fixtures.exists("/etc/passwd"))
  }

  @Test func `links and folders in place of delivery records are ignored and replaced`()
    throws
  {
    let ids = try publish(3)
    let one = outbox("one")
    mkdir("\(spool)/state/.sinks", 0o770)
    mkdir("\(spool)/state/.sinks/one", 0o770)
    mkdir("\(spool)/state/.sinks/one/\(ids[0])", 0o770)
    symlink("/etc/passwd", "\(spool)/state/.sinks/one/\(ids[1])")
    symlink("/etc", "\(spool)/state/.sinks/two")
    #expect(try delivery(["one", "two"]).runOnce() > 0)
    #expect(try names(one) == Set(ids))
    for id in ids { try Folder(one).removeTree(id) }
    let two = outbox("two")
    #expect(try delivery(["one", "two"]).runOnce() == 0)
    #expect(try names(two) == Set(ids))
    #expect(try names(one).isEmpty)
  }

  /// Ids stay ahead, here by years, when a clock that was ahead is set right.
  @Test(arguments: [-7200, 500_000_000] as [Int64])
  func `an item beyond the greatest age fails after a failed attempt, by a clock that is set`(
    ahead: Int64
  ) throws {
    let second: Int64 = 1_000_000_000
    let fresh = try #require(ItemID(publish(1)[0]))
    let open = try Spool(at: spool)
    var old = try Item.readManifest(of: fresh, in: open.new)
    var ids = ItemIDSource()
    old.id = try ids.next(at: WallClock.now + ahead * second)
    old.time = WallClock.text(WallClock.now - 7200 * second)
    old.clockSynchronized = true
    var unset = old
    unset.id = try ids.next(at: WallClock.now + ahead * second)
    unset.clockSynchronized = false
    for manifest in [old, unset] { try Fixtures.add(manifest, to: spool) }
    let text = """
      [spool]
      path = \(spool)
      [handoff]
      maximum-age = 1h
      [sink absent]
      type = directory
      path = \(folder.path)/absent
      """
    for isSet in [false, true] {
      let limits = Delivery.Limits(isClockSynchronized: { isSet })
      let delivery = try Delivery(HandoffConfiguration(text, file: "test"), limits) { _, _ in }
      #expect(try delivery.runOnce() == 3)
      #expect(try names("\(spool)/new").contains(old.id.text) == !isSet)
    }
    #expect(try names("\(spool)/new") == [fresh.text, unset.id.text])
    let reason = try #require(try open.reason(of: old.id.text))
    #expect(reason.hasPrefix("absent: not delivered within maximum-age (3600 s): open "))
  }

  @Test
  func `a foreign entry that cannot be moved is reported once, and does not count as delivered`()
    throws
  {
    let ids = try publish(2)
    let outboxes = [outbox("one"), outbox("two")]
    // The manifest is whole, and only a sink's thread sees that the picture is not.
    try Fixtures.write("\(spool)/new/\(ids[0])/signature.png", [1])
    mkdir("\(spool)/failed/\(ids[0])", 0o770)
    let delivery = try delivery(["one", "two"])
    for _ in 0..<3 {
      delivery.scheduler.requestScan()
      #expect(try delivery.runOnce() > 0)
      #expect(delivery.scheduler.uncommittedCount == 1)
    }
    for path in outboxes { #expect(try names(path) == [ids[1]]) }
    rmdir("\(spool)/failed/\(ids[0])")
    delivery.scheduler.requestScan()
    #expect(try delivery.runOnce() == 1)
    #expect(try names("\(spool)/failed") == [ids[0], ids[0] + ".reason"])
  }

  @Test func `one program delivers from a spool at a time`() throws {
    let ids = try publish(2)
    var lines: [String] = []
    let second = try delivery(["one"]) { lines.append($1) }
    do {
      let first = try delivery(["one"])
      #expect(try first.runOnce() > 0)
      let one = outbox("one")
      #expect(try second.runOnce() > 0)
      #expect(second.scheduler.isLockedElsewhere)
      #expect(
        lines == [
          "paraph: spool: another paraph-handoff delivers from \(spool); stop one of the two"
        ])
      #expect(try names(one).isEmpty)
      #expect(try first.runOnce() == 0)
      #expect(try names(one) == Set(ids))
      // With nothing to deliver it holds nothing.
      #expect(try delivery(["one"]).runOnce() == 0)
      _ = consume first
    }
  }

  @Test func `a spool that replaced another one of the same name is locked again`() throws {
    _ = try publish(1)
    let delivery = try delivery(["one"])
    #expect(try delivery.runOnce() > 0)
    rename(spool, folder.path + "/old")
    let ids = try publish(1)
    let one = outbox("one")
    delivery.scheduler.requestScan()
    #expect(try delivery.runOnce() == 0)
    #expect(try names(one) == Set(ids))
  }

  @Test func `an impossible time in a stamp causes no failure, and the item keeps its time`() throws
  {
    let ids = try publish(2)
    _ = outbox("one")
    #expect(try delivery(["one"], retain: "1h").runOnce() == 0)
    for (id, stamp) in zip(ids, ["0 -9223372036854775807 1", "9223372036854775807 0 0"]) {
      try Fixtures.write("\(spool)/state/\(id)/.delivered", Array(stamp.utf8))
    }
    try Fixtures.write("\(spool)/state/.odometer", Array("9223372036854775807 0 0".utf8))
    #expect(try delivery(["one"], retain: "1h").runOnce() == 0)
    #expect(try names("\(spool)/delivered") == Set(ids))
  }

  @Test func `a folder in place of a retention stamp is replaced, and delays no other item`() throws
  {
    let ids = try publish(4)
    _ = outbox("one")
    #expect(try delivery(["one"], retain: "1h").runOnce() == 0)
    let open = try Spool(at: spool)
    for id in ids {
      try open.stamp(
        #require(ItemID(id)), RetentionStamp(accumulatedUptime: 0, wall: 0, synchronized: false))
    }
    let hour: Int64 = 3_600_000_000_000
    try open.setAccumulatedUptime(
      RetentionStamp(accumulatedUptime: hour, wall: 0, synchronized: false))
    // Their retention begins now.
    for id in ids.prefix(2) {
      try Folder("\(spool)/state/\(id)").remove(".delivered")
      mkdir("\(spool)/state/\(id)/.delivered", 0o770)
    }
    #expect(try delivery(["one"], retain: "1h").runOnce() == 0)
    #expect(try names("\(spool)/delivered") == Set(ids.prefix(2)))
  }

  @Test func `records of items that no longer exist are removed`() throws {
    let id = try publish(1)[0]
    _ = outbox("one")
    let open = try Spool(at: spool)
    let gone = try #require(ItemID("0192f0c1-2d3e-7a4b-8c5d-000000000001"))
    try open.record(SinkState(.delivered), of: "two", for: gone, durable: false)
    try open.record(SinkState(attempts: 2), of: "one", for: #require(ItemID(id)), durable: false)
    try Folder("\(spool)/new").move(id, to: Folder("\(spool)/failed"), as: id)
    _ = try delivery(["one"]).runOnce()
    #expect(try open.idsWithState().map { $0.text } == [id])
  }

  @Test func `a delivered item can be kept`() throws {
    let ids = try publish(2)
    _ = outbox("one")
    #expect(try delivery(["one"], retain: "1d").runOnce() == 0)
    #expect(try names("\(spool)/delivered") == Set(ids))
  }

  @Test func `a retained item is removed when its time is over, whatever the wall clock shows`()
    throws
  {
    let ids = try publish(2)
    _ = outbox("one")
    #expect(try delivery(["one"], retain: "1h").runOnce() == 0)
    let open = try Spool(at: spool)
    let (old, fresh) = (try #require(ItemID(ids[0])), try #require(ItemID(ids[1])))
    // Both were delivered in 1970 as far as the clock knew; handoff has run for an hour since the first.
    let hour: Int64 = 3_600_000_000_000
    try open.stamp(old, RetentionStamp(accumulatedUptime: 0, wall: 0, synchronized: false))
    try open.stamp(fresh, RetentionStamp(accumulatedUptime: hour, wall: 0, synchronized: false))
    try open.setAccumulatedUptime(
      RetentionStamp(accumulatedUptime: hour, wall: 0, synchronized: false))
    #expect(try delivery(["one"], retain: "1h").runOnce() == 0)
    #expect(try names("\(spool)/delivered") == [ids[1]])
    #expect(try open.idsWithState() == [fresh])
    #expect(try names("\(spool)/state").contains(".odometer"))
    #expect(try delivery(["one"]).runOnce() == 0)
    #expect(try names("\(spool)/delivered").isEmpty)
  }

  @Test func `a missing spool is one line in the log`() throws {
    _ = outbox("one")
    let text =
      "[spool]\npath = \(folder.path)/none\n[sink one]\ntype = directory\npath = \(folder.path)/one"
    var lines: [String] = []
    let delivery = try Delivery(HandoffConfiguration(text, file: "test")) { lines.append($1) }
    #expect(try delivery.runOnce() > 0)
    #expect(
      lines == ["paraph: spool: open \(folder.path)/none: No such file or directory"])
  }

  @Test func `a sink that was removed from the configuration delays nothing`() throws {
    let ids = try publish(2)
    let one = outbox("one")
    #expect(try delivery(["one", "two"]).runOnce() > 0)
    #expect(try delivery(["one"]).runOnce() == 0)
    #expect(try names(one) == Set(ids))
    #expect(try names("\(spool)/new").isEmpty)
  }

  @Test func `a held sink receives nothing, and everything once it is resumed`() throws {
    let ids = try publish(3)
    let (one, two) = (outbox("one"), outbox("two"))
    var lines: [String] = []
    #expect(try delivery(["one", "two"], held: ["two"]) { lines.append($1) }.runOnce() == 3)
    #expect(
      lines.prefix(2) == [
        "paraph: 2 sinks, 3 signatures wait", "paraph: sink two: held; 3 signatures wait",
      ])
    #expect(try names(one) == Set(ids))
    #expect(try names(two).isEmpty)
    #expect(try names("\(spool)/new") == Set(ids))
    #expect(try names("\(spool)/failed").isEmpty)
    #expect(try delivery(["one", "two"]).runOnce() == 0)
    #expect(try names(two) == Set(ids))
    #expect(try names("\(spool)/new").isEmpty)
  }

  @Test func `a signature that another sink rejects waits for the held one`() throws {
    let ids = try publish(2)
    let (one, two) = (outbox("one"), outbox("two"))
    try Fixtures.write("\(one)/\(ids[0])", [])
    #expect(try delivery(["one", "two"], held: ["two"]).runOnce() == 2)
    #expect(try names("\(spool)/new") == Set(ids))
    #expect(try names("\(spool)/failed").isEmpty)
    #expect(try delivery(["one", "two"]).runOnce() == 1)
    #expect(try names(two) == Set(ids))
    #expect(try names("\(spool)/failed") == [ids[0], ids[0] + ".reason"])
  }

  @Test func `a purge that fails after the move is repeated, and repeats no delivery`() throws {
    let id = try publish(1)[0]
    let one = outbox("one")
    // Deeper than the trees that are removed.
    var path = "\(spool)/state/\(id)"
    mkdir(path, 0o770)
    for _ in 0..<120 {
      path += "/deep"
      mkdir(path, 0o770)
    }
    let delivery = try delivery(["one"])
    #expect(try delivery.runOnce() > 0)
    #expect(try names(one) == [id])
    #expect(try names("\(spool)/new").isEmpty)
    #expect(delivery.scheduler.uncommittedCount == 1)
    try Folder(one).removeTree(id)
    let half = String(repeating: "/deep", count: 60)
    rename("\(spool)/state/\(id)\(half)", folder.path + "/half")
    delivery.scheduler.requestScan()
    #expect(try delivery.runOnce() == 0)
    #expect(delivery.scheduler.uncommittedCount == 0)
    #expect(try Spool(at: spool).idsWithState().isEmpty)
    #expect(try names(one).isEmpty)
  }

  @Test func `an item with records that arrives by a notice goes only to the sinks without it`()
    throws
  {
    let id = try publish(1)[0]
    let (one, two) = (outbox("one"), outbox("two"))
    let new = try Folder("\(spool)/new")
    let failed = try Folder("\(spool)/failed")
    try new.move(id, to: failed, as: id)
    let delivery = try delivery(["one", "two"])
    #expect(try delivery.runOnce() == 0)
    let open = try Spool(at: spool)
    try open.record(SinkState(.delivered), of: "one", for: #require(ItemID(id)), durable: true)
    try failed.move(id, to: new, as: id)
    // No scan is due: only the kernel's notice brings it.
    delivery.scheduler.readNotices(at: MonotonicClock.now)
    #expect(try delivery.runOnce() == 0)
    #expect(try names(one).isEmpty)
    #expect(try names(two) == [id])
    #expect(try names("\(spool)/new").isEmpty)
    #expect(try open.idsWithState().isEmpty)
  }
}
