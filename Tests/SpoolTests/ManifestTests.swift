import SpoolFixtures
import SyntheticHand
import Testing

@testable import Spool

@Suite struct ManifestTests {
  let manifest = Manifest(
    id: ItemID(high: 0x0192_f0c1_2d3e_7a4b, low: 0x8c5d_6e7f_8091_0203), sequence: 42,
    time: "2026-11-21T05:02:57.123Z", clockSynchronized: false, reference: nil, device: "locker",
    panel: "DSI-1", width: 40, height: 20, dpi: 299.72, strokes: 3,
    files: [.init(file: .png, sha256: String(repeating: "a", count: 64))])

  @Test func `a written value reads back`() throws {
    #expect(try Manifest(manifest.bytes) == manifest)
    var named = manifest
    named.reference = "Müller \"17\"\n"
    #expect(try Manifest(named.bytes) == named)
  }

  @Test func `the time of signing is a number if the clock was synchronised`() {
    var signed = manifest
    // As date(1) has it.
    #expect(signed.seconds == 1_795_237_377 && signed.signingTime == nil)
    signed.clockSynchronized = true
    #expect(signed.signingTime == 1_795_237_377_000_000_000)
    // Beyond the nanoseconds of 64 bits, and no time at all.
    for time in ["9999-12-31T23:59:59.999Z", "yesterday", ""] {
      signed.time = time
      #expect(signed.signingTime == nil, "\(time)")
    }
  }

  @Test func `the manifest has title and prompt only if they were shown`()
    throws
  {
    var shown = manifest
    (shown.title, shown.prompt) = ("Päckchen 7", "For \"Ms Brinkmann\"\nBox 3")
    #expect(try Manifest(shown.bytes) == shown)
    let text = String(decoding: manifest.bytes, as: UTF8.self)
    #expect(!text.contains("title") && !text.contains("prompt"))
    shown.prompt = String(repeating: "é", count: Manifest.shownTextLimit)
    let error = #expect(throws: ValidationError.self) { try Manifest(shown.bytes) }
    #expect(error?.reason == "signature.json: prompt is not a text of at most 4096 bytes")
  }

  /// A manifest with all that later versions have added.
  static var chained: Manifest {
    var manifest = ManifestTests().manifest
    let digest = String(repeating: "b", count: 64)
    manifest.requester = Requester(uid: 1000, user: "anna", program: "paraph-web", token: "desk")
    (manifest.touchscreen, manifest.version) = ("ILITEK", "0.3.0")
    manifest.previous = .manifest(.init(sequence: 41, sha256: digest), isInterrupted: true)
    manifest.erased = [
      ErasedManifest(
        .init(sequence: 3, sha256: digest), time: "2026-11-21T05:02:57.123Z", previous: nil),
      ErasedManifest(
        .init(sequence: 7, sha256: digest), time: "2026-11-21T05:02:57.123Z",
        previous: .manifest(.init(sequence: 6, sha256: digest), isInterrupted: false)),
    ]
    return manifest
  }

  /// What a hostile program may write instead.
  static var damages: [(old: String, new: String)] {
    let digest = String(repeating: "b", count: 64)
    return [
      ("\"uid\": 1000", "\"uid\": -1"), ("\"uid\": 1000", "\"uid\": 4294967296"),
      ("\"uid\": 1000", "\"user\": 1000"), ("\"anna\"", "7"),
      ("\"desk\"", "\"\(String(repeating: "x", count: 256))\""),
      ("\"ILITEK\"", "[]"), ("\"0.3.0\"", "3"),
      ("\"sequence\": 41", "\"sequence\": 0"), ("\"interrupted\"", "\"sha256\""),
      ("\"sequence\": 3,", "\"sequence\": 0.5,"), (digest, digest + "b"),
      ("\"sequence\": 3,", ""), ("\"erased\": [", "\"erased\": [7, "),
      ("\"time\": \"2026-11-21T05:02:57.123Z\",\n      \"previous\"", "\"previous\""),
    ]
  }

