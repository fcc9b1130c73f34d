import CLinux
import Configuration
import Control
import Ink
import Linux
import Raster
import Screen
import SealClient
import Spool
import SpoolFixtures
import SyntheticHand
import Testing
import Touch

@testable import Pad

/// The save thread on a spool of its own, and what it tells the others.
@Suite struct SaveLoopTests {
  struct Running: ~Copyable {
    let messages: Mailbox<SaveMessage>
    let render: Mailbox<RenderMessage>
    let main: Mailbox<MainMessage>
    let spool: String
    private let ink: ContactRing
    private let thread: Thread

    init(
      _ folder: TemporaryFolder, signature: String = "", seal: String = "", problem: String? = nil,
      runtimeDirectory: String? = nil, program: SealProgram? = nil
    )
      throws
    {
      let spool = folder.path + "/spool"
      let (messages, render, main) = try (
        Mailbox<SaveMessage>(), Mailbox<RenderMessage>(), Mailbox<MainMessage>()
      )
      let configuration = try PadConfiguration(
        "[signature]\n\(signature)\n[seal]\n\(seal)\n[spool]\npath = \(spool)\nminimum-free = 0\n",
        file: "",
        models: Appliance.modelNames)
      let ink = try ContactRing()
      let drawing = SignatureDrawing(
        wishes: configuration.signature, model: .standard, theme: Theme(configuration))
      let loop = SaveLoop(
        configuration, files: SignatureFiles(drawing: drawing, device: "pad"),
        ink: ink, recovered: RecoveredState(), sizeProblem: problem,
        runtimeDirectory: runtimeDirectory, program: program, messages: messages, render: render,
        main: main)
      thread = try Thread(name: "save") { loop.run() }
      self.spool = spool
      self.ink = ink
      (self.messages, self.render, self.main) = (messages, render, main)
    }

    /// All that the thread tells while it does what it was asked for before.
    func settled() throws -> [MainMessage] {
      messages.post(.settle)
      var poll = Poll()
      poll.add(main.number)
      var all: [MainMessage] = []
      let end = MonotonicClock.now + 60_000_000_000
      while MonotonicClock.now < end {
        for item in main.takeAll() {
          if case .settled = item { return all }
          all.append(item)
        }
        try poll.wait(milliseconds: 1000)
      }
      throw Errno(ETIMEDOUT)
    }

    /// Draws strokes, as the render thread sends them.
    func draw(_ strokes: [Stroke]) {
      StrokeRecords.forEach(of: strokes) { kind, sample in
        ink.push(GlassContact(kind == .begins ? .down : kind == .ends ? .up : .move, sample))
      }
      ink.wake()
    }

    /// Sends one step.
    func push(_ step: GlassContact) {
      ink.push(step)
      ink.wake()
    }

    /// What the glass was told since the last time: 1 service, 0 none, -1 not saved, 2 saved.
    func glass() -> [Int] {
      render.takeAll().compactMap {
        switch $0 {
        case .service(let available): available ? 1 : 0
        case .notSaved: -1
        case .saved: 2
        default: nil
        }
      }
    }

    func items() throws -> Int { try Folder(spool + "/new").names().count }

    consuming func stop() {
      messages.post(.stop)
      thread.join()
    }
  }

  let folder = TemporaryFolder()

  func signature(_ strokes: [Stroke]) -> SaveMessage {
    .publish(
      FinishedSignature(
        strokes: strokes, glass: Area(x: 0, y: 0, width: 154, height: 86),
        scale: Scale(x: 5, y: 5), request: 7, reference: "4711", done: 0))
  }

  var strokes: [Stroke] {
    SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
  }

  func reasons(_ main: [MainMessage]) -> [String?] {
    main.compactMap { if case .room(let reason) = $0 { .some(reason) } else { nil } }
  }

  @Test func `clients learn of a saved signature before the panel shows it`() throws {
    let loop = try Running(folder)
    loop.messages.post(signature(strokes))
    let main = try loop.settled()
    let published = main.compactMap { main -> Int64? in
      if case .published(_, let request) = main { request } else { nil }
    }
    #expect(published == [7])
    #expect(try loop.items() == 1)
    // The main thread does, after the programs.
    #expect(!loop.glass().contains(2))
    loop.stop()
  }

  @Test func `a heartbeat is answered after earlier messages`() throws {
    let loop = try Running(folder)
    loop.messages.post(signature(strokes))
    loop.messages.post(.heartbeat)
    let main = try loop.settled()
    let order = main.compactMap { main -> String? in
      switch main {
      case .published: "published"
      case .saveAlive: "alive"
      default: nil
      }
    }
    #expect(order == ["published", "alive"])
    loop.stop()
  }

  @Test func `a failure to save is reported with its reason, and service is not back at once`()
    throws
  {
    let loop = try Running(folder)
    #expect(reasons(try loop.settled()) == [nil])
    #expect(loop.glass() == [1])
    loop.messages.post(signature([]))
    loop.messages.post(.heartbeat)
    let reason = "paraph: the strokes leave no ink"
    #expect(reasons(try loop.settled()) == [reason])
    #expect(loop.glass() == [-1, 0])
    #expect(try loop.items() == 0)
    loop.stop()
  }

