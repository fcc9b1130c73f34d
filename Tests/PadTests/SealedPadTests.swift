import CLinux
import Linux
import Spool
import SpoolFixtures
import Testing

/// A paraphd with a recorded hand that seals by the paraph-seal beside it.
@Suite struct SealedPadTests {
  let folder = TemporaryFolder()
  private static let recording = Fixtures.root + "/Tests/Fixtures/signature.evemu"

  /// Of the spool; nil: it is in the folder.
  private let disk: Disk?
  private var spool: String { (disk?.path ?? folder.path) + "/spool" }

  init() { disk = nil }

  private init(on disk: Disk) { self.disk = disk }

  private func configure(_ seal: String, _ more: String = "") throws {
    try Fixtures.write(
      folder.path + "/conf",
      Array(
        """
        [touch]
        recording = \(Self.recording)
        \(more)
        [display]
        card = memory
        pixels = 512x286
        size = 154x86
        [signature]
        formats = png svg inkml json
        [control]
        socket = \(folder.path)/socket
        watch-strokes = yes
        [spool]
        path = \(spool)
        minimum-free = 0
        [seal]
        swap = allow
        \(seal)
        """.utf8))
  }

  private func start(_ tracer: [String] = []) throws -> ChildProcess {
    let log = try Programs.open(folder.path + "/log")
    let words = tracer + [Programs.path("paraphd"), "-c", folder.path + "/conf"]
    return try ChildProcess(
      words[0], Array(words.dropFirst()), environment: ["RUNTIME_DIRECTORY=\(folder.path)"],
      error: log.number)
  }

  private var items: [String] { (try? Folder(spool + "/new").names()) ?? [] }
  private var log: String { (try? Fixtures.text(folder.path + "/log")) ?? "" }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `unsealed ink is written to no file of the spool, and the recipient opens all of it`() throws
  {
    let keys = try SealKeys(.rsa, "notary", in: folder)
    try configure("recipients = \(keys.certificate)")
    let pad = try start([
      SystemCalls.tracer, "-f", "-qq", "-o", folder.path + "/trace", "-e",
      "trace=open,openat,creat,prctl",
      "-e", "signal=none",
    ])
    #expect(eventually(within: 60_000_000_000) { !items.isEmpty }, "\(log)")
    _ = consume pad
    let item = "\(spool)/new/\(try #require(items.first))"
    let sealed = ["signature.svg", "signature.inkml", "strokes.json"]
    for name in sealed {
      let opened = try keys.open(Fixtures.read("\(item)/\(name).cms"), in: folder)
      #expect(opened?.isEmpty == false)
      #expect(!Fixtures.exists("\(item)/\(name)"))
    }
    let created = try Fixtures.text(folder.path + "/trace").split(separator: "\n")
      .filter { $0.contains("O_CREAT") }
    // paraphd, the first process of the trace, forbids dumps of its memory, too.
    let calls = try Fixtures.text(folder.path + "/trace").split(separator: "\n")
    let own = try #require(calls.first?.split(separator: " ").first)
    let forbids = "PR_SET_DUMPABLE, SUID_DUMP_DISABLE"
    #expect(calls.contains { $0.hasPrefix(own + " ") && $0.contains(forbids) })
    // The trace sees the files that are written.
    #expect(created.contains { $0.contains("strokes.json.cms") })
    for name in sealed { #expect(!created.contains { $0.contains("\(name)\"") }) }
  }

  @Test func `a pad that is killed while it seals publishes the signature once after its restart`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    let proxy = try SealProxy(in: folder, insteadOf: .seal)
    try proxy.arm("touch \(folder.path)/seals; exec cat >/dev/null")
    try configure("recipients = \(keys.certificate)\nservice = \(proxy.path)")
    let killed = try start()
    #expect(
      eventually(within: 60_000_000_000) { Fixtures.exists(folder.path + "/seals") }, "\(log)")
    _ = consume killed
    #expect(items.isEmpty)
    proxy.disarm()
    var pad = try start()
    #expect(eventually { !items.isEmpty }, "\(log)")
    #expect(eventually { log.contains("published signature 1") }, "\(log)")
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
    #expect(items.count == 1)
    let item = "\(spool)/new/\(try #require(items.first))"
    #expect(try keys.open(Fixtures.read(item + "/strokes.json.cms"), in: folder) != nil)
    #expect(try Folder(spool + "/tmp").names().allSatisfy { $0 == "sequence" })
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func
    `on a disk that is full while a sealed item is written, the signature stays until there is room`()
    throws
  {
    let disk = try Disk(tmpfs: "2m")
    try Self(on: disk).signOnFullDisk(disk)
  }

