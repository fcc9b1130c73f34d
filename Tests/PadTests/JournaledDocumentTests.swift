import Control
import Ink
import Spool
import SpoolFixtures
import Testing

@testable import Pad

/// Requests and signatures with documents in the journal.
@Suite struct JournaledDocumentTests: JournalSuite {
  let folder = TemporaryFolder()

  private static func digest(_ digit: String) -> String { String(repeating: digit, count: 64) }

  /// A request whose document has pictures; nil: a text.
  private func read(pages: Int?) -> PadRequest {
    var request = request
    request.timeLimit = 60_000_000_000
    var document = RequestDocument(
      client: -1, id: "contract-7", name: "Vertrag „7“.pdf", digest: Self.digest("d"),
      count: pages ?? 1)
    document.isEarly = pages != 1
    document.upload = DocumentUpload(
      folder: 12,
      pages: pages.map { count in
        (1...count).map {
          .init(digest: Self.digest("\($0 % 10)"), width: 1240 + $0, height: 1754)
        }
      }, textDigest: pages == nil ? Self.digest("e") : nil)
    request.document = document
    return request
  }

  @Test(arguments: [nil, 1, 2, 50] as [Int?])
  func `a request is restored with its document`(pages: Int?) throws {
    var journal = try journal()
    try journal.record(read(pages: pages))
    #expect(left().request == read(pages: pages))
    // As it is written again by the next start.
    _ = try self.journal(left())
    #expect(left().request == read(pages: pages))
  }

  @Test func `the client of a restored document is no client`() throws {
    var request = read(pages: 2)
    request.document?.client = 3
    let restored = JournaledRequest.decode(JournaledRequest.encode(request))
    #expect(restored?.document?.client == -1)
  }

  @Test func `a request without a document is recorded with its limits, and read without them`()
    throws
  {
    var request = request
    request.timeLimit = 60_000_000_000
    let text = String(decoding: JournaledRequest.encode(request), as: UTF8.self)
    let before =
      #"{"number":7,"cancellable":true,"reference":"4711","title":"Paket","#
      + #""prompt":"Für Frau Größe","language":"de","limit":99"#
    #expect(text == before + #","time_limit":60000000000}"#)
    #expect(JournaledRequest.decode(Array(text.utf8)) == request)
    // As versions before wrote it.
    let restored = try #require(JournaledRequest.decode(Array((before + "}").utf8)))
    #expect(restored == self.request && restored.document == nil && restored.timeLimit == nil)
  }

  @Test func `a time limit of up to a week is kept over a restart`() {
    let week: Int64 = 604_800_000_000_000
    for (limit, kept) in [(1, 1), (week, week), (week + 1, nil)] as [(Int64, Int64?)] {
      var request = request
      request.timeLimit = limit
      let restored = JournaledRequest.decode(JournaledRequest.encode(request))
      #expect(restored != nil && restored?.timeLimit == kept)
    }
  }

  @Test(arguments: [
    (#""id":"contract-7","#, ""), (#""digest":"dddd"#, #""digits":"dddd"#),
    (#""count":2"#, #""count":0"#), (#""count":2"#, #""count":3"#), (#""count":2"#, #""count":51"#),
    (#""folder":12"#, #""folder":0"#), (#""folder":12"#, #""folder":null"#),
    (#""width":1241"#, #""width":0"#), (#""height":1754"#, #""height":-1"#),
    (#""pages":["#, #""pages":[7,"#), (#""document":{"#, #""document":[],"late":{"#),
    (#""document":{"#, #""document":null,"late":{"#), (digest("d"), digest("D")),
    (digest("1"), String(repeating: "1", count: 63)), (digest("2"), digest("g")),
    // A text must have a digest, too.
    (#""pages":["#, #""pages":null,"late":["#),
  ])
  func `a request whose document cannot be read is not open: nobody signs without reading`(
    old: String, new: String
  ) {
    let text = String(decoding: JournaledRequest.encode(read(pages: 2)), as: UTF8.self)
    #expect(text.contains(old))
    #expect(JournaledRequest.decode(Array(text.replacing(old, with: new).utf8)) == nil)
  }

  @Test(arguments: [
    (#""text_digest":"#, #""text":"#), (digest("e"), digest("E")),
    (digest("e"), digest("e") + "e"), (#""\#(digest("e"))""#, "null"),
    (#""\#(digest("e"))""#, "7"),
  ])
  func `a request whose text has no digest is not open, either`(old: String, new: String) {
    let text = String(decoding: JournaledRequest.encode(read(pages: nil)), as: UTF8.self)
    #expect(text.contains(old))
    #expect(JournaledRequest.decode(Array(text.replacing(old, with: new).utf8)) == nil)
  }

  @Test(arguments: [1, 50, ShownDocument.pageLimit])
  func `a signature is restored with its document`(pages: Int) throws {
    var signature = InkJournalTests.signature
    signature.document = ShownDocument(
      name: "Vertrag „7“.pdf", digest: Self.digest("d"),
      pages: (1...pages).map {
        .init(digest: Self.digest("\($0 % 10)"), milliseconds: 2_678_399_000 + Int64($0 % 1000))
      })
    var journal = try journal()
    try journal.record(publishing: signature)
    try journal.record(published: signature.id)
    #expect(left().signed == [signature])
    _ = try self.journal(left())
    #expect(left().signed == [signature])
  }

  @Test(arguments: [("digest", "digits"), ("seconds", "second"), ("pages", "page")])
  func
    `a signature whose document cannot be read keeps its identity, or it would be published twice`(
      name: String, other: String
    ) throws
  {
    var signature = InkJournalTests.signature
    signature.document = ShownDocument(
      name: "a.pdf", digest: Self.digest("d"),
      pages: [.init(digest: Self.digest("1"), milliseconds: 1500)])
    let bytes = JournaledSignature.encode(signature)
    #expect(JournaledSignature.decode(bytes[...]) == signature)
    let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    let line = String(decoding: bytes[..<end], as: UTF8.self)
    let start = try #require(line.firstRange(of: #""document":"#)).lowerBound
    let broken = line[..<start] + line[start...].replacing(#""\#(name)":"#, with: #""\#(other)":"#)
    #expect(broken != line[...])
    signature.document = nil
    let read = JournaledSignature.decode((Array(broken.utf8) + Array(bytes[end...]))[...])
    #expect(read == signature)
  }

  @Test func `a signature without a document is recorded as before`() {
    let bytes = JournaledSignature.encode(InkJournalTests.signature)
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    #expect(
      line.hasPrefix(
        #"{"id":"0190c8a4","digest":"ab12","time":1795255200000000001,"width":300,"#))
    #expect(!line.contains("document"))
    let restored = JournaledSignature.decode(bytes[...])
    #expect(restored == InkJournalTests.signature && restored?.document == nil)
  }
}
