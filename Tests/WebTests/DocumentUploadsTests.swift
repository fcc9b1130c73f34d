import JSON
import Testing

@testable import Web

@Suite struct DocumentUploadsTests {
  static let second: Int64 = 1_000_000_000
  /// The beginning and the end of a PNG.
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// A service with documents, whose actions are words: a body as its size.
  struct Uploads {
    var test: ServiceUnderTest

    init(_ configuration: String = "") throws { test = try ServiceUnderTest(configuration) }

    mutating func begin(
      _ path: String, from client: Int = 1, type: String? = "image/png",
      headers: [(String, String)] = []
    ) -> [String] {
      var fields = [WebRequest.Field(name: "host", value: "localhost:8420")]
      if let type { fields.append(.init(name: "content-type", value: type)) }
      fields += headers.map { WebRequest.Field(name: $0.0, value: $0.1) }
      let request = WebRequest("PUT", path, headers: fields, channel: .loopback)
      return test.words(test.service.upload(request, from: client, at: test.now))
    }

    mutating func part(_ bytes: [UInt8], isLast: Bool = false, from client: Int = 1) -> [String] {
      test.words(test.service.part(bytes, isLast: isLast, from: client, at: test.now))
    }

    mutating func reply(_ connection: Int) throws -> [String] { try test.reply(connection, "{}") }

    /// Uploads a page of one part.
    mutating func upload(
      _ path: String, from client: Int = 1, headers: [(String, String)] = []
    ) throws -> Int {
      _ = begin(path, from: client, headers: headers)
      let call = try #require(part(png + end, isLast: true, from: client).first)
      let number = try #require(Int(call.split(separator: " ")[1]))
      #expect(try reply(number) == ["respond \(client) 204 "])
      return number
    }

    mutating func sign(
      _ id: String = "a", digest: String? = nil, from client: Int = 9,
      headers: [(String, String)] = []
    ) -> [String] {
      let more = digest.map { #","digest":"\#($0)""# } ?? ""
      return test.send(
        "POST", "/v1/sign", #"{"reference":"r","document":{"id":"\#(id)"\#(more)}}"#,
        from: client, headers: headers)
    }

    mutating func time(_ now: Int64) -> [String] {
      test.now = now
      return test.words(test.service.time(now))
    }
  }