  private func signOnFullDisk(_ disk: Disk) throws {
    let (recipient, own) = try (
      SealKeys(.ellipticCurve, "notary", in: folder), SealKeys(.ellipticCurve, "pad", in: folder)
    )
    try configure(
      """
      recipients = \(recipient.certificate)
      [sign]
      certificate = \(own.certificate)
      key = \(own.key)
      """, "loop = yes")
    _ = try Publisher(at: spool).prepare()
    // Room for the picture, but not for the ink.
    try disk.fill(leaving: 20 << 10)
    let pad = try start()
    #expect(
      eventually(within: 60_000_000_000) { log.contains("the signature stays on the pad") },
      "\(log)")
    #expect(log.contains("No space left on device"), "\(log)")
    #expect(items.isEmpty)
    #expect(try Folder(spool + "/tmp").names().allSatisfy { $0 == "sequence" })
    disk.clear()
    #expect(eventually(within: 60_000_000_000) { !items.isEmpty }, "\(log)")
    let item = "\(spool)/new/\(try #require(items.first))"
    for name in ["signature.svg", "signature.inkml", "strokes.json"] {
      #expect(try recipient.open(Fixtures.read("\(item)/\(name).cms"), in: folder) != nil)
    }
    #expect(
      try own.verify(
        Fixtures.read(item + "/signature.json.p7s"), Fixtures.read(item + "/signature.json"),
        in: folder))
    _ = consume pad
  }

  @Test func `a client gets a plain picture and no unsealed ink`() throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    try configure("recipients = \(keys.certificate)\n[pad]\ninvite = request", "loop = yes")
    var pad = try start()
    // The socket's file exists a moment before the pad listens.
    #expect(eventually { (try? FileDescriptor(connectingTo: folder.path + "/socket")) != nil })
    let (png, svg) = (folder.path + "/a.png", folder.path + "/a.svg")
    let result = try Programs.run(
      "paraph", ["sign", "--socket", folder.path + "/socket", "-o", png, "-o", svg])
    #expect(result.end == .exit(69), "\(result.text) \(log)")
    #expect(result.error.contains("was saved, but the pad gives out svg sealed only"))
    #expect(Fixtures.exists(png) && !Fixtures.exists(svg))
    // Watching is allowed, but not of ink that is sealed.
    let status = try Programs.run(
      "paraph", ["status", "--json", "--socket", folder.path + "/socket"])
    let words = status.output.split { " ,\n".contains($0) }
    #expect(words.joined().contains("\"watch_strokes\":false"), "\(status.text)")
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
  }

  @Test(arguments: ["sealed", "plain"])
  func `watched strokes are sent with plain replies, and refused with sealed ones`(
    _ replies: String
  ) throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    try configure("recipients = \(keys.certificate)\nreplies = \(replies)", "loop = yes")
    let pad = try start()
    let socket = folder.path + "/socket"
    try #require(eventually { (try? FileDescriptor(connectingTo: socket)) != nil }, "\(log)")
    let client = ControlClient(try FileDescriptor(connectingTo: socket))
    client.watchStrokes()
    var text = ""
    #expect(
      eventually(within: 60_000_000_000) {
        text += client.text
        return text.contains(replies == "plain" ? #""sample":{"# : "StrokesNotAllowed")
      }, "\(text) \(log)")
    #expect(text.contains("StrokesNotAllowed") == (replies == "sealed"), "\(text)")
    #expect(text.contains(#""ink""#) == (replies == "plain"), "\(text)")
    // Either way, the spool has no unsealed ink.
    #expect(eventually(within: 60_000_000_000) { !items.isEmpty }, "\(log)")
    let names = try Folder.names(of: "\(spool)/new/\(try #require(items.first))")
    #expect(names.contains("strokes.json.cms") && !names.contains("strokes.json"), "\(names)")
    _ = consume pad
  }

  @Test func `a changed certificate is taken over by a reload`() throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    try configure("recipients = \(keys.certificate)\n[pad]\ninvite = request")
    var pad = try start()
    #expect(eventually { log.contains("first frame shown") })
    let other = try SealKeys(.ellipticCurve, "other", in: folder)
    rename(other.certificate, keys.certificate)
    pad.signal(SIGHUP)
    #expect(
      eventually { log.contains("config: [seal] recipients: read 1 certificates again") }, "\(log)")
    try Fixtures.write(keys.certificate, [])
    pad.signal(SIGHUP)
    #expect(
      eventually {
        log.contains("contains no certificate in PEM; the pad keeps its former recipients")
      }, "\(log)")
    try configure("recipients = \(other.key)\n[pad]\ninvite = request\nundo = yes")
    pad.signal(SIGHUP)
    #expect(eventually { log.contains("changed [pad] undo; run systemctl restart") }, "\(log)")
    #expect(
      eventually { log.contains("contains a private key, which does not belong in this file") },
      "\(log)")
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
  }

  @Test func `the check of a configuration tries the recipients`() throws {
    func check(_ seal: String) throws -> String {
      try configure(seal)
      let result = try Programs.run("paraphd", ["-c", folder.path + "/conf", "--check-config"])
      #expect(result.end == .exit(0))
      return result.text
    }
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    #expect(try !check("recipients = \(keys.certificate)").contains("[seal] recipients:"))
    let unsuitable = try SealKeys(.edwards, "unsuitable", in: folder)
    let text = try check("recipients = \(unsuitable.certificate)")
    #expect(
      text.contains(
        "[seal] recipients: \(unsuitable.certificate): the certificate's key is neither RSA nor EC: the pad is out of "
          + "service"), "\(text)")
    let missing = try check("recipients = \(keys.certificate)\nservice = \(folder.path)/none")
    #expect(missing.contains("[seal] service: \(folder.path)/none: No such file"), "\(missing)")
    #expect(missing.contains("paraph-seal: \(folder.path)/none: No such file"), "\(missing)")
  }
}
