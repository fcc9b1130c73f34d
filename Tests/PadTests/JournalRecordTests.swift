import Control
import Ink
import Spool
import SyntheticHand
import Testing
import Touch

@testable import Pad

/// The journal's bytes and the state that is read from them, without files.
@Suite struct JournalRecordTests {
  static let strokes = Array(InkJournalTests.strokes.prefix(2)).map {
    Stroke(Array($0.samples.prefix(2)))
  }

  static var request: PadRequest {
    var request = PadRequest(.signature, number: 7)
    (request.reference, request.deadline) = ("4711", 99)
    request.requester = Requester(uid: 33, program: "paraph-web", token: "desk")
    return request
  }

  /// A later request with the same reference.
  static var later: PadRequest {
    var request = request
    request.number = 8
    return request
  }

  static func signature(_ id: String) -> SavedSignature {
    SavedSignature(
      id: id, digest: "ab12", time: 1, reference: nil, width: 3, height: 4, dpi: 300,
      png: [1, 2, 3], glass: Point(154, 86), strokes: [])
  }

  static let shown = ShownContent(
    title: "Paket", prompt: "Für Frau „Größe“",
    document: ShownDocument(
      name: "Vertrag.pdf", digest: String(repeating: "d", count: 64),
      pages: [.init(digest: String(repeating: "1", count: 64), milliseconds: 1500)]))

  static func ink(_ strokes: [Stroke]) -> [JournalRecord] {
    final class Records { var all: [JournalRecord] = [] }
    let records = Records()
    StrokeRecords.forEach(of: strokes) { records.all.append(.ink($0, $1)) }
    return records.all
  }

  /// Two signatures from the first stroke to the client's reading, and all else that is recorded.
  static let records: [JournalRecord] = {
    let parts: [[JournalRecord]] = [
      [.signed(signature("00")), .request(request)], ink(strokes),
      [.ink(.takenBack, strokes[0].samples[0]), .wiped], ink(strokes),
      [.done(shown), .publishing(signature("01")), .notPublished], ink(strokes),
      [.done(nil), .publishing(signature("02")), .published, .request(later), .read("00")],
      ink(strokes), [.request(nil), .done(shown)],
    ]
    return parts.flatMap { $0 }
  }()

  /// The journal, and the offsets at which its records end.
  static let journal: (bytes: [UInt8], ends: [Int]) = {
    var (bytes, ends) = ([UInt8](), [0])
    for record in records {
      record.append(to: &bytes)
      ends.append(bytes.count)
    }
    return (bytes, ends)
  }()

  /// The state after each number of records, without their bytes.
  static let states: [RecoveredState] = {
    var states = [RecoveredState()]
    for record in records {
      var state = states[states.count - 1]
      state.apply(record)
      states.append(state)
    }
    return states
  }()

  private func equal(_ one: RecoveredState, _ other: RecoveredState) -> Bool {
    one.strokes == other.strokes && one.request == other.request && one.isDone == other.isDone
      && one.shown == other.shown && one.signed == other.signed
      && one.publishing == other.publishing
  }

  @Test func `a journal that is cut at any byte has the state of its whole records`() {
    let (bytes, ends) = Self.journal
    var whole = 0
    for count in 0...bytes.count {
      while whole + 1 < ends.count && ends[whole + 1] <= count { whole += 1 }
      let state = RecoveredState(Array(bytes.prefix(count)))
      #expect(equal(state, Self.states[whole]), "cut at \(count)")
    }
    #expect(whole == Self.records.count)
  }

  @Test(arguments: [1, 0xff] as [UInt8])
  func `a journal with any byte flipped has the state of the records before it`(flip: UInt8) {
    var (bytes, ends) = Self.journal
    for place in bytes.indices {
      bytes[place] ^= flip
      let whole = ends.lastIndex { $0 <= place } ?? 0
      #expect(equal(RecoveredState(bytes), Self.states[whole]), "flipped at \(place)")
      bytes[place] ^= flip
    }
  }

  @Test func `every state is written in few records from which it is read again`() {
    for state in Self.states {
      #expect(equal(RecoveredState(state.journal()), state))
    }
    #expect(RecoveredState().journal().isEmpty)
  }

  @Test func `the ink is done until it changes, is wiped, or is published`() {
    var state = RecoveredState()
    func isDone(after records: [JournalRecord]) -> Bool {
      for record in records { state.apply(record) }
      return state.isDone
    }
    // A pad without ink has nothing to save.
    #expect(!isDone(after: [.done(nil)]))
    #expect(isDone(after: Self.ink(Self.strokes) + [.done(nil)]))
    #expect(!isDone(after: [.ink(.takenBack, Self.strokes[0].samples[0])]))
    #expect(isDone(after: [.done(nil), .publishing(Self.signature("01")), .notPublished]))
    #expect(!isDone(after: [.publishing(Self.signature("01")), .published]))
    #expect(isDone(after: Self.ink(Self.strokes) + [.done(nil)]))
    #expect(!isDone(after: [.wiped]))
  }

  @Test func `what was shown at Done is known as long as the ink is done`() {
    var state = RecoveredState()
    func shown(after records: [JournalRecord]) -> ShownContent? {
      for record in records { state.apply(record) }
      return state.shown
    }
    let publishing = JournalRecord.publishing(Self.signature("01"))
    #expect(shown(after: Self.ink(Self.strokes) + [.done(Self.shown)]) == Self.shown)
    #expect(shown(after: [publishing, .notPublished]) == Self.shown)
    #expect(RecoveredState(state.journal()).shown == Self.shown)
    #expect(shown(after: [.ink(.takenBack, Self.strokes[0].samples[0])]) == nil)
    #expect(shown(after: [.done(ShownContent())]) == ShownContent())
    #expect(shown(after: [publishing, .published]) == nil)
  }