  @Test func `a page is passed on in parts, and the next one is taken when the pad has the last`()
    throws
  {
    var uploads = try Uploads()
    #expect(uploads.begin("/v1/documents/a/2").isEmpty)
    #expect(
      uploads.part(Self.png)
        == [#"call 1 PutPage {"document":"a","number":2,"offset":0,"data":"iVBORw=="}"#])
    #expect(try uploads.reply(1) == ["proceed 1"])
    #expect(
      uploads.part(Self.end, isLast: true)
        == [#"call 1 PutPage {"document":"a","number":2,"offset":4,"data":"AAAAAElFTkSuQmCC"}"#])
    #expect(try uploads.reply(1) == ["respond 1 204 "])
    // A page whose size is that of its parts.
    #expect(uploads.begin("/v1/documents/a/3").isEmpty)
    _ = uploads.part(Self.png + Self.end)
    _ = try uploads.reply(1)
    #expect(uploads.part([], isLast: true) == ["respond 1 204 "])
  }

  @Test func `a request goes over the connection of its document, and closes it`() throws {
    var uploads = try Uploads()
    let connection = try uploads.upload("/v1/documents/a/1")
    let body = #"{"reference":"r","document":{"id":"a"}}"#
    #expect(uploads.sign() == ["call \(connection) Sign \(body)"])
    // The document is the request's now.
    #expect(uploads.time(90 * Self.second).isEmpty)
    #expect(try uploads.test.reply(connection, #"{"state":"cancelled"}"#).first == "hang up 1")
    #expect(uploads.test.service.isIdle)
  }

  @Test func `a request whose client is gone is cancelled with its document`() throws {
    var uploads = try Uploads()
    let connection = try uploads.upload("/v1/documents/a/1")
    _ = uploads.sign()
    _ = uploads.test.service.disconnected(9, at: 0)
    // Resumed, it needs no other document.
    #expect(uploads.sign(from: 10).isEmpty)
    _ = uploads.test.service.disconnected(10, at: 0)
    #expect(uploads.time(5 * Self.second) == ["hang up \(connection)"])
    #expect(uploads.test.service.isIdle)
  }

  @Test func `a document that a resumed request has already is discarded`() throws {
    var uploads = try Uploads()
    _ = try uploads.upload("/v1/documents/a/1")
    _ = uploads.sign()
    let second = try uploads.upload("/v1/documents/a/1", from: 2)
    #expect(uploads.sign(from: 10).first == "hang up \(second)")
  }

  @Test func `a document is discarded whose request has the reference of another one`() throws {
    var uploads = try Uploads()
    let first = try uploads.upload("/v1/documents/a/1")
    _ = uploads.sign(digest: "v1")
    let second = try uploads.upload("/v1/documents/b/1", from: 2)
    let actions = uploads.sign("b", digest: "v2", from: 10)
    try #require(actions.count == 2)
    #expect(actions[0] == "hang up \(second)")
    #expect(actions[1].hasPrefix(#"respond 10 409 {"type":"urn:paraph:error:Busy""#))
    // The first one has lost nothing.
    let saved = #"{"state":"saved"}"#
    #expect(
      try uploads.test.reply(first, saved) == ["hang up \(first)", "respond 9 200 \(saved)"])
  }

  @Test func `a document that is unknown is the pad's to refuse`() throws {
    var uploads = try Uploads()
    #expect(uploads.sign().first?.hasPrefix("call 1 Sign") == true)
    let answer = try uploads.test.refuse(
      1, "org.paraph.Pad.BadDocument", #"{"page":1,"reason":"it is missing"}"#)
    let text = try #require(answer.last)
    #expect(text.hasPrefix(#"respond 9 400 {"type":"urn:paraph:error:BadDocument""#))
    #expect(text.hasSuffix(#""page":1,"reason":"it is missing"}"#))
  }

  @Test func `a request is refused while a page is being uploaded`() throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/3")
    _ = uploads.part(Self.png)
    #expect(uploads.sign()[0].hasSuffix(#""page":3,"reason":"the page is still being uploaded"}"#))
    _ = uploads.test.service.disconnected(1, at: 0)
    // The pad has not answered yet.
    #expect(uploads.sign()[0].hasSuffix(#""reason":"the page is still being uploaded"}"#))
    #expect(try uploads.reply(1).isEmpty)
    #expect(uploads.sign()[0].hasPrefix("call 1 Sign"))
  }

  @Test func `a page that the pad refuses is a problem with its page, and the document stays`()
    throws
  {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/2")
    _ = uploads.part(Self.png, isLast: true)
    let error = #"{"page":2,"reason":"it is damaged"}"#
    let answer = try uploads.test.refuse(1, "org.paraph.Pad.BadDocument", error)
    #expect(answer.count == 1 && answer[0].hasPrefix("respond 1 400"))
    #expect(answer[0].hasSuffix(#""page":2,"reason":"it is damaged"}"#))
    // The rest of its body is discarded.
    #expect(uploads.part([1], isLast: true).isEmpty)
    #expect(try uploads.upload("/v1/documents/a/2", from: 2) == 1)
  }

  @Test(arguments: [
    [png], [png, []], [png, Array(end.dropLast())], [png, end, [0]], [png + end.dropLast(), []],
  ])
  func `a PNG without its end is a problem, and its client may upload it again`(
    parts: [[UInt8]]
  ) throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/2")
    var answer: [String] = []
    for (index, part) in parts.enumerated() {
      answer = uploads.part(part, isLast: index == parts.count - 1)
      // An empty part is not sent.
      if answer.first?.hasPrefix("call 1 PutPage") == true { answer = try uploads.reply(1) }
    }
    #expect(answer.count == 1 && answer[0].hasPrefix("respond 1 400"))
    #expect(answer[0].contains(#"{"type":"urn:paraph:error:BadDocument""#))
    #expect(answer[0].hasSuffix(#""page":2,"reason":"the page is incomplete"}"#))
    #expect(try uploads.upload("/v1/documents/a/2", from: 2) == 1)
  }

