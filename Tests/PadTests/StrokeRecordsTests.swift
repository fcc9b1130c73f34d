import Control
import Ink
import Raster
import Screen
import SyntheticHand
import Testing

@testable import Pad

/// Bytes of a journal that are damaged, cut, or those of an earlier version.
@Suite struct StrokeRecordsTests {
  @Test func `a journal that was cut anywhere gives the strokes up to there`() {
    let bytes = StrokeRecords.bytes(of: InkJournalTests.strokes)
    for count in stride(from: 0, through: bytes.count, by: 7) {
      let strokes = StrokeRecords.strokes(bytes.prefix(count))
      let samples = strokes.flatMap { $0.samples }
      #expect(
        samples == Array(InkJournalTests.strokes.flatMap { $0.samples }.prefix(samples.count)))
      #expect(samples.count >= count / StrokeRecords.size - strokes.count)
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `ink of a damaged journal is drawn, and never traps`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    // Whole records of which the kinds make sense, and the numbers need not.
    var bytes = StrokeRecords.bytes(of: InkJournalTests.strokes)
    for _ in 0..<(bytes.count / 40) {
      let index = Int(random.next() % UInt64(bytes.count))
      if index % StrokeRecords.size > 3 {
        bytes[index] = UInt8(truncatingIfNeeded: random.next())
      }
    }
    let strokes = StrokeRecords.strokes(bytes[...])
    try #require(!strokes.isEmpty, "seed \(seed)")
    for stroke in strokes {
      #expect(!stroke.samples.isEmpty, "seed \(seed)")
      #expect(stroke.samples.allSatisfy { $0.position.x.isFinite && $0.position.y.isFinite })
      #expect(stroke.samples.allSatisfy { $0.time >= 0 }, "seed \(seed)")
      #expect(stroke.gaps.allSatisfy { stroke.samples.indices.contains($0) })
    }
    for model in StrokeModel.Kind.allCases {
      var glass = PadModel(
        width: 770, height: 430, scale: PadModelTests.scale, model: model, theme: Theme(),
        minimumLength: 0)
      let finished = glass.restore(PadSnapshot(strokes: strokes, isDone: true), at: 0)
      #expect(finished?.strokes == strokes, "seed \(seed)")
      let changed = glass.compose()
      #expect(!changed.isEmpty)
    }
  }

  @Test(arguments: [Int64.min, -1, 1 << 62 + 1, .max])
  func `a sample with an impossible time ends the reading`(time: Int64) {
    var strokes = [InkJournalTests.strokes[0]]
    strokes[0].samples[7].time = time
    let read = StrokeRecords.strokes(StrokeRecords.bytes(of: strokes)[...])
    #expect(read.map { $0.samples.count } == [7])
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity], 0..<3)
  func `a sample with NaN ends the reading`(number: Float, place: Int) {
    var strokes = [InkJournalTests.strokes[0]]
    switch place {
    case 0: strokes[0].samples[7].position.x = number
    case 1: strokes[0].samples[7].position.y = number
    default: strokes[0].samples[7].pressure = number
    }
    let read = StrokeRecords.strokes(StrokeRecords.bytes(of: strokes)[...])
    #expect(read.map { $0.samples.count } == [7])
  }

  @Test func `a sample after the end of its stroke is ignored`() {
    let (first, second) = (
      StrokeRecords.bytes(of: [InkJournalTests.strokes[0]]),
      StrokeRecords.bytes(of: [InkJournalTests.strokes[1]])
    )
    let read = StrokeRecords.strokes(first + second.dropFirst(StrokeRecords.size))
    #expect(read == [InkJournalTests.strokes[0]])
  }

  @Test func `a stroke that an earlier version recorded as undone is not restored`() {
    var bytes = StrokeRecords.bytes(of: Array(InkJournalTests.strokes.prefix(2)))
    bytes += [StrokeRecords.Kind.takenBack.rawValue]
    bytes += [UInt8](repeating: 0, count: StrokeRecords.size - 1)
    #expect(StrokeRecords.strokes(bytes[...]) == [InkJournalTests.strokes[0]])
  }

  @Test func `a request with impossible numbers is ignored`() {
    func request(_ number: Int64, _ deadline: Int64?) -> PadRequest? {
      var request = PadRequest(.signature, number: number)
      request.deadline = deadline
      return JournaledRequest.decode(JournaledRequest.encode(request))
    }
    #expect(request(7, 99)?.deadline == 99)
    #expect(request(1 << 53, 0) != nil)
    for number in [Int64.min, -1, 0, 1 << 53 + 1, .max] { #expect(request(number, nil) == nil) }
    for limit in [Int64.min, -1, .max] { #expect(request(7, limit) == nil) }
    // The countdown fits 32 bits.
    let latest: Int64 = 2_147_483_647_000_000_000
    #expect(request(7, latest) != nil && request(7, latest + 1) == nil)
  }

  @Test(arguments: [
    ("width", "-1"), ("width", "0"), ("height", "9223372036854775807"), ("png", "-1"),
    ("png", "4294967300"), ("png", "9223372036854775807"), ("glass", "[1e300,1]"),
    ("glass", "[0,1]"),
  ])
  func `a signature with impossible numbers is ignored`(key: String, value: String) {
    func signature(_ changed: [String: String]) -> SavedSignature? {
      var members = [
        "id": "\"a\"", "digest": "\"b\"", "time": "1", "width": "3", "height": "4",
        "dpi": "300.5", "glass": "[154.0,86.0]", "png": "2",
      ]
      members.merge(changed) { $1 }
      let text = members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
      return JournaledSignature.decode(Array("{\(text)}\n".utf8) + [1, 2])
    }
    #expect(signature([:])?.png == [1, 2])
    #expect(signature([key: value]) == nil)
  }

  @Test func `a record that was truncated anywhere is ignored or has fewer strokes`() {
    let bytes = JournaledSignature.encode(InkJournalTests.signature)
    #expect(JournaledSignature.decode(bytes[...]) == InkJournalTests.signature)
    for count in stride(from: 0, to: bytes.count, by: 5) {
      guard let cut = JournaledSignature.decode(bytes.prefix(count)) else { continue }
      let samples = cut.strokes.flatMap { $0.samples }
      #expect(cut.png == InkJournalTests.signature.png)
      #expect(
        samples == Array(InkJournalTests.strokes.flatMap { $0.samples }.prefix(samples.count)))
    }
  }
}
