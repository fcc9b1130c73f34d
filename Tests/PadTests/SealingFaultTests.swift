import CLinux
import Control
import Ink
import Linux
import SealClient
import Spool
import SpoolFixtures
import Testing
import Touch

@testable import Pad

extension SaveLoopTests {
  /// The time limit in milliseconds where paraph-seal hangs.
  static let hangLimit = 4000
  /// What paraph-seal does instead of answering, and the reason that is reported.
  static let sealingFaults =
    [
      ("exit 70", "paraph-seal: ended without a reply (exit code 70)"),
      ("kill -9 $$", "paraph-seal: ended without a reply (signal 9)"),
      ("printf 'PSL1\\000\\000'; exit 0", "paraph-seal: its reply is invalid or cut"),
      ("head -c 4000 /dev/urandom; exit 0", "paraph-seal: its reply is invalid or cut"),
      ("printf 'PSL1\\000\\000\\000\\010\\003\\000\\000\\000\\003why'; exit 0", "why"),
      ("exec sleep 60", "paraph-seal: no reply within \(hangLimit) ms"),
    ]
    // Without memory for OpenSSL. A sanitizer's memory does not begin there.
    + (Sanitizer.isOff
      ? [
        (
          "ulimit -c 0; ulimit -v 8000; exec \(Programs.path("paraph-seal"))",
          "paraph-seal: ended without a reply (exit code 127)"
        )
      ] : [])

  /// A pad that seals and signs by the proxy.
  private func running(
    _ proxy: SealProxy, _ recipient: SealKeys, _ pad: SealKeys, hangs: Bool = false
  ) throws -> Running {
    // The proxy is slower than what the default limit is for.
    let program = SealProgram(
      proxy.path, key: pad.key, timeLimit: hangs ? Self.hangLimit : 60_000)
    let loop = try Running(
      folder, signature: "formats = png svg inkml json",
      seal: """
        recipients = \(recipient.certificate)
        swap = allow
        service = \(proxy.path)
        [sign]
        certificate = \(pad.certificate)
        key = \(pad.key)
        """, program: program)
    _ = try loop.settled()
    #expect(loop.glass() == [1])
    return loop
  }

  private func keys() throws -> (recipient: SealKeys, pad: SealKeys) {
    try (
      SealKeys(.ellipticCurve, "notary", in: folder), SealKeys(.ellipticCurve, "pad", in: folder)
    )
  }

  /// Expects that the only item is whole.
  private func expectItem(_ loop: borrowing Running, _ recipient: SealKeys, _ pad: SealKeys) throws
  {
    #expect(try loop.items() == 1)
    let new = try Folder(loop.spool + "/new")
    let name = try #require(try new.names().first)
    let item = try Item(try #require(ItemID(name)), in: new)
    let content = { (name: String) in item.files.first { $0.name == name }?.bytes ?? [] }
    #expect(try recipient.open(content("strokes.json.cms"), in: folder) != nil)
    #expect(
      try pad.verify(content("signature.json.p7s"), content("signature.json"), in: folder))
  }

  /// Whether a process still runs.
  private func runs(_ pid: Int32) -> Bool { Fixtures.exists("/proc/\(pid)") }

  /// Draws, and waits until a process has got this request; returns the process.
  @discardableResult private func draw(
    _ strokes: [Stroke], on loop: borrowing Running, until request: String, of proxy: SealProxy
  ) throws -> Int32 {
    loop.draw(strokes)
    _ = try loop.settled()
    #expect(eventually { (try? proxy.requests().last?.kind) == request })
    return try #require(try proxy.requests().last).pid
  }

  /// The processes that were started since the `first` of them.
  private func starts(_ proxy: SealProxy, from first: Int) throws -> [Int32] {
    Array(try proxy.requests().filter { $0.kind == "start" }.map { $0.pid }.dropFirst(first))
  }