  @Test func `a panel with too large signatures is out of service until another is lit`()
    throws
  {
    let loop = try Running(folder, problem: "too large")
    loop.messages.post(.heartbeat)
    #expect(try Set(reasons(loop.settled())) == ["too large"])
    #expect(Set(loop.glass()) == [0])
    loop.messages.post(.sizeProblem(nil))
    #expect(try reasons(loop.settled()).last == .some(nil))
    #expect(loop.glass().last == 1)
    loop.messages.post(.sizeProblem("still too large"))
    // Out of service, it is looked again whenever something comes.
    #expect(try Set(reasons(loop.settled())) == ["still too large"])
    #expect(Set(loop.glass()) == [0])
    loop.stop()
  }

  @Test func `a left-over that cannot be removed does not put the pad out of service`() throws {
    _ = try Publisher(at: folder.path + "/spool").prepare()
    let tmp = try Folder(folder.path + "/spool/tmp")
    var deep = try tmp.makeFolder("deep", mode: 0o770)
    for _ in 0..<200 { deep = try deep.makeFolder("d", mode: 0o770) }
    let loop = try Running(folder)
    loop.messages.post(signature(strokes))
    #expect(reasons(try loop.settled()) == [nil, nil])
    #expect(loop.glass() == [1, 1])
    #expect(try loop.items() == 1)
    loop.stop()
    _ = try Programs.run(path: "/bin/rm", ["-rf", folder.path + "/spool/tmp/deep"])
  }

  @Test func `a full disk is reported, and service is back when it has space`() throws {
    let loop = try Running(folder)
    _ = try loop.settled()
    #expect(loop.glass() == [1])
    // A spool without its folder takes nothing, as one without room.
    try Folder(loop.spool).rename("new", to: try Folder(folder.path), as: "away")
    try Fixtures.write(loop.spool + "/new", [])
    loop.messages.post(.heartbeat)
    #expect(try Set(reasons(loop.settled())) == ["spool: \(loop.spool)/new is not a folder"])
    #expect(Set(loop.glass()) == [0])
    unlink(loop.spool + "/new")
    loop.messages.post(.heartbeat)
    #expect(try reasons(loop.settled()).last == .some(nil))
    #expect(loop.glass().last == 1)
    loop.stop()
  }
}

/// Sealing and signing in the save thread.
extension SaveLoopTests {
  private func seal(_ program: String = Programs.path("paraph-seal")) throws -> (SealKeys, String) {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    return (keys, "recipients = \(keys.certificate)\nswap = allow\nservice = \(program)")
  }