  @Test func `the end of a PNG may come in several parts, and a text has none`() throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    let parts = [Self.png] + Self.end.map { [$0] }
    for part in parts {
      _ = uploads.part(part, isLast: false)
      #expect(try uploads.reply(1) == ["proceed 1"])
    }
    #expect(uploads.part([], isLast: true) == ["respond 1 204 "])
    _ = uploads.begin("/v1/documents/b/1", type: "text/plain")
    _ = uploads.part(Array("Terms".utf8), isLast: true)
    #expect(try uploads.reply(2) == ["respond 1 204 "])
  }

  @Test(arguments: [
    ("image/png", 1, "text", "not a PNG"), ("image/png", 1, "", "the page is empty"),
    ("text/plain", 1, nil, "not a text"),
    ("text/plain;charset=UTF-8", 2, "text", "a text is page 1"),
  ])
  func `a page that is not what its type says is refused`(
    type: String, page: Int, text: String?, reason: String
  ) throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/\(page)", type: type)
    let answer = uploads.part(text.map { Array($0.utf8) } ?? Self.png, isLast: true)
    #expect(answer.count == 1 && answer[0].hasPrefix("respond 1 400"))
    #expect(answer[0].hasSuffix(#""page":\#(page),"reason":"\#(reason)"}"#))
  }

  @Test func `other types, pages of other origins and clients without permission are refused`()
    throws
  {
    var uploads = try Uploads(
      "local-tokens = yes\n[token shop]\nhash = \(AccessPolicyTests.secret)\npermissions = press")
    let path = "/v1/documents/a/1"
    #expect(uploads.begin(path)[0].hasPrefix("respond 1 401"))
    let token = [("authorization", "Bearer secret")]
    #expect(uploads.begin(path, headers: token)[0].hasPrefix("respond 1 403"))
    var open = try Uploads()
    for type in ["application/json", "image/jpeg", nil] {
      #expect(open.begin(path, type: type)[0].hasPrefix("respond 1 415"))
    }
    let evil = [("origin", "https://evil.example")]
    #expect(open.begin(path, headers: evil)[0].hasPrefix("respond 1 403"))
    #expect(uploads.test.service.isIdle && open.test.service.isIdle)
  }

  @Test func `the same id of another origin or token is another document`() throws {
    var uploads = try Uploads("origins = https://shop.example")
    let shop = [("origin", "https://shop.example")]
    let program = try uploads.upload("/v1/documents/a/1")
    let page = try uploads.upload("/v1/documents/a/1", headers: shop)
    #expect(program != page)
    #expect(uploads.sign(headers: shop)[0].hasPrefix("call \(page) Sign"))
    let policy = try ServiceUnderTest.policy(
      "local-tokens = yes\n[token a]\nhash = \(AccessPolicyTests.secret)\npermissions = ask")
    func owner(_ headers: [(String, String)]) throws -> Owner {
      let fields = headers.map { WebRequest.Field(name: $0.0, value: $0.1) }
      return try policy.owner(of: WebRequest("PUT", "/", headers: fields, channel: .unix))
    }
    #expect(try owner([("authorization", "Bearer secret")]) != owner([]))
  }

  @Test func `a document is discarded after a minute unused`() throws {
    var uploads = try Uploads()
    let connection = try uploads.upload("/v1/documents/a/1")
    #expect(uploads.time(59 * Self.second).isEmpty)
    _ = try uploads.upload("/v1/documents/a/2")
    #expect(uploads.time(60 * Self.second).isEmpty)
    #expect(uploads.test.service.deadline == 119 * Self.second)
    #expect(uploads.time(119 * Self.second) == ["hang up \(connection)"])
    #expect(uploads.test.service.isIdle)
  }

  @Test
  func `a document whose upload broke is discarded after five seconds, unless it is repeated`()
    throws
  {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    _ = uploads.part(Self.png)
    _ = uploads.test.service.disconnected(1, at: 0)
    // The pad's late answer changes nothing.
    uploads.test.now = Self.second
    #expect(try uploads.reply(1).isEmpty)
    #expect(uploads.test.service.deadline == 5 * Self.second)
    _ = uploads.begin("/v1/documents/a/1", from: 2)
    #expect(uploads.time(20 * Self.second).isEmpty)
    let actions = uploads.part(Self.png + Self.end, isLast: true, from: 2)
    #expect(actions[0].hasPrefix("call 1 PutPage"))
    #expect(try uploads.reply(1) == ["respond 2 204 "])
  }

  @Test func `an upload that is repeated replaces the former one`() throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    _ = uploads.part(Self.png)
    #expect(uploads.begin("/v1/documents/a/1", from: 2)[0].hasPrefix("respond 1 409"))
    // Its part waits for the answer to the former one's.
    #expect(uploads.part(Self.png + Self.end, isLast: true, from: 2).isEmpty)
    #expect(try uploads.reply(1)[0].contains(#""offset":0"#))
    #expect(try uploads.reply(1) == ["respond 2 204 "])
  }

  @Test func `pages that are uploaded together take turns`() throws {
    var uploads = try Uploads()
    for client in [1, 2] { _ = uploads.begin("/v1/documents/a/\(client)", from: client) }
    #expect(uploads.part(Self.png)[0].contains(#""number":1"#))
    #expect(uploads.part(Self.png, from: 2).isEmpty)
    let turn = try uploads.reply(1)
    #expect(turn.count == 2 && turn[0].contains(#""number":2"#) && turn[1] == "proceed 1")
    #expect(uploads.part(Self.end, isLast: true).isEmpty)
    #expect(try uploads.reply(1)[0].contains(#""number":1,"offset":4"#))
    #expect(try uploads.reply(1) == ["respond 1 204 "])
  }

  @Test func `a fifth document displaces the one of the same owner that is unused for longest`()
    throws
  {
    var uploads = try Uploads("origins = https://shop.example")
    let shop = [("origin", "https://shop.example")]
    let other = try uploads.upload("/v1/documents/a/1", headers: shop)
    var connections: [Int] = []
    for id in ["b", "c", "d"] {
      uploads.test.now += 1
      connections.append(try uploads.upload("/v1/documents/\(id)/1"))
    }
    // Another page makes "c" the one that is unused for longest.
    #expect(uploads.begin("/v1/documents/b/2", from: 7).isEmpty)
    uploads.test.now += 1
    // Headers alone displace nothing, and neither does a page that is not what its type says.
    #expect(uploads.begin("/v1/documents/e/1", from: 8).isEmpty)
    #expect(uploads.part([1], isLast: true, from: 8).count == 1)
    #expect(uploads.begin("/v1/documents/e/1", from: 8).isEmpty)
    let actions = uploads.part(Self.png, isLast: true, from: 8)
    #expect(actions.count == 2 && actions[0] == "hang up \(connections[1])")
    #expect(actions.last?.contains(#"PutPage {"document":"e""#) == true)
    #expect(uploads.sign(headers: shop)[0].hasPrefix("call \(other) Sign"))
  }

  @Test func `an upload whose document is displaced ends with a problem`() throws {
    var uploads = try Uploads()
    for client in 1...WebLimits.documents {
      uploads.test.now = Int64(client)
      #expect(uploads.begin("/v1/documents/d\(client)/1", from: client).isEmpty)
      #expect(uploads.part(Self.png, from: client).count == 1)
    }
    #expect(uploads.begin("/v1/documents/e/1", from: 9).isEmpty)
    let actions = uploads.part(Self.png, from: 9)
    try #require(actions.count == 3)
    #expect(actions[0] == "hang up 1" && actions[2].contains("PutPage"))
    #expect(actions[1].hasPrefix(#"respond 1 409 {"type":"urn:paraph:error:TooManyDocuments""#))
  }

  @Test func `a document of which the pad has nothing goes with its last upload`() throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    _ = uploads.begin("/v1/documents/a/2", from: 2)
    _ = uploads.test.service.disconnected(1, at: 0)
    #expect(!uploads.test.service.isIdle)
    #expect(uploads.part([1], from: 2)[0].hasPrefix("respond 2 400"))
    #expect(uploads.test.service.isIdle && uploads.test.service.deadline == nil)
  }

  @Test func `a document whose last part the pad does not answer is discarded after 30 s`()
    throws
  {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    _ = uploads.part(Self.png, isLast: true)
    // Another page's client does not extend the time.
    uploads.test.now = 20 * Self.second
    _ = uploads.begin("/v1/documents/a/2", from: 2)
    #expect(uploads.part(Self.png, from: 2).isEmpty)
    #expect(uploads.test.service.deadline == 30 * Self.second)
    #expect(uploads.time(30 * Self.second - 1).isEmpty)
    let actions = uploads.time(30 * Self.second)
    try #require(actions.count == 3)
    #expect(actions[0] == "hang up 1")
    for client in [1, 2] {
      let start = "respond \(client) 503 {\"type\":\"urn:paraph:error:Unreachable\""
      #expect(actions[client].hasPrefix(start))
    }
    #expect(uploads.test.service.isIdle)
  }

  @Test func `an answer of the pad begins the 30 s of the next part`() throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    _ = uploads.part(Self.png)
    uploads.test.now = 20 * Self.second
    #expect(try uploads.reply(1) == ["proceed 1"])
    #expect(uploads.test.service.deadline == nil)
    #expect(uploads.part(Self.end, isLast: true).count == 1)
    #expect(uploads.test.service.deadline == 50 * Self.second)
    uploads.test.now = 49 * Self.second
    #expect(try uploads.reply(1) == ["respond 1 204 "])
    #expect(uploads.test.service.deadline == 109 * Self.second)
  }

  @Test func `the pages that are uploaded at a time are bounded`() throws {
    var uploads = try Uploads()
    for client in 1...WebLimits.calls {
      #expect(uploads.begin("/v1/documents/a/\(client)", from: client).isEmpty)
    }
    #expect(uploads.begin("/v1/documents/a/17", from: 99)[0].hasPrefix("respond 99 503"))
  }

  @Test func `a page beyond the limit is refused, however it is sent`() throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    var answer = uploads.part(Self.png)
    let part = [UInt8](repeating: 0, count: WebLimits.part)
    for _ in 0...(WebLimits.page / WebLimits.part) where answer[0].hasPrefix("call") {
      #expect(try uploads.reply(1) == ["proceed 1"])
      answer = uploads.part(part)
    }
    #expect(answer.count == 1 && answer[0].hasPrefix("respond 1 413"))
  }

  @Test func `a pad that ends takes the document with it`() throws {
    var uploads = try Uploads()
    _ = uploads.begin("/v1/documents/a/1")
    _ = uploads.part(Self.png)
    let gone = uploads.test.words(
      uploads.test.service.failed(1, "gone", wasConnected: true, at: 0))
    #expect(gone.count == 1 && gone[0].contains("urn:paraph:error:Unreachable"))
    #expect(uploads.test.service.isIdle)
  }
}