  @Test(
    arguments: [
      nil, ShownContent(), ShownContent(prompt: "Please sign here"), ShownContent(title: "7"),
      shown,
    ] as [ShownContent?])
  func `what was shown at Done reads back`(_ shown: ShownContent?) {
    var (bytes, read): ([UInt8], [ShownContent?]) = ([], [])
    JournalRecord.done(shown).append(to: &bytes)
    JournalRecord.forEach(in: bytes) { if case .done(let content) = $0 { read.append(content) } }
    #expect(read == [shown])
  }

  @Test(arguments: [
    "", "7", "[]", #"{"prompt":"7","document":{"name":"a.pdf"}}"#, #"{"document":7}"#,
  ])
  func `content that no pad has written is not known, and Done stays pressed`(
    _ text: String
  ) {
    #expect(JournaledContent.decode(Array(text.utf8)) == nil)
    var state = RecoveredState()
    for record in Self.ink(Self.strokes) { state.apply(record) }
    state.apply(.done(JournaledContent.decode(Array(text.utf8))))
    #expect(state.isDone && state.shown == nil)
  }

  @Test func `a request that is recorded after its signature is not open, but a later one is`() {
    var state = RecoveredState()
    let records: [JournalRecord] =
      [.request(Self.request)] + Self.ink(Self.strokes)
      + [.done(nil), .publishing(Self.signature("01")), .published, .request(Self.request)]
    for record in records { state.apply(record) }
    #expect(state.request == nil && state.signed == [Self.signature("01")])
    state.apply(.request(Self.later))
    #expect(state.request == Self.later)
  }

  @Test func `a step is as long as in earlier journals, and has the checksum of RFC 9580`() {
    var bytes: [UInt8] = []
    JournalRecord.ink(.ends, Sample(time: 0, position: .zero)).append(to: &bytes)
    #expect(bytes.count == StrokeRecords.size)
    // Whole records that are written by hand: the checksums are those of another program.
    bytes = []
    JournalRecord.done(nil).append(to: &bytes)
    JournalRecord.read("01").append(to: &bytes)
    #expect(bytes == [18, 250, 201, 189, 0, 0, 0, 0] + [23, 90, 68, 192, 2, 0, 0, 0, 48, 49])
  }

  @Test func `records of later programs are skipped, and samples whose begin was lost`() {
    var bytes: [UInt8] = []
    let sample = Self.strokes[0].samples[0]
    JournalRecord.ink(.goesOn, sample).append(to: &bytes)
    bytes += [99, 212, 87, 94, 3, 0, 0, 0, 97, 98, 99]
    JournalRecord.request(Self.request).append(to: &bytes)
    let state = RecoveredState(bytes)
    #expect(state.strokes.isEmpty && state.request == Self.request)
  }

  @Test func `a size beyond the file ends what is read, and never overflows`() {
    var behind: [UInt8] = []
    JournalRecord.request(Self.later).append(to: &behind)
    let content = JournaledRequest.encode(Self.later)
    // Where a reader might take the size as zero, or as that of the rest.
    for (kind, inside, rest) in [(18, [], behind), (17, content, content)] as [Damage] {
      for size in [UInt32.max, UInt32(Int32.max), UInt32(rest.count + 1)] {
        let field: [UInt8] = (0..<4).map { UInt8(size >> (8 * UInt32($0)) & 0xff) }
        let check = checksum([kind] + field + inside)
        var bytes: [UInt8] = []
        JournalRecord.request(Self.request).append(to: &bytes)
        bytes.append(kind)
        for byte in 0..<3 { bytes.append(UInt8(check >> UInt32(8 * byte) & 0xff)) }
        bytes += field
        bytes += rest
        #expect(RecoveredState(bytes).request == Self.request, "kind \(kind), size \(size)")
      }
    }
  }

  /// A record's kind, the content in its checksum, and what follows its size.
  private typealias Damage = (kind: UInt8, inside: [UInt8], rest: [UInt8])

  /// The CRC-24 of RFC 9580.
  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt32 = 0xb7_04ce
    for byte in bytes {
      remainder ^= UInt32(byte) << 16
      for _ in 0..<8 {
        remainder <<= 1
        if remainder & 0x100_0000 != 0 { remainder ^= 0x186_4cfb }
      }
    }
    return remainder
  }

  @Test func `a sealed signature is kept with its sealed files`() {
    var signature = Self.signature("03")
    signature.hideInk(
      besides: [("signature.svg.cms", [1, 2]), ("strokes.json.cms", [])], picture: true)
    let bytes = JournaledSignature.encode(signature)
    #expect(JournaledSignature.decode(bytes[...]) == signature)
    // Formats that name nothing to seal.
    signature.sealed = []
    #expect(JournaledSignature.decode(JournaledSignature.encode(signature)[...]) == signature)
    for count in bytes.indices {
      #expect(JournaledSignature.decode(bytes[..<count]) == nil, "\(count)")
    }
    // A name that is no sealed file's.
    let foreign = String(decoding: bytes, as: UTF8.self)
      .replacing("signature.svg.cms", with: "signature.svg.cmt")
    #expect(JournaledSignature.decode(Array(foreign.utf8)[...]) == nil)
  }
}