  @Test func `requester, touchscreen, version and chain read back, and are optional`() throws {
    let chained = Self.chained
    #expect(try Manifest(chained.bytes) == chained)
    var first = chained
    (first.previous, first.requester) = (PreviousManifest.none, Requester(uid: 0))
    #expect(try Manifest(first.bytes) == first)
    let old = String(decoding: manifest.bytes, as: UTF8.self)
    for name in ["requester", "touchscreen", "version", "previous", "erased"] {
      #expect(!old.contains(name))
    }
  }

  @Test func `a chain that leads forward is refused, and so are too many erasures`() {
    var forward = Self.chained
    forward.previous = .manifest(
      .init(sequence: 42, sha256: String(repeating: "b", count: 64)), isInterrupted: false)
    #expect(throws: ValidationError.self) { try Manifest(forward.bytes) }
    var many = Self.chained
    many.erased = Array(repeating: many.erased[0], count: ErasedManifest.limit + 1)
    #expect(throws: ValidationError.self) { try Manifest(many.bytes) }
  }

  @Test func `the largest manifest that is written is read`() throws {
    var largest = Self.chained
    let text = String(repeating: "\u{1}", count: Manifest.textLimit)
    (largest.reference, largest.device, largest.panel, largest.touchscreen) = (
      text, text, text, text
    )
    largest.title = String(repeating: "\u{1}", count: Manifest.shownTextLimit)
    largest.prompt = largest.title
    let name = String(repeating: "\u{1}", count: Requester.nameLimit)
    largest.requester = Requester(uid: .max, user: name, program: name, token: name)
    largest.erased = Array(repeating: largest.erased[1], count: ErasedManifest.limit)
    largest.document = ShownDocumentTests.document(pages: ShownDocument.pageLimit)
    largest.document?.name = name
    #expect(try Manifest(largest.bytes) == largest)
  }

  @Test func `members of a later version are ignored`() throws {
    let text = String(decoding: manifest.bytes, as: UTF8.self)
    let later = text.replacing("\"sequence\"", with: "\"new\": [1], \"sequence\"")
    #expect(try Manifest(Array(later.utf8)) == manifest)
  }

  @Test(arguments: [
    (
      "\"sequence\": 42", "\"sequence\": 0",
      "sequence is not a whole number from 1 to 9007199254740992"
    ),
    (
      "\"sequence\": 42", "\"sequence\": 1.5",
      "sequence is not a whole number from 1 to 9007199254740992"
    ),
    ("2026-11", "2026/11", "time is not a time in UTC with milliseconds"),
    ("-7a4b-", "-4a4b-", "id is not a UUID of version 7"),
    (
      "\"clock_synchronized\": false", "\"clock_synchronized\": 0",
      "clock_synchronized is neither true nor false"
    ),
    ("\"width\": 40", "\"width\": -1", "width is not a whole number from 1 to 100000"),
    ("\"dpi\": 299.", "\"dpi\": 0.", "dpi is not a number in its range"),
    ("signature.png", "../signature.png", "files names an unknown file"),
    ("signature.png", "signature.svg", "files does not name signature.png"),
    ("aaaa", "AAAA", "files has no SHA-256 of signature.png"),
    ("\"device\": \"locker\"", "\"device\": 7", "device is not a text of at most 1024 bytes"),
    ("{", "[", "line 2: ']' expected"),
  ])
  func `invalid members are named, and never quoted`(old: String, new: String, reason: String) {
    let text = String(decoding: manifest.bytes, as: UTF8.self)
    #expect(text.contains(old))
    let error = #expect(throws: ValidationError.self) {
      try Manifest(Array(text.replacing(old, with: new).utf8))
    }
    #expect(error?.reason == "signature.json: " + reason)
  }

  @Test func `random damage is refused or read, and never crashes the reader`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let whole = manifest.bytes
    for _ in 0..<Soak.rounds(5000, full: 2_000_000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        default: bytes = Array(bytes.prefix(place)) + [0x7d]
        }
      }
      if let read = try? Manifest(bytes) {
        #expect(read.sequence > 0 && !read.files.isEmpty, "seed \(seed)")
      }
    }
  }
}
