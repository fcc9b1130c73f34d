import CLinux
import JSON
import Linux
import Spool
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Handoff

/// Both daemons as they run on a board, killed again and again while a recorded hand signs.
@Suite(.serialized) struct KillTests {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }

  /// A daemon through all its lives.
  struct Daemon: ~Copyable {
    let name: String
    let folder: String
    private var process: ChildProcess?
    private(set) var kills = 0

    var log: String { "\(folder)/\(name).log" }

    init(_ name: String, in folder: String) {
      self.name = name
      self.folder = folder
    }

    mutating func live() throws {
      if process != nil { return }
      let log = try Programs.open(log)
      process = try ChildProcess(
        Programs.path(name), ["-c", "\(folder)/\(name).conf"],
        environment: ["RUNTIME_DIRECTORY=\(folder)/run"], error: log.number)
    }

    mutating func kill() throws {
      guard var child = process.take() else { return }
      child.signal(SIGKILL)
      #expect(try child.wait() == .signal(SIGKILL))
      kills += 1
    }
  }

  /// The recipient's and the pad's keys of a pad that seals and signs.
  struct Keys {
    let recipient, pad: SealKeys

    init(in folder: TemporaryFolder) throws {
      recipient = try SealKeys(.rsa, "recipient", in: folder)
      pad = try SealKeys(.ellipticCurve, "pad", in: folder)
    }

    var sections: String {
      """
      [seal]
      recipients = \(recipient.certificate)
      swap = allow
      [sign]
      certificate = \(pad.certificate)
      key = \(pad.key)
      """
    }
  }

  func prepare(_ keys: Keys?) throws {
    let recording = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    try write(
      "paraphd.conf",
      """
      [touch]
      recording = \(recording)/Fixtures/hurried.evemu
      loop = yes
      [display]
      card = memory
      pixels = 400x240
      size = 154x86
      [signature]
      formats = png json
      dpi = 100
      [spool]
      path = \(spool)
      \(keys?.sections ?? "")
      """)
    try write(
      "paraph-handoff.conf",
      """
      [spool]
      path = \(spool)
      [handoff]
      rescan = 1s
      first-pause = 1ms
      longest-pause = 5ms
      [sink outbox]
      type = directory
      path = \(folder.path)/outbox
      [sink program]
      type = command
      command = \(folder.path)/count
      """)
    try write("count", "#!/bin/sh\necho $PARAPH_ID >> \(folder.path)/counted\n")
    chmod(folder.path + "/count", 0o755)
    mkdir(folder.path + "/outbox", 0o770)
    mkdir(folder.path + "/run", 0o770)
  }

  func write(_ name: String, _ text: String) throws {
    try Fixtures.write("\(folder.path)/\(name)", Array(text.utf8))
  }

  /// The numbers of the signatures that the pad has acknowledged; a line of its log comes after that.
  func acknowledged(_ log: String) throws -> Set<Int64> {
    Set(
      try Fixtures.text(log).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard line.hasPrefix("paraph: published signature "), words.count > 3 else { return nil }
        return Int64(words[3])
      })
  }

  /// When the first stroke of a signature began that was sent and not saved when the pad died: it is in
  /// the pad's journal, for its next life. Samples are stamped by a clock that never stands still.
  func left() throws -> Int64? {
    guard Fixtures.exists(folder.path + "/run/done") else { return nil }
    let journal = try Fixtures.read(folder.path + "/run/strokes")
    guard journal.count >= 24 else { return nil }
    return journal[16..<24].reversed().reduce(into: Int64(0)) { time, byte in
      time = time << 8 | Int64(byte)
    }
  }

  @Test(arguments: [false, true])
  func `kill -9 of both daemons at any moment loses nothing and repeats one delivery at most`(
    sealed: Bool
  ) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let keys = sealed ? try Keys(in: folder) : nil
    try prepare(keys)
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var pad = Daemon("paraphd", in: folder.path)
    var handoff = Daemon("paraph-handoff", in: folder.path)
    var promised: Set<Int64> = []
    var sent: Set<Int64> = []
    let target = Soak.rounds(12, full: 1000)
    while min(pad.kills, handoff.kills) < target {
      // Another pad of the same spool: there is always something to deliver.
      promised.insert(try Fixtures.publish(&publisher).sequence)
      try pad.live()
      try handoff.live()
      // A delivery is done in a few milliseconds; the hand needs 0.15 s to sign. Before that a pad that seals tries it,
      // and after it, it seals.
      let moments: [ClosedRange<Int64>] =
        sealed ? [0...40, 0...600, 200...500] : [0...40, 0...300, 150...200]
      let moment = moments[Int.random(in: 0..<3, using: &generator)]
      pause(Int64.random(in: moment, using: &generator) * 1_000_000)
      let victim = Int.random(in: 0..<3, using: &generator)
      if victim != 0 {
        try pad.kill()
        if let left = try left() { sent.insert(left) }
      }
      if victim != 1 { try handoff.kill() }
    }
    try handoff.kill()
    // What the last life has left is for one more.
    repeat {
      try pad.kill()
      let before = try acknowledged(pad.log).count
      try pad.live()
      #expect(try eventually { try acknowledged(pad.log).count > before }, "seed \(seed)")
      try pad.kill()
    } while try left() != nil
    let signed = try acknowledged(pad.log)
    let log = try Fixtures.text(pad.log).suffix(1000)
    #expect(!signed.isEmpty, "seed \(seed): \(log)")
    let arguments = ["-c", folder.path + "/paraph-handoff.conf", "--once"]
    var end = try Programs.run("paraph-handoff", arguments)
    // Three kills in the middle of one delivery look as if it were the item's fault.
    let open = try Spool(at: spool)
    let failed = try Spool.ids(in: open.failed)
    for id in failed { try open.retry(id) }
    if !failed.isEmpty { end = try Programs.run("paraph-handoff", arguments) }
    #expect(end.end == .exit(0), "seed \(seed): \(end.text)")
    let times = try checkDelivered(promised.union(signed), keys, "seed \(seed)")
    #expect(Set(times).count == times.count, "seed \(seed): a signature was published twice")
    #expect(Set(times).isSuperset(of: sent), "seed \(seed): \(sent.subtracting(times)) lost")
    let repeats = try countRepeats("seed \(seed)")
    #expect(repeats <= handoff.kills, "seed \(seed)")
    Soak.figure(
      "\(sealed ? "sealed and signed, " : "")\(pad.kills) kills of paraphd and \(handoff.kills) of paraph-handoff: \(signed.count) signatures of the "
        + "pad and \(promised.count) others acknowledged, \(sent.count) of which the pad died after Done, all "
        + "delivered, \(repeats) deliveries repeated"
    )
  }

  func pause(_ nanoseconds: Int64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Everything promised is in the outbox, all of it whole, each with a number of its own; the spool is
  /// empty, but for what was being written when the pad died last. Returns when the strokes of each
  /// signature of the pad began.
  func checkDelivered(_ promised: Set<Int64>, _ keys: Keys?, _ comment: String) throws -> [Int64] {
    let outbox = try Folder(folder.path + "/outbox")
    var there: Set<Int64> = []
    var times: [Int64] = []
    for name in try outbox.names() where !name.hasPrefix(".") {
      let item = try Item(#require(ItemID(name), "\(comment): \(name)"), in: outbox)
      #expect(there.insert(item.manifest.sequence).inserted, "\(comment): a number twice")
      // Of the pad, and not of the test.
      if let strokes = try strokes(of: item, keys, comment) {
        let recorded = try JSONValue.parse(strokes, limits: .init(size: 1 << 20))
        let first = recorded["strokes"]?[0]?["samples"]?[0]?[0]
        times.append(try #require(first?.integer, "\(comment)"))
      }
    }
    #expect(there.isSuperset(of: promised), "\(comment): \(promised.subtracting(there)) lost")
    for part in ["new", "delivered", "failed"] {
      #expect(try Folder("\(spool)/\(part)").names().isEmpty, "\(comment): \(part)")
    }
    #expect(try Spool(at: spool).idsWithState().isEmpty, "\(comment)")
    _ = try Publisher(at: spool).prepare()
    #expect(try Folder("\(spool)/tmp").names().isEmpty, "\(comment)")
    return times
  }

  /// The ink of an item of the pad, which is sealed and signed if there are keys.
  func strokes(of item: Item, _ keys: Keys?, _ comment: String) throws -> [UInt8]? {
    func content(_ name: String) -> [UInt8]? { item.files.first { $0.name == name }?.bytes }
    guard let keys, let sealed = content("strokes.json.cms") else { return content("strokes.json") }
    #expect(content("strokes.json") == nil, "\(comment)")
    let signature = try #require(content("signature.json.p7s"), "\(comment)")
    #expect(
      try keys.pad.verify(signature, content("signature.json") ?? [], in: folder), "\(comment)")
    let ink = try keys.recipient.open(sealed, in: folder)
    #expect(ink != nil, "\(comment)")
    return ink
  }

  /// How often the program got what it had; it must have got everything that the outbox has.
  func countRepeats(_ comment: String) throws -> Int {
    let counted = try Fixtures.text(folder.path + "/counted").split(separator: "\n").map {
      String($0)
    }
    let delivered = try Folder(folder.path + "/outbox").names().filter { !$0.hasPrefix(".") }
    #expect(Set(counted) == Set(delivered), "\(comment)")
    return counted.count - Set(counted).count
  }
}