  @Test(arguments: [SealProxy.Request.seal, .sign], sealingFaults)
  func
    `when paraph-seal fails at any step, nothing is published, one reason is told, and the next try succeeds`(
      _ step: SealProxy.Request, _ fault: (action: String, reason: String)
    ) throws
  {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: step)
    let hangs = fault.reason.hasSuffix("within \(Self.hangLimit) ms")
    let loop = try running(proxy, recipient, pad, hangs: hangs)
    // A process that was prepared by a stroke, and one that is started for the request.
    for isPrepared in [true, false] {
      if isPrepared { loop.draw(strokes) }
      try proxy.arm(fault.action)
      loop.messages.post(signature(strokes))
      let reasons = try self.reasons(loop.settled()).compactMap { $0 }
      #expect(reasons.count == 1 && reasons[0].hasSuffix(fault.reason), "\(reasons)")
      // The ink stays, and the pad is out of service until a test succeeds.
      #expect(loop.glass() == [-1, 0])
      #expect(try loop.items() == 0)
      // A prepared process that does not answer may have hung, and is replaced once.
      let replaced = step == .seal && fault.reason != "why" ? 1 : 0
      #expect(try starts(proxy, from: 2).count == (isPrepared ? 1 : 2) + replaced)
      #expect(try Folder(loop.spool + "/tmp").names().allSatisfy { $0 == "sequence" })
      #expect(eventually { (try? starts(proxy, from: 0).allSatisfy { !runs($0) }) == true })
    }
    proxy.disarm()
    loop.messages.post(signature(strokes))
    _ = try loop.settled()
    try expectItem(loop, recipient, pad)
    loop.stop()
  }

  @Test func `one process prepares, seals and signs a signature, and is gone at rest`() throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let loop = try running(proxy, recipient, pad)
    let tests = try starts(proxy, from: 0)
    #expect(tests.count == 2 && tests.allSatisfy { !runs($0) })
    loop.draw(strokes)
    loop.draw(strokes)
    _ = try loop.settled()
    #expect(eventually { (try? starts(proxy, from: 2).count) == 1 })
    loop.messages.post(signature(strokes))
    _ = try loop.settled()
    try expectItem(loop, recipient, pad)
    let own = try #require(try starts(proxy, from: 2).first)
    #expect(
      try proxy.requests().filter { $0.pid == own }.map { $0.kind } == ["start", "7", "1", "3"])
    #expect(try starts(proxy, from: 3).isEmpty && eventually { !runs(own) })
    loop.stop()
  }

  @Test(arguments: [false, true])
  func `the process ends when the ink is wiped, and stays when a stroke is taken back`(
    _ isMistake: Bool
  ) throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let loop = try running(proxy, recipient, pad)
    let own = try draw(Array(strokes.prefix(1)), on: loop, until: "7", of: proxy)
    #expect(runs(own))
    loop.push(GlassContact(.cancel, Sample(time: 0, position: .zero), isMistake: isMistake))
    _ = try loop.settled()
    if isMistake {
      loop.draw(Array(strokes.prefix(1)))
      _ = try loop.settled()
      loop.messages.post(signature(strokes))
      _ = try loop.settled()
      try expectItem(loop, recipient, pad)
      #expect(
        try proxy.requests().filter { $0.pid == own }.map { $0.kind } == ["start", "7", "1", "3"])
      #expect(try starts(proxy, from: 3).isEmpty)
    } else {
      #expect(eventually { !runs(own) })
    }
    loop.stop()
  }

  @Test func `the process of wiped ink does not serve the next person`() throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let loop = try running(proxy, recipient, pad)
    let own = try draw(strokes, on: loop, until: "7", of: proxy)
    // The save thread gets both at once.
    loop.push(GlassContact(.cancel, Sample(time: 0, position: .zero)))
    loop.draw(Array(strokes.prefix(1)))
    _ = try loop.settled()
    #expect(eventually { (try? starts(proxy, from: 2).count) == 2 && !runs(own) })
    loop.stop()
  }

  @Test func `a signature of one stroke behind another signature is prepared too`() throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let loop = try running(proxy, recipient, pad)
    loop.draw(strokes)
    loop.messages.post(signature(strokes))
    _ = try loop.settled()
    let before = try starts(proxy, from: 0).count
    loop.push(GlassContact(.cancel, Sample(time: 0, position: .zero)))
    loop.draw(Array(strokes.prefix(1)))
    _ = try loop.settled()
    #expect(eventually { (try? starts(proxy, from: before).count) == 1 })
    loop.stop()
  }

  @Test func `a process that says something unasked is replaced`() throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .prepare)
    try proxy.arm("printf 'PSL1\\000\\000\\000\\010\\003\\000\\000\\000\\003why'; exec sleep 60")
    let loop = try running(proxy, recipient, pad)
    try draw(strokes, on: loop, until: "armed", of: proxy)
    loop.messages.post(signature(strokes))
    #expect(try reasons(loop.settled()) == [nil])
    try expectItem(loop, recipient, pad)
    loop.stop()
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a process that ends while somebody draws is replaced`(_ signal: Int32) throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .prepare)
    try proxy.arm("exec sleep 60")
    let loop = try running(proxy, recipient, pad)
    let own = try draw(strokes, on: loop, until: "armed", of: proxy)
    kill(own, signal)
    proxy.disarm()
    loop.messages.post(signature(strokes))
    #expect(try reasons(loop.settled()) == [nil])
    try expectItem(loop, recipient, pad)
    #expect(try starts(proxy, from: 2).count == 2)
    loop.stop()
  }

  @Test(arguments: ["exec sleep 60", "kill -STOP $$"])
  func `a process that hangs or is stopped while it is prepared is replaced`(
    _ action: String
  ) throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .prepare)
    try proxy.arm(action)
    let loop = try running(proxy, recipient, pad, hangs: true)
    let own = try draw(strokes, on: loop, until: "armed", of: proxy)
    loop.messages.post(signature(strokes))
    #expect(try reasons(loop.settled()) == [nil])
    try expectItem(loop, recipient, pad)
    #expect(try starts(proxy, from: 2).count == 2 && !runs(own))
    loop.stop()
  }

  @Test func `a reload while somebody draws seals to the new recipients by the new key`() throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let loop = try running(proxy, recipient, pad)
    try draw(strokes, on: loop, until: "7", of: proxy)
    let (others, next) = try (
      SealKeys(.ellipticCurve, "other", in: folder), SealKeys(.ellipticCurve, "next", in: folder)
    )
    rename(next.key, pad.key)
    rename(next.certificate, pad.certificate)
    loop.messages.post(.recipients([others.certificate]))
    loop.messages.post(signature(strokes))
    _ = try loop.settled()
    try expectItem(loop, others, pad)
    loop.stop()
  }

  @Test func `a key without its certificate signs nothing until both are read again`() throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let loop = try running(proxy, recipient, pad)
    let next = try SealKeys(.ellipticCurve, "next", in: folder)
    rename(next.key, pad.key)
    try draw(strokes, on: loop, until: "7", of: proxy)
    loop.messages.post(signature(strokes))
    #expect(try reasons(loop.settled()).compactMap { $0 }.count == 1)
    #expect(try loop.items() == 0)
    rename(next.certificate, pad.certificate)
    loop.messages.post(.recipients([recipient.certificate]))
    loop.messages.post(signature(strokes))
    _ = try loop.settled()
    try expectItem(loop, recipient, pad)
    loop.stop()
  }

  /// The runtime directory moves to a disk while the pad is in service, as swap space can be turned on.
  @Test(
    .enabled(if: !InkMemory(runtimeDirectory: nil).isSwapped, "needs a machine without swap"),
    .enabled(
      if: InkMemory(runtimeDirectory: "/var/tmp").isJournalOnDisk, "needs /var/tmp on a disk"),
    arguments: [false, true])
  func `ink that may reach a disk since the last check is not signed, nor asked for`(
    _ isAsked: Bool
  ) throws {
    // The cases run at once.
    let name = "paraph-\(getpid())-\(isAsked)"
    let (memory, disk) = ("/dev/shm/\(name)", "/var/tmp/\(name)")
    for path in [memory, disk] { mkdir(path, 0o700) }
    let link = folder.path + "/runtime"
    symlink(memory, link)
    defer {
      for path in [memory, disk] {
        for name in (try? Folder.names(of: path)) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
      }
    }
    try #require(!InkMemory(runtimeDirectory: link).isJournalOnDisk)
    let recipient = try keys().recipient
    let loop = try Running(
      folder,
      seal: """
        recipients = \(recipient.certificate)
        service = \(Programs.path("paraph-seal"))
        """, runtimeDirectory: link)
    _ = try loop.settled()
    #expect(loop.glass() == [1])
    unlink(link)
    symlink(disk, link)
    try #require(InkMemory(runtimeDirectory: link).isJournalOnDisk)
    loop.messages.post(
      isAsked ? .recordRequest(PadRequest(.signature, number: 1)) : signature(strokes))
    let reasons = try self.reasons(loop.settled()).compactMap { $0 }
    // It may have looked again meanwhile.
    #expect(
      !reasons.isEmpty && reasons.allSatisfy { $0.hasSuffix("is on a disk") }, "\(reasons)")
    let glass = loop.glass()
    #expect(isAsked ? Set(glass) == [0] : Set(glass) == [-1, 0], "\(glass)")
    #expect(try loop.items() == 0)
    loop.stop()
  }

  @Test func `a slow paraph-seal that answers within its limit publishes the signature`() throws {
    let (recipient, pad) = try keys()
    let proxy = try SealProxy(in: folder, insteadOf: .seal)
    let loop = try running(proxy, recipient, pad)
    loop.draw(strokes)
    try proxy.delay()
    loop.messages.post(signature(strokes))
    #expect(try reasons(loop.settled()) == [nil])
    #expect(try proxy.requests().contains { $0.kind == "delayed" })
    try expectItem(loop, recipient, pad)
    loop.stop()
  }
}