  @Test func `a sealed item has no ink that the recipient has not opened`() throws {
    let (keys, seal) = try seal()
    let loop = try Running(folder, signature: "formats = png svg inkml json", seal: seal)
    loop.messages.post(signature(strokes))
    let main = try loop.settled()
    let saved = main.compactMap { if case .published(let saved, _) = $0 { saved } else { nil } }
    let id = try #require(saved.first?.id)
    let item = "\(loop.spool)/new/\(id)"
    #expect(
      try Set(Folder.names(of: item)) == [
        "signature.png", "signature.svg.cms", "signature.inkml.cms", "strokes.json.cms",
        "signature.json",
      ])
    let new = try Folder(loop.spool + "/new")
    let read = try Item(try #require(ItemID(id)), in: new)
    #expect(read.files.count == 5 && read.picture?.name == "signature.png")
    let opened = try #require(
      try keys.open(Fixtures.read(item + "/strokes.json.cms"), in: folder))
    #expect(try RecordedStrokes(opened).strokes.count == strokes.count)
    // Clients have the same files, and no strokes.
    #expect(saved[0].strokes.isEmpty && !saved[0].png.isEmpty)
    #expect(
      saved[0].sealed?.map { $0.name }
        == ["signature.svg.cms", "signature.inkml.cms", "strokes.json.cms"])
    loop.stop()
  }

  @Test func `with plain replies, only the spool is sealed`() throws {
    let (_, seal) = try seal()
    let loop = try Running(
      folder, signature: "formats = png json", seal: seal + "\nreplies = plain\npicture = yes")
    loop.messages.post(signature(strokes))
    let main = try loop.settled()
    let saved = main.compactMap { if case .published(let saved, _) = $0 { saved } else { nil } }
    #expect(saved.first?.strokes == strokes && saved.first?.sealed == nil)
    #expect(saved.first?.png.isEmpty == false)
    #expect(
      try Set(Folder.names(of: "\(loop.spool)/new/\(try #require(saved.first?.id))"))
        == ["signature.png.cms", "strokes.json.cms", "signature.json"])
    loop.stop()
  }

  @Test
  func `a signature that cannot be sealed stays on the glass, and leaves nothing in the spool`()
    throws
  {
    let program = folder.path + "/program"
    symlink(Programs.path("paraph-seal"), program)
    let (_, seal) = try seal(program)
    let loop = try Running(folder, signature: "formats = png json", seal: seal)
    _ = try loop.settled()
    #expect(loop.glass() == [1])
    unlink(program)
    loop.messages.post(signature(strokes))
    #expect(
      try reasons(loop.settled()) == ["paraph-seal: \(program): No such file or directory"])
    #expect(loop.glass() == [-1, 0])
    #expect(try loop.items() == 0)
    #expect(try Folder(loop.spool + "/tmp").names().allSatisfy { $0 == "sequence" })
    loop.stop()
  }

  @Test(
    .enabled(
      if: InkMemory(runtimeDirectory: "/var/tmp").isJournalOnDisk, "needs /var/tmp on a disk"))
  func `ink is in no journal on a disk while sealing refuses that`() throws {
    let disk = "/var/tmp/paraph-\(getpid())-journal"
    mkdir(disk, 0o700)
    defer {
      for name in (try? Folder.names(of: disk)) ?? [] { unlink("\(disk)/\(name)") }
      rmdir(disk)
    }
    try #require(InkMemory(runtimeDirectory: disk).isJournalOnDisk)
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    // Of a start without sealing.
    try Fixtures.write(disk + "/journal", [1])
    for swap in ["refuse", "allow"] {
      let seal = [
        "recipients = \(keys.certificate)", "service = \(Programs.path("paraph-seal"))",
        "swap = \(swap)",
      ]
      let loop = try Running(folder, seal: seal.joined(separator: "\n"), runtimeDirectory: disk)
      var request = PadRequest(.signature, number: 7)
      request.reference = "4711"
      loop.messages.post(.recordRequest(request))
      let main = try loop.settled()
      let isLost = main.contains { if case .journalLost = $0 { true } else { false } }
      #expect(isLost == (swap == "refuse"))
      #expect(InkJournal.exists(in: disk) == (swap == "allow"))
      loop.stop()
    }
  }

  @Test func `heartbeats that waited together are answered once, after earlier messages`() {
    let merged = SaveMessage.merged([
      .heartbeat, .recipients(["a"]), .settle, .heartbeat, .recipients(["b"]), .heartbeat, .stop,
    ])
    let words = merged.map {
      switch $0 {
      case .heartbeat: "beat"
      case .recipients(let paths): paths.joined()
      case .settle: "settle"
      case .stop: "stop"
      default: "other"
      }
    }
    #expect(words == ["settle", "b", "beat", "stop"])
  }

  @Test func `a change of recipients before a signature is not put off until after it`() {
    let merged = SaveMessage.merged([
      .recipients(["a"]), .recipients(["b"]), signature([]), .recipients(["c"]),
    ])
    let words = merged.map {
      switch $0 {
      case .recipients(let paths): paths.joined()
      case .publish: "publish"
      default: "other"
      }
    }
    #expect(words == ["b", "publish", "c"])
  }

  @Test func `without a readable certificate, the pad is out of service before anyone signs`()
    throws
  {
    let (_, seal) = try seal()
    unlink(folder.path + "/notary.pem")
    let loop = try Running(folder, seal: seal)
    #expect(
      try Set(reasons(loop.settled())) == [
        "config: [seal] recipients: \(folder.path)/notary.pem: No such file or directory"
      ])
    #expect(Set(loop.glass()) == [0])
    loop.stop()
  }

  @Test func `an item has the pad's signature, and none is published without it`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let seal =
      "service = \(Programs.path("paraph-seal"))\n[sign]\ncertificate = \(keys.certificate)\nkey = \(keys.key)"
    let loop = try Running(folder, seal: seal)
    loop.messages.post(signature(strokes))
    let main = try loop.settled()
    let saved = main.compactMap { if case .published(let saved, _) = $0 { saved } else { nil } }
    let name = try #require(saved.first?.id)
    let id = try #require(ItemID(name))
    let item = try Item(id, in: try Folder(loop.spool + "/new"))
    #expect(
      item.files.map { $0.name } == ["signature.json", "signature.json.p7s", "signature.png"])
    #expect(item.files[1].mediaType == "application/pkcs7-signature")
    let verified = try Programs.run(
      "paraph", ["verify", "--certificate", keys.certificate, "\(loop.spool)/new/\(id.text)"])
    #expect(verified.end == .exit(0), "\(verified.text)")
    unlink(keys.key)
    _ = loop.glass()
    loop.messages.post(signature(strokes))
    let problem =
      "config: [sign] certificate: \(keys.certificate): \(keys.key): No such file or directory"
    #expect(try reasons(loop.settled()) == [problem])
    #expect(loop.glass() == [-1, 0])
    #expect(try loop.items() == 1)
    #expect(try Folder(loop.spool + "/tmp").names().allSatisfy { $0 == "sequence" })
    loop.stop()
  }
}
