import JSON
import Spool
import Testing

@testable import Control

/// Documents that are uploaded, read before signing, and named in the reply.
@Suite struct ControlDocumentTests: ControlServiceSuite {
  var service = ControlService.test()

  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  /// The members of a document, with some replaced.
  private static func members(_ replaced: [String: String] = [:]) -> String {
    var members = [
      "id": #""contract-7""#, "name": #""Vertrag.pdf""#, "digest": #""\#(digest)""#, "pages": "3",
    ]
    for (name, value) in replaced { members[name] = value.isEmpty ? nil : value }
    return "{"
      + members.sorted { $0.key < $1.key }.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
      + "}"
  }

  /// The parameters of PutPage, with some replaced.
  private static func part(_ replaced: [String: String] = [:]) -> String {
    var members = [
      "document": #""contract-7""#, "number": "2", "offset": "24000", "data": #""cGFnZQ==""#,
    ]
    for (name, value) in replaced { members[name] = value.isEmpty ? nil : value }
    return "{"
      + members.sorted { $0.key < $1.key }.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
      + "}"
  }

  private static let shown = ShownDocument(
    name: "Vertrag.pdf", digest: digest,
    pages: [.init(digest: digest, milliseconds: 1500), .init(digest: digest, milliseconds: 0)])

  // MARK: - Requests

