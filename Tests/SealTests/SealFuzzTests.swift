import CLinux
import Linux
import Seal
import SealClient
import SpoolFixtures
import SyntheticHand
import Testing

/// Both ends of the protocol on frames that nobody sent.
@Suite struct SealFuzzTests {
  private let folder = TemporaryFolder()

  /// The replies in these bytes; nil: something else is among them.
  private func replies(in output: [UInt8]) -> [SealReply]? {
    var (rest, replies) = (output[...], [SealReply]())
    while !rest.isEmpty {
      let head = Array(rest.prefix(SealFrame.headSize))
      guard let size = SealFrame.contentSize(head: head),
        let reply = SealReply(content: Array(rest.dropFirst(head.count).prefix(size)))
      else { return nil }
      replies.append(reply)
      rest = rest.dropFirst(head.count + size)
    }
    return replies
  }

  /// A request of each kind that paraph-seal knows.
  private func requests() throws -> [SealRequest] {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let certificate = try Fixtures.read(keys.certificate)
    let authority = try TimestampAuthority("clock", in: folder)
    let query = try authority.query([1])
    return [
      .seal([[1, 2, 3]], for: [certificate]), .examine([certificate]), .describe(certificate),
      .sign([1, 2, 3], by: certificate), .tryKey(of: certificate), .query([1]),
      .prepare([certificate], by: certificate),
      .stamp(
        SealStamp(
          response: try authority.reply(to: query), of: [1], to: query,
          trusting: try Fixtures.read(authority.root))),
    ]
  }

  /// What paraph-seal does with these bytes.
  private func run(_ frame: [UInt8]) throws -> (result: Programs.Result, output: [UInt8]) {
    let (input, path) = (folder.path + "/request", Programs.path("paraph-seal"))
    try Fixtures.write(input, frame)
    let result = try Programs.run(
      path: "/bin/sh",
      [
        "-c", "\"$1\" --sign-key=\"$2\" < \"$3\" > \"$3.out\"", "sh", path,
        folder.path + "/pad.key", input,
      ])
    return (result, try Fixtures.read(input + ".out"))
  }

  @Test func `requests of any kinds in any order have one reply each, but for those to prepare`()
    throws
  {
    var random = SeededRandom(seed: 2024)
    let requests = try requests()
    for _ in 0..<12 {
      let chosen = (0..<6).map { _ in requests[Int.random(in: requests.indices, using: &random)] }
      let (result, output) = try run(try chosen.flatMap { try #require($0.bytes) })
      #expect(result.end == .exit(0) && result.error.isEmpty, "\(result)")
      let awaited = chosen.filter { if case .prepare = $0 { false } else { true } }
      let found = try #require(replies(in: output))
      #expect(found.count == awaited.count)
      for (request, reply) in zip(awaited, found) {
        switch (request, reply) {
        case (.seal, .sealed), (.examine, .examined), (.describe, .examined), (.sign, .signed),
          (.tryKey, .signed), (.query, .query), (.stamp, .stamped):
          break
        default: Issue.record("\(request) was answered by \(reply)")
        }
      }
    }
  }

  @Test func `paraph-seal answers a changed request or refuses it in one line, and never crashes`()
    throws
  {
    var random = SeededRandom(seed: 2022)
    var (answered, refused) = (0, 0)
    let frames = try requests().map { try #require($0.bytes) }
    for round in 0..<240 {
      var frame = frames[round % frames.count]
      let content = Array(frame.dropFirst(SealFrame.headSize))
      switch round / frames.count % 3 {
      case 0: frame = Mutation.of(frame, &random)
      case 1:
        // With a valid length, so that the content is read.
        let changed = Mutation.of(content, &random)
        let size = changed.count
        frame = Array(frame.prefix(4)) + [24, 16, 8, 0].map { UInt8(size >> $0 & 0xff) } + changed
      default: frame = Mutation.of(Array(frame.prefix(SealFrame.headSize)), &random) + content
      }
      let (result, output) = try run(frame)
      // What follows a whole request is the next one.
      let found = try #require(replies(in: output))
      #expect(found.count <= 1)
      if result.end == .exit(0) {
        answered += found.count
      } else {
        #expect(result.end == .exit(EX_DATAERR), "\(result)")
        #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
        refused += 1
      }
    }
    #expect(answered > 20 && refused > 20, "\(answered) \(refused)")
  }

  @Test func `the caller takes a changed reply as a reply or as none, and never crashes`() throws {
    let certificate = SealCertificate(subject: "/CN=pad", notBefore: 1, notAfter: 2)
    let replies: [SealReply] = [
      .sealed([[1], [2]]), .examined([certificate]), .signed([3]), .query([4]),
      .stamped(SealTimestamp(time: 5, authority: "/CN=clock")), .rejected("no"), .failed("why"),
      .tokenFailed("no"), .untried,
    ]
    let frames = try replies.map { try #require($0.bytes) }
    let (script, reply) = (folder.path + "/seal", folder.path + "/reply")
    try Fixtures.write(
      script, Array("#!/bin/sh\ncat > /dev/null\nexec cat '\(reply)'\n".utf8))
    chmod(script, 0o755)
    let program = SealProgram(script, timeLimit: 60_000)
    var random = SeededRandom(seed: 2023)
    for (frame, whole) in zip(frames, replies) {
      try Fixtures.write(reply, frame)
      #expect(try program.ask(.query([])) == whole)
    }
    var invalid = 0
    for round in 0..<140 {
      let frame = Mutation.of(frames[round % frames.count], &random)
      try Fixtures.write(reply, frame)
      do {
        let found = try program.ask(.query([]))
        #expect(SealFrame.content(of: frame).flatMap { SealReply(content: $0) } == found)
      } catch {
        let text = error.text
        #expect(
          text == "paraph-seal: its reply is invalid or cut"
            || text == "paraph-seal: ended without a reply (exit code 0)", "\(text)")
        invalid += 1
      }
    }
    #expect(invalid > 70)
  }
}
