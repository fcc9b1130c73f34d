import SpoolFixtures
import SyntheticHand
import Testing

@testable import Seal

/// The protocol of paraph-seal.
@Suite struct SealMessageTests {
  private func content(_ frame: [UInt8]?) throws -> [UInt8] {
    let frame = try #require(frame)
    return try #require(SealFrame.content(of: frame))
  }

  @Test func `requests arrive as they were sent`() throws {
    for request: SealRequest in [
      .seal([[1, 2, 3], []], for: [[4], [5, 6]]), .seal([[7]], for: [[]]), .examine([[8], [9]]),
      .sign([1, 2], by: [3]), .sign([], by: []), .describe([1]), .query([1, 2]), .query([]),
      .tryKey(of: [1]),
      .prepare([[1], [2]], by: [3]), .prepare([], by: [3]), .prepare([[1]], by: nil),
      .prepare(Array(repeating: [1], count: SealRequest.certificateLimit), by: [2]),
      .stamp(SealStamp(response: [1], of: [2, 3], to: [4], trusting: [5])),
      .stamp(SealStamp(response: [], of: [], to: nil, trusting: [])),
      .stamp(SealStamp(response: [], of: [], to: [], trusting: [])),
    ] {
      #expect(SealRequest(content: try content(request.bytes)) == request)
    }
  }

  @Test func `replies arrive as they were sent`() throws {
    let certificate = SealCertificate(
      subject: "/CN=Notary", notBefore: -62_135_596_800, notAfter: 253_402_300_799)
    for reply: SealReply in [
      .sealed([[1], [2, 3]]), .examined([certificate, certificate]), .failed("the key is damaged"),
      .tokenFailed("its PIN is wrong"), .untried,
      .signed([1, 2]), .query([3]), .rejected("bad policy"),
      .stamped(SealTimestamp(time: -1, authority: "/CN=Clock")),
    ] {
      #expect(SealReply(content: try content(reply.bytes)) == reply)
    }
  }

  @Test func `requests beyond the limits are not sent`() {
    let certificates = Array(repeating: [UInt8(1)], count: SealRequest.certificateLimit)
    #expect(SealRequest.examine(certificates).bytes != nil)
    #expect(SealRequest.examine(certificates + [[1]]).bytes == nil)
    #expect(SealRequest.examine([]).bytes == nil)
    let long = [UInt8](repeating: 1, count: SealRequest.certificateSizeLimit + 1)
    #expect(SealRequest.examine([long]).bytes == nil)
    #expect(SealRequest.seal([], for: [[1]]).bytes == nil)
    #expect(SealRequest.prepare([], by: nil).bytes == nil)
    #expect(SealRequest.prepare(certificates + [[1]], by: [1]).bytes == nil)
    let files = Array(repeating: [UInt8(1)], count: SealRequest.fileLimit)
    #expect(SealRequest.seal(files, for: [[1]]).bytes != nil)
    #expect(SealRequest.seal(files + [[1]], for: [[1]]).bytes == nil)
  }

  @Test func `a frame that is cut or too long is none`() throws {
    let frame = try #require(SealRequest.examine([[1, 2, 3]]).bytes)
    for count in 0..<frame.count {
      #expect(SealFrame.content(of: Array(frame.prefix(count))) == nil)
    }
    #expect(SealFrame.content(of: frame + [0]) == nil)
    // A length beyond the limit is refused before anything is read.
    #expect(SealFrame.contentSize(head: Array(frame.prefix(4)) + [0xff, 0xff, 0xff, 0xff]) == nil)
    #expect(SealFrame.contentSize(head: Array(frame.prefix(4)) + [0, 0, 0, 0]) == nil)
    #expect(SealFrame.contentSize(head: [0x50, 0x53, 0x4c, 0x32, 0, 0, 0, 1]) == nil)
  }

  @Test func `a reason has no control characters`() throws {
    let reply = SealReply.failed("a\u{1b}[2Jb\nparaphd: c\u{e9}")
    #expect(
      SealReply(content: try content(reply.bytes)) == .failed("a?[2Jb?paraphd: c??"))
  }

  /// Each message that parses is encoded to the same bytes again: no two readings of the same bytes.
  @Test func `arbitrary bytes parse to a message that is encoded to the same bytes, or to none`()
    throws
  {
    var random = SeededRandom(seed: 22)
    let valid: [[UInt8]] = try [
      content(SealRequest.seal([[1, 2], [3]], for: [[4, 5], [6]]).bytes),
      content(SealRequest.examine([[7, 8], [9]]).bytes),
      content(SealReply.sealed([[1], [2]]).bytes),
      content(SealReply.examined([SealCertificate(subject: "a", notBefore: 1, notAfter: 2)]).bytes),
      content(SealReply.failed("why").bytes), content(SealReply.signed([1, 2, 3]).bytes),
      content(SealRequest.sign([1, 2], by: [3]).bytes),
      content(SealRequest.describe([1, 2]).bytes), content(SealRequest.query([1, 2]).bytes),
      content(
        SealRequest.stamp(SealStamp(response: [1], of: [2], to: [3], trusting: [4])).bytes),
      content(
        SealRequest.stamp(SealStamp(response: [1], of: [2], to: nil, trusting: [4])).bytes),
      content(SealRequest.tryKey(of: [1, 2]).bytes), content(SealReply.untried.bytes),
      content(SealReply.query([1, 2]).bytes), content(SealReply.rejected("no").bytes),
      content(SealReply.stamped(SealTimestamp(time: 1, authority: "b")).bytes),
    ]
    var parsed = 0
    for round in 0..<Soak.rounds(10_000, full: 80_000) {
      var bytes = valid[round % valid.count]
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      if let request = SealRequest(content: bytes) {
        parsed += 1
        #expect(try content(request.bytes) == bytes)
      }
      if let reply = SealReply(content: bytes) {
        let again = try content(reply.bytes)
        // Texts lose what is not printable.
        #expect(again.count == bytes.count)
        #expect(SealReply(content: again) == reply)
      }
    }
    #expect(parsed > 1000)
  }
}