  @Test mutating func `a request has its document and the client that uploads it`() {
    service.connected(9, isAllowed: true)
    var request = PadRequest(.signature, number: 1)
    request.document = RequestDocument(
      client: 9, id: "contract-7", name: "Vertrag.pdf", digest: Self.digest, count: 3)
    #expect(
      send("Sign", #"{"document":\#(Self.members())}"#, from: 9) == [.ask(.open(request))])
    _ = service.event(.cancelled(1, by: .person), at: 0)
    request.number = 2
    request.document?.isEarly = true
    let early = #"{"document":\#(Self.members(["early": "true"]))}"#
    #expect(send("Sign", early, from: 9) == [.ask(.open(request))])
  }

  @Test(arguments: ["{}", #"{"document":null}"#])
  mutating func `a request without a document has none`(parameters: String) {
    #expect(send("Sign", parameters) == [.ask(.open(PadRequest(.signature, number: 1)))])
  }

  @Test(arguments: [
    ("id", ""), ("id", "7"), ("id", #""""#), ("id", #""a/b""#), ("id", #""a b""#), ("id", #""ä""#),
    ("id", #""\#(String(repeating: "i", count: 65))""#), ("name", ""), ("name", "7"),
    ("name", #""""#), ("name", #"" \u00A0\u200B""#), ("name", #""a\nb""#), ("name", #""a\u0085b""#),
    ("name", #""a\u007Fb""#), ("name", #""\#(String(repeating: "n", count: 256))""#),
    ("name", #""\#(String(repeating: "é", count: 128))""#), ("digest", ""), ("digest", "7"),
    ("digest", #""""#), ("digest", #""\#(String(repeating: "a", count: 63))""#),
    ("digest", #""\#(String(repeating: "a", count: 65))""#),
    ("digest", #""\#(String(repeating: "A", count: 64))""#), ("pages", ""), ("pages", "0"),
    ("pages", "-1"), ("pages", "1.5"), ("pages", #""1""#), ("early", "1"), ("late", "true"),
  ])
  mutating func `a document that is wrong is refused by the name of the member`(
    name: String, value: String
  ) throws {
    let parameters = #"{"document":\#(Self.members([name: value]))}"#
    let answer = try reply(send("Sign", parameters))
    #expect(answer.error == "org.varlink.service.InvalidParameter")
    #expect(answer["parameter"]?.text == name && service.open == nil && service.isReady(1))
  }

  @Test(arguments: ["[]", "7", #""contract-7""#, "true"])
  mutating func `a document that is no object is refused`(document: String) throws {
    let answer = try reply(send("Sign", #"{"document":\#(document)}"#))
    #expect(answer["parameter"]?.text == "document" && service.open == nil)
  }

  @Test mutating func `the longest members of a document are accepted`() throws {
    let members = Self.members([
      "id": #""\#(String(repeating: "-_.zZ9aA", count: 8))""#, "pages": "50",
      "name": #""\#(String(repeating: "n", count: 255))""#, "early": "false",
    ])
    guard case .ask(.open(let request))? = send("Sign", #"{"document":\#(members)}"#).first else {
      Issue.record("it is refused")
      return
    }
    #expect(request.document?.count == 50 && request.document?.name.utf8.count == 255)
    #expect(request.document?.id.utf8.count == 64)
  }

  @Test(arguments: [51, 1_000_000_000_000] as [Int64])
  mutating func `a page behind the fiftieth makes a bad document`(page: Int64) throws {
    for answer in [
      try reply(send("Sign", #"{"document":\#(Self.members(["pages": "\(page)"]))}"#)),
      try reply(send("PutPage", Self.part(["number": "\(page)"]))),
    ] {
      #expect(answer.error == "org.paraph.Pad.BadDocument")
      #expect(answer["page"]?.integer == page)
      #expect(answer["reason"]?.text == "a document has at most 50 pages")
    }
    #expect(service.open == nil && service.isReady(1))
  }

  @Test mutating func `other requests have no documents`() throws {
    for (method, rest) in [("Show", #""text":"x""#), ("Ask", #""text":"x","choices":["a","b"]"#)] {
      let answer = try reply(send(method, #"{\#(rest),"document":\#(Self.members())}"#))
      #expect(answer["parameter"]?.text == "document")
    }
  }

  // MARK: - Pages

  @Test mutating func `a part of a page is answered when the pad has kept it`() throws {
    service.connected(2, isAllowed: true)
    let part = PagePart(
      client: 1, document: "contract-7", number: 2, offset: 24_000, bytes: Array("page".utf8))
    #expect(send("PutPage", Self.part()) == [.ask(.putPage(part))])
    #expect(!service.isReady(1) && service.isReady(2))
    #expect(service.event(.pagePut(2, nil), at: 0).isEmpty)
    let kept = try reply(service.event(.pagePut(1, nil), at: 0))
    #expect(kept.error == nil && !kept.continues && service.isReady(1))
    #expect(service.event(.pagePut(1, nil), at: 0).isEmpty)
    let first = PagePart(
      client: 1, document: "contract-7", number: 1, offset: 0, bytes: Array("page".utf8))
    #expect(
      send("PutPage", Self.part(["number": "1", "offset": "0"])) == [.ask(.putPage(first))])
  }

  @Test mutating func `a part that the pad cannot keep is answered with its page and the reason`()
    throws
  {
    _ = send("PutPage", Self.part())
    let problem = DocumentProblem(page: 2, "the part does not follow the last one")
    let answer = try reply(service.event(.pagePut(1, problem), at: 0))
    #expect(answer.error == "org.paraph.Pad.BadDocument" && answer["page"]?.integer == 2)
    #expect(answer["reason"]?.text == problem.reason && service.isReady(1))
    _ = send("PutPage", Self.part())
    let whole = DocumentProblem(page: nil, "the pad has no folder for pages")
    let other = try reply(service.event(.pagePut(1, whole), at: 0))
    #expect(other["page"] == nil && other["reason"]?.text == whole.reason)
  }

  @Test(arguments: [
    ("document", ""), ("document", #""""#), ("document", #""../7""#), ("document", "7"),
    ("document", #""\#(String(repeating: "i", count: 65))""#), ("number", ""), ("number", "0"),
    ("number", "-1"), ("number", "1.5"), ("number", #""1""#), ("offset", ""), ("offset", "-1"),
    ("offset", "2147483648"), ("offset", "0.5"), ("offset", #""0""#), ("data", ""), ("data", "7"),
    ("data", #""""#), ("data", #""cGFn-_==""#), ("data", #""cGFnZQ""#), ("data", #""c""#),
    ("data", #""\#(String(repeating: "AAAA", count: 8000))AA==""#), ("reference", #""4711""#),
  ])
  mutating func `a part that is wrong is refused by the name of the parameter`(
    name: String, value: String
  ) throws {
    let answer = try reply(send("PutPage", Self.part([name: value])))
    #expect(answer.error == "org.varlink.service.InvalidParameter")
    #expect(answer["parameter"]?.text == name && service.isReady(1))
  }

  @Test func `a message holds the largest part with the longest other parameters`() throws {
    let pad = try FakePad()
    let program = try pad.program()
    let bytes = (0..<PagePart.sizeLimit).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let id = String(repeating: "i", count: 64)
    let parameters = Self.part([
      "document": #""\#(id)""#, "number": "50", "offset": "\(Int32.max)",
      // As some libraries write it.
      "data": #""\#(base64(bytes).replacing("/", with: #"\/"#))""#,
    ])
    #expect(call("org.paraph.Pad.PutPage", parameters).count < ControlLimits.message)
    program.call("PutPage", parameters)
    let part = PagePart(
      client: 1, document: id, number: 50, offset: Int(Int32.max), bytes: bytes)
    #expect(try pad.settle() == [.putPage(part)])
  }

  /// RFC 4648, 4, of a multiple of three bytes.
  private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    return String(
      stride(from: 0, to: bytes.count - 2, by: 3).flatMap { place in
        let group = bytes[place..<place + 3].reduce(0) { $0 << 8 | Int($1) }
        return [18, 12, 6, 0].map { digits[group >> $0 & 63] }
      })
  }

  @Test mutating func `a part whose client wants no reply is not kept`() {
    let call = #"{"method":"org.paraph.Pad.PutPage","oneway":true,"parameters":\#(Self.part())}"#
    #expect(service.message(Array(call.utf8), from: 1, at: 0).isEmpty && service.isReady(1))
  }

  @Test mutating func `users that may not call keep no pages`() throws {
    service.connected(2, isAllowed: false)
    let actions = send("PutPage", Self.part(), from: 2)
    #expect(try reply(actions, to: 2).error == "org.varlink.service.PermissionDenied")
    #expect(!actions.contains { if case .ask = $0 { true } else { false } })
  }

  // MARK: - Reading

  @Test mutating func `the page that is read is reported to the client with more and to watchers`()
    throws
  {
    service.connected(2, isAllowed: true)
    service.connected(3, isAllowed: true)
    _ = send("Sign", #"{"document":\#(Self.members())}"#, more: true)
    _ = send("Watch", more: true, from: 2)
    for page in [1, 2, 1] {
      let actions = service.event(.reading(1, page: page, deadline: 60 * second), at: 0)
      let replies = try actions.map { action -> ReceivedReply in
        guard case .send(_, let bytes) = action else { throw Unexpected() }
        return try ReceivedReply(bytes)
      }
      #expect(replies.count == 2)
      for reply in replies {
        #expect(reply.state == "reading" && reply["page"]?.integer == Int64(page))
        // Each touch begins the time limit anew.
        #expect(reply.continues && reply["seconds_left"] == nil)
      }
    }
    let once = try reply(send("Watch", from: 3, at: 15 * second), to: 3)
    #expect(once.state == "reading" && once["page"]?.integer == 1 && !once.continues)
    #expect(once["seconds_left"] == nil)
    #expect(try reply(send("GetInfo", from: 3).dropLast(), to: 3).state == "reading")
    let invited = service.event(.state(.invited, request: 1, deadline: nil), at: 0)
    for case .send(_, let bytes) in invited {
      let reply = try ReceivedReply(bytes)
      #expect(reply.state == "invited" && reply["page"] == nil)
    }
    #expect(invited.count == 2)
  }

  private struct Unexpected: Error {}

  @Test mutating func `without more, a client that waits is not told of pages`() {
    _ = send("Sign", #"{"document":\#(Self.members())}"#)
    #expect(service.event(.reading(1, page: 1, deadline: nil), at: 0).isEmpty)
    #expect(!service.isReady(1))
  }

  @Test mutating func `nobody presses a button while a document is read`() throws {
    service = .test(allowsPresses: true)
    service.connected(2, isAllowed: true)
    _ = send("Sign", #"{"document":\#(Self.members())}"#)
    _ = service.event(.reading(1, page: 1, deadline: nil), at: 0)
    let answer = try reply(send("Press", #"{"button":"done"}"#, from: 2), to: 2)
    #expect(answer.error == "org.paraph.Pad.NotEnabled")
  }

  @Test mutating func `a client resumes a request whose document is read without uploading it`()
    throws
  {
    var orphan = ControlServiceTests.orphan
    orphan.document = RequestDocument(
      client: -1, id: "contract-7", name: "Vertrag.pdf", digest: Self.digest, count: 3)
    service.restore(orphan, in: .reading, at: 0)
    _ = service.event(.reading(7, page: 2, deadline: nil), at: 0)
    let parameters = #"{"reference":"4711","document":\#(Self.members())}"#
    let taken = try reply(send("Sign", parameters, more: true))
    #expect(taken.state == "reading" && taken["page"]?.integer == 2 && taken.continues)
  }

  @Test(arguments: [(.signing, 30), (.reading, nil)] as [(PadState, Double?)])
  mutating func `a restored request has a time left unless its document is read`(
    _ state: PadState, _ left: Double?
  ) throws {
    var orphan = ControlServiceTests.orphan
    orphan.deadline = 30 * second
    service.restore(orphan, in: state, at: 0)
    let taken = try reply(send("Sign", #"{"reference":"4711"}"#, more: true))
    #expect(taken["seconds_left"]?.real == left)
  }

  @Test(arguments: ["", #","document":{}"#])
  mutating func `a request with another document does not resume it`(_ document: String) throws {
    var orphan = ControlServiceTests.orphan
    orphan.document = RequestDocument(
      client: -1, id: "contract-7", name: "Vertrag.pdf", digest: Self.digest, count: 3)
    service.restore(orphan, in: .reading, at: 0)
    let other = Self.members(["digest": #""\#(String(repeating: "b", count: 64))""#])
    let parameters = #"{"reference":"4711"\#(document.isEmpty ? "" : #","document":\#(other)"#)}"#
    #expect(try reply(send("Sign", parameters)).error == "org.paraph.Pad.Busy")
    // Nor does it receive the signature of the other one.
    var signature = SavedSignature.test()
    (signature.reference, signature.document) = ("4711", Self.shown)
    _ = service.event(.signed(orphan.number, signature), at: 0)
    guard case .ask(.open) = send("Sign", parameters).first else { throw Unexpected() }
  }

  // MARK: - The end

  @Test mutating func `a document that cannot be shown ends the request with its page`() throws {
    _ = send("Sign", #"{"document":\#(Self.members())}"#)
    let problem = DocumentProblem.missing(3)
    let answer = try reply(service.event(.refused(1, .badDocument(problem)), at: 0))
    #expect(answer.error == "org.paraph.Pad.BadDocument" && answer["page"]?.integer == 3)
    #expect(answer["reason"]?.text == "the page has not arrived" && !answer.continues)
    #expect(answer["lost"]?.flag == true)
    #expect(service.isReady(1) && service.open == nil)
    // The client may upload what is missing, and ask again.
    #expect(send("PutPage", Self.part()).count == 1)
  }

  @Test mutating func `the signature names the document and the pages that were shown`() throws {
    var signature = SavedSignature.test()
    signature.document = Self.shown
    _ = send("Sign", #"{"document":\#(Self.members())}"#)
    let answer = try reply(service.event(.signed(1, signature), at: 0))
    let again = try reply(send("GetSignature", #"{"id":"0190"}"#))
    for reply in [answer, again] {
      let document = try #require(reply["signature"]?["document"])
      #expect(document["name"]?.text == "Vertrag.pdf" && document["digest"]?.text == Self.digest)
      #expect(document["pages"]?.count == 2)
      #expect(document["pages"]?[0]?["digest"]?.text == Self.digest)
      #expect(document["pages"]?[0]?["seconds"]?.real == 1.5)
      #expect(document["pages"]?[1]?["seconds"]?.real == 0)
    }
  }

  @Test mutating func `the signature of a request without a document names none`() throws {
    _ = send("Sign")
    let answer = try reply(service.event(.signed(1, .test()), at: 0))
    #expect(answer["signature"]?["id"]?.text == "0190" && answer["signature"]?["document"] == nil)
  }

  @Test mutating func `a client that disconnects discards its document`() {
    _ = send("PutPage", Self.part())
    #expect(service.disconnected(1, at: 0) == [.ask(.discardDocument(1))])
    #expect(service.event(.pagePut(1, nil), at: 0).isEmpty)
    service.connected(2, isAllowed: true)
    _ = send("PutPage", Self.part(), from: 2)
    _ = service.event(.pagePut(2, nil), at: 0)
    _ = send("Sign", #"{"document":\#(Self.members())}"#, from: 2)
    #expect(
      service.disconnected(2, at: 0) == [.ask(.discardDocument(2)), .ask(.cancel(1))])
  }

  @Test mutating func `a watcher that has uploaded a page discards it too`() {
    _ = send("PutPage", Self.part())
    _ = service.event(.pagePut(1, nil), at: 0)
    _ = send("Watch", #"{"strokes":true}"#, more: true)
    #expect(
      service.disconnected(1, at: 0) == [.ask(.discardDocument(1)), .ask(.watchInk(false))])
  }

  @Test mutating func `a client that has uploaded nothing has nothing to discard`() throws {
    #expect(try reply(send("PutPage", Self.part(["data": #""""#]))).error != nil)
    #expect(service.disconnected(1, at: 0).isEmpty)
  }

  @Test func `a program that closes its connection discards its document`() throws {
    let pad = try FakePad()
    do {
      let program = try pad.program()
      program.call("PutPage", Self.part())
      try pad.settle()
    }
    #expect(try pad.settle() == [.discardDocument(1)])
  }
}
