import Configuration
import JSON
import Testing

@testable import Web

/// A service with the answers of a test.
struct ServiceUnderTest {
  var service: WebService
  var now: Int64 = 0

  init(_ configuration: String = "") throws {
    service = WebService(
      try WebConfiguration("[web]\n\(configuration)", file: "w.conf"), ports: [8420],
      version: "1.2.3", firstEvent: 1)
  }

  static func policy(_ configuration: String) throws -> AccessPolicy {
    AccessPolicy(
      try WebConfiguration("[web]\n\(configuration)", file: "w.conf"), ports: [8420])
  }

  /// Sends a request; actions as words.
  mutating func send(
    _ method: String, _ path: String, _ body: String? = nil, from client: Int = 1,
    headers: [(String, String)] = [], type: String? = "application/json", query: String? = nil
  ) -> [String] {
    var fields = [WebRequest.Field(name: "host", value: "localhost:8420")]
    if body != nil || method == "POST", let type {
      fields.append(.init(name: "content-type", value: type))
    }
    fields += headers.map { WebRequest.Field(name: $0.0, value: $0.1) }
    let arguments = query.map { [WebRequest.Field(name: "ink", value: $0)] } ?? []
    let request = WebRequest(
      method, path, query: arguments, headers: fields, body: Array((body ?? "").utf8),
      channel: .loopback)
    return words(service.request(request, from: client, at: now))
  }

  /// Plays a reply of the pad.
  mutating func reply(_ call: Int, _ parameters: String, continues: Bool = false) throws -> [String]
  {
    words(service.replied(call, try json(parameters), continues: continues, at: now))
  }

  mutating func refuse(_ call: Int, _ error: String, _ parameters: String = "{}") throws
    -> [String]
  { words(service.refused(call, error, try json(parameters), at: now)) }

  /// The pad has accepted the connection of a call.
  mutating func connect(_ call: Int) { service.connected(call, at: now) }

  /// The status of the response to a request whose body is not received; nil: it is.
  func refusal(of request: WebRequest, length: Int) -> Int? {
    guard case .refused(let response) = service.reception(of: request, length: length) else {
      return nil
    }
    return response.status
  }

  func json(_ text: String) throws -> JSONValue {
    try JSONValue.parse(Array(text.utf8), limits: .init(size: 1 << 20))
  }

  func words(_ actions: [WebAction]) -> [String] {
    actions.map { action in
      switch action {
      case .respond(let client, let response):
        "respond \(client) \(response.status) \(String(decoding: response.body, as: UTF8.self))"
      case .metrics(let client, let format, let origin):
        "metrics \(client) \(format) \(origin ?? "-")"
      case .page(let client, let name, let origin): "page \(client) \(name) \(origin ?? "-")"
      case .stream(let client, _): "stream \(client)"
      case .wake(let client): "wake \(client)"
      case .proceed(let client): "proceed \(client)"
      case .call(let number, let method, let parameters, let more):
        "call \(number) \(method) "
          + String(decoding: JSONValue.object(parameters).bytes(), as: UTF8.self)
          + (more ? " more" : "")
      case .hangUp(let number): "hang up \(number)"
      case .log(let line): "log \(line)"
      }
    }
  }
}

@Suite struct WebServiceTests {
  @Test func `a request for a signature passes all parameters on`() throws {
    var test = try ServiceUnderTest()
    let body = #"{"reference":"4711","prompt":"Parcel","time_limit":60,"formats":["png","svg"]}"#
    #expect(test.send("POST", "/v1/sign", body) == ["call 1 Sign \(body)"])
    let result = #"{"state":"saved","signature":{"id":"x","png":"QUJD"}}"#
    #expect(try test.reply(1, result) == ["hang up 1", "respond 1 200 \(result)"])
  }

  @Test(arguments: [
    ("GetInfo", "GET", "/v1/info", nil, "{}"),
    ("Show", "POST", "/v1/show", #"{"text":"hello"}"#, #"{"text":"hello"}"#),
    ("Show", "POST", "/v1/show", "{}", "{}"),
    (
      "Ask", "POST", "/v1/ask", #"{"text":"x","choices":["a","b"]}"#,
      #"{"text":"x","choices":["a","b"]}"#
    ),
    ("Cancel", "POST", "/v1/cancel", #"{"reference":"a"}"#, #"{"reference":"a"}"#),
    ("GetSignature", "GET", "/v1/signatures/a-1", nil, #"{"id":"a-1","formats":[]}"#),
    ("GetSignature", "GET", "/v1/signatures/a-1.svg", nil, #"{"id":"a-1","formats":["svg"]}"#),
    ("Press", "POST", "/v1/done", "", #"{"button":"done"}"#),
    ("Press", "POST", "/v1/clear", "{}", #"{"button":"clear"}"#),
  ])
  func `resources call their methods`(
    name: String, method: String, path: String, body: String?, parameters: String
  ) throws {
    var test = try ServiceUnderTest("press = yes")
    #expect(test.send(method, path, body) == ["call 1 \(name) \(parameters)"])
  }

  @Test func `replies become responses`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("GET", "/v1/info")
    #expect(
      try test.reply(1, #"{"state":"idle"}"#) == [
        "hang up 1",
        #"respond 1 200 {"state":"idle","web":{"version":"1.2.3","mirror":false,"press":false}}"#,
      ])
    _ = test.send("POST", "/v1/cancel", "{}")
    #expect(try test.reply(2, "{}") == ["hang up 2", "respond 1 204 "])
    _ = test.send("POST", "/v1/ask", #"{"text":"x","choices":["a","b"]}"#)
    let answer = #"{"outcome":"answered","choice":1}"#
    #expect(try test.reply(3, answer) == ["hang up 3", "respond 1 200 \(answer)"])
    _ = test.send("GET", "/v1/signatures/a.png")
    #expect(
      try test.reply(4, #"{"signature":{"id":"a","png":"QUJD"}}"#) == [
        "hang up 4", "respond 1 200 ABC",
      ])
  }

  @Test(arguments: [
    ("org.paraph.Pad.Busy", "{}", 409), ("org.paraph.Pad.OutOfService", #"{"reason":"full"}"#, 503),
    ("org.paraph.Pad.NoRequest", "{}", 404),
    ("org.paraph.Pad.NoSuchSignature", #"{"id":"x"}"#, 404),
    ("org.varlink.service.InvalidParameter", #"{"parameter":"prompt","limit":20}"#, 400),
    ("org.varlink.service.PermissionDenied", "{}", 403),
    ("org.varlink.service.MethodNotFound", #"{"method":"x"}"#, 502),
  ])
  func `an error of the pad is a problem with its name and members`(
    error: String, parameters: String, status: Int
  ) throws {
    var test = try ServiceUnderTest()
    _ = test.send("GET", "/v1/info")
    let name = error.split(separator: ".").last.map { String($0) } ?? ""
    let answer = try test.refuse(1, error, parameters)
    #expect(answer.first == "hang up 1")
    let text = try #require(answer.last)
    #expect(text.hasPrefix("respond 1 \(status) {\"type\":\"urn:paraph:error:\(name)\","))
    let members = parameters.dropFirst().dropLast()
    #expect(text.hasSuffix("\(members)}"))
  }

  @Test func `a foreign page reaches nothing`() throws {
    var test = try ServiceUnderTest("mirror = yes\npress = yes")
    let evil = [("origin", "https://evil.example")]
    for (method, path) in [
      ("POST", "/v1/sign"), ("POST", "/v1/cancel"), ("POST", "/v1/show"),
      ("POST", "/v1/ask"), ("POST", "/v1/done"),
      ("GET", "/v1/info"), ("GET", "/v1/live"), ("GET", "/v1/signatures/a.png"),
      ("OPTIONS", "/v1/sign"), ("GET", "/"),
    ] {
      let actions = test.send(method, path, "{}", headers: evil)
      #expect(actions.count == 1 && actions[0].hasPrefix("respond 1 403"), "\(method) \(path)")
    }
    #expect(test.service.isIdle)
  }

  @Test func `a simple request without preflight changes nothing`() throws {
    var test = try ServiceUnderTest("press = yes")
    let types: [String?] = [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", nil,
    ]
    for type in types {
      for path in ["/v1/sign", "/v1/cancel", "/v1/show"] {
        let actions = test.send("POST", path, "{}", type: type)
        #expect(actions.count == 1 && actions[0].hasPrefix("respond 1 415"))
      }
      for (path, body) in [("/v1/done", ""), ("/v1/clear", ""), ("/v1/clear", "{}")] {
        let actions = test.send("POST", path, body, type: type)
        #expect(actions.count == 1 && actions[0].hasPrefix("respond 1 415"), "\(path)")
      }
    }
    #expect(test.service.isIdle)
  }

  @Test func `a beacon of a page that closes cancels its request`() throws {
    var test = try ServiceUnderTest()
    let own = [("origin", "http://localhost:8420")]
    let body = #"{"reference":"a"}"#
    #expect(
      test.send(
        "POST", "/v1/cancel", body, headers: own, type: "text/plain;charset=UTF-8")
        == ["call 1 Cancel \(body)"])
    let other = test.send("POST", "/v1/sign", body, headers: own, type: "text/plain")
    #expect(other[0].hasPrefix("respond 1 415"))
  }

  @Test(arguments: ["", "[", "[]", "1", #""text""#, "{\"a\":1,\"a\":2}", "{", "\u{0}"])
  func `a body that is no object is refused`(body: String) throws {
    var test = try ServiceUnderTest()
    let actions = test.send("POST", "/v1/sign", body)
    #expect(actions.count == 1 && actions[0].hasPrefix("respond 1 400"))
  }

  @Test func `a body beyond the limit is refused before it is received`() throws {
    let test = try ServiceUnderTest()
    let request = WebRequest(
      "POST", "/v1/sign", headers: [.init(name: "host", value: "localhost:8420")],
      channel: .loopback)
    #expect(test.service.reception(of: request, length: WebLimits.body) == .whole)
    #expect(test.refusal(of: request, length: WebLimits.body + 1) == 413)
    var page = request
    (page.method, page.path) = ("PUT", "/v1/documents/a/1")
    #expect(test.service.reception(of: page, length: WebLimits.page) == .parts)
    #expect(test.refusal(of: page, length: WebLimits.page + 1) == 413)
    var evil = request
    evil.headers.append(.init(name: "origin", value: "https://evil.example"))
    #expect(test.refusal(of: evil, length: 1) == 403)
    (evil.method, evil.path) = (page.method, page.path)
    #expect(test.refusal(of: evil, length: 1) == 403)
  }

  @Test(arguments: [
    [("content-length", "5"), ("transfer-encoding", "chunked")],
    [("content-length", "5"), ("content-length", "5")],
    [("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")],
    [("transfer-encoding", "gzip")], [("transfer-encoding", "gzip, chunked")],
    [("transfer-encoding", "chunked,")], [("transfer-encoding ", "chunked")],
    [(" host", "evil.example")], [("x\ty", "z")], [("x(y", "z")], [("é", "z")], [("", "z")],
  ])
  func `a request whose end is ambiguous is refused`(headers: [(String, String)]) throws {
    let test = try ServiceUnderTest()
    let fields = [("host", "localhost:8420")] + headers
    let request = WebRequest(
      "POST", "/v1/sign", headers: fields.map { .init(name: $0.0, value: $0.1) },
      channel: .loopback)
    #expect(test.refusal(of: request, length: 5) == 400)
  }

  @Test(arguments: [
    ("content-length", "5"), ("transfer-encoding", "chunked"), ("transfer-encoding", "Chunked"),
    ("x-a!#$%&'*+.^_`|~0", "any (text)"),
  ])
  func `a request whose end is clear is received`(name: String, value: String) throws {
    let test = try ServiceUnderTest()
    let fields = [("host", "localhost:8420"), (name, value)]
    let request = WebRequest(
      "POST", "/v1/sign", headers: fields.map { .init(name: $0.0, value: $0.1) },
      channel: .loopback)
    #expect(test.service.reception(of: request, length: 5) == .whole)
  }

  @Test func `a preflight of an allowed page is answered for that page only`() throws {
    var test = try ServiceUnderTest("origins = https://shop.example")
    let headers = [
      ("origin", "https://shop.example"), ("access-control-request-method", "POST"),
    ]
    let fields =
      ([("host", "localhost:8420")] + headers).map { WebRequest.Field(name: $0.0, value: $0.1) }
    let request = WebRequest("OPTIONS", "/v1/sign", headers: fields, channel: .loopback)
    guard case .respond(_, let response) = test.service.request(request, from: 1, at: 0).first
    else {
      Issue.record("no response")
      return
    }
    #expect(response.status == 204)
    #expect(response.header("Access-Control-Allow-Origin") == "https://shop.example")
    #expect(response.header("Access-Control-Allow-Methods") == "GET, POST, PUT")
    #expect(response.header("Vary") == "Origin")
  }

  @Test func `an allowed page loads the module and the ink`() throws {
    var test = try ServiceUnderTest("origins = https://shop.example")
    let shop = "https://shop.example"
    #expect(
      test.send("GET", "/paraph.js", headers: [("origin", shop)]) == ["page 1 paraph.js \(shop)"])
    #expect(test.send("GET", "/paraph.js") == ["page 1 paraph.js -"])
    for bytes in [[], nil] as [[UInt8]?] {
      let shared = WebPage.response("paraph.js", bytes, for: shop)
      #expect(shared.header("Access-Control-Allow-Origin") == shop)
      #expect(shared.header("Cross-Origin-Resource-Policy") == nil)
      let own = WebPage.response("paraph.js", bytes, for: nil)
      #expect(own.header("Access-Control-Allow-Origin") == nil)
      #expect(own.header("Cross-Origin-Resource-Policy") == "same-origin")
      #expect(shared.header("Vary") == "Origin" && own.header("Vary") == "Origin")
    }
  }

  @Test func `a signature is kept until its client has received it`() throws {
    var test = try ServiceUnderTest()
    let body = #"{"reference":"a"}"#
    _ = test.send("POST", "/v1/sign", body)
    #expect(!test.service.isKept(for: 1))
    _ = try test.reply(1, #"{"state":"saved"}"#)
    #expect(test.service.isKept(for: 1))
    #expect(test.words(test.service.delivered(to: 1, at: 0)).isEmpty)
    #expect(test.send("POST", "/v1/sign", body, from: 2) == ["call 2 Sign \(body)"])
    _ = try test.reply(2, #"{"state":"timed_out"}"#)
    #expect(!test.service.isKept(for: 2) && test.service.isIdle)
  }

  @Test func `a reply that is none ends its request`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("POST", "/v1/sign", #"{"reference":"a"}"#)
    let actions = test.words(test.service.misread(1, "no JSON", at: 0))
    #expect(actions.count == 1 && actions[0].hasPrefix("respond 1 502"))
    #expect(test.service.isIdle)
  }

  @Test func `a program that systemd starts again ends after a minute unused`() {
    var idle = IdleLimit()
    let minute = WebLimits.idle
    var ends: [Bool] = []
    for (isUnused, now) in [
      (true, 5), (false, 6), (true, 7), (true, 6 + minute), (true, 7 + minute),
    ] {
      ends.append(idle.isOver(isUnused: isUnused, at: now))
      #expect(idle.deadline == (now == 5 ? 5 + minute : isUnused ? 7 + minute : nil))
    }
    #expect(ends == [false, false, false, false, true])
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `a client learns what both the configuration and the pad allow`(
    watch: Bool, press: Bool
  ) throws {
    var test = try ServiceUnderTest("mirror = yes\npress = yes")
    _ = test.send("GET", "/v1/info")
    let said = #"{"watch_strokes":\#(watch),"press_buttons":\#(press)}"#
    #expect(
      try test.reply(1, said)[1]
        == #"respond 1 200 {"web":{"version":"1.2.3","mirror":\#(watch),"press":\#(press)}}"#)
  }

  @Test func `mirror and press must be configured`() throws {
    var plain = try ServiceUnderTest()
    #expect(plain.send("POST", "/v1/done")[0].hasPrefix("respond 1 403"))
    #expect(
      plain.send("GET", "/v1/live", from: 2)
        == ["stream 2", #"call 1 Watch {"strokes":false} more"#])
  }

  @Test func `a client that disconnects ends its call`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("POST", "/v1/show", #"{"text":"hello"}"#)
    #expect(test.words(test.service.disconnected(1, at: 0)) == ["hang up 1"])
    #expect(try test.reply(1, "{}") == ["hang up 1"])
    #expect(test.service.isIdle)
  }

  @Test(arguments: [
    ("GET", "/v1/info"), ("POST", "/v1/cancel"), ("POST", "/v1/done"),
    ("GET", "/v1/signatures/a.png"),
  ])
  func `a call that the pad does not answer ends after 30 s`(method: String, path: String) throws {
    var test = try ServiceUnderTest("press = yes")
    let body = method == "POST" ? "{}" : nil
    #expect(test.send(method, path, body)[0].hasPrefix("call 1 "))
    #expect(test.service.deadline == WebLimits.answer)
    #expect(test.words(test.service.time(WebLimits.answer - 1)).isEmpty)
    let actions = test.words(test.service.time(WebLimits.answer))
    try #require(actions.count == 2)
    #expect(actions[0] == "hang up 1")
    #expect(actions[1].hasPrefix(#"respond 1 503 {"type":"urn:paraph:error:Unreachable""#))
    #expect(test.service.isIdle && test.service.deadline == nil)
    // The pad's late answer changes nothing.
    #expect(try test.reply(1, "{}") == ["hang up 1"])
  }

  @Test(arguments: [
    ("/v1/show", "{}"), ("/v1/ask", #"{"text":"x","choices":["a","b"]}"#), ("/v1/sign", "{}"),
  ])
  func `a call that waits for a person has no limit`(path: String, body: String) throws {
    var test = try ServiceUnderTest()
    #expect(test.send("POST", path, body)[0].hasPrefix("call 1 "))
    #expect(test.service.deadline == nil)
    #expect(test.words(test.service.time(100 * WebLimits.answer)).isEmpty)
    #expect(!test.service.isIdle)
  }

  @Test func `the calls at a time are bounded`() throws {
    var test = try ServiceUnderTest()
    for client in 0..<WebLimits.calls { _ = test.send("GET", "/v1/info", from: client) }
    #expect(test.send("GET", "/v1/info", from: 99)[0].hasPrefix("respond 99 503"))
    _ = try test.reply(1, "{}")
    #expect(test.send("GET", "/v1/info", from: 99)[0].hasPrefix("call "))
  }

  @Test func `a request that waits for the pad's return is cancelled here and there`() throws {
    for isBack in [true, false] {
      var test = try ServiceUnderTest()
      _ = test.send("POST", "/v1/sign", #"{"reference":"a"}"#)
      _ = test.service.failed(1, "gone", wasConnected: true, at: 0)
      let body = #"{"reference":"a"}"#
      #expect(
        test.send("POST", "/v1/cancel", body, from: 2) == [
          "hang up 1", #"respond 1 200 {"state":"cancelled","cancelled_by":"program"}"#,
          "call 2 Cancel \(body)",
        ])
      let answer =
        isBack
        ? try test.refuse(2, "org.paraph.Pad.NoRequest")
        : test.words(test.service.failed(2, "refused", wasConnected: false, at: 0))
      #expect(answer.last == "respond 2 204 ")
      #expect(test.service.isIdle)
    }
  }

  @Test func `only the pad cancels a request without ink`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("POST", "/v1/sign", #"{"reference":"a"}"#)
    _ = test.service.failed(1, "gone", wasConnected: true, at: 0)
    let body = #"{"reference":"a","without_ink":true}"#
    #expect(test.send("POST", "/v1/cancel", body, from: 2) == ["call 2 Cancel \(body)"])
    #expect(
      try test.refuse(2, "org.paraph.Pad.NoRequest").last?.hasPrefix("respond 2 404") == true)
    #expect(test.send("POST", "/v1/cancel", body, from: 2) == ["call 3 Cancel \(body)"])
    // It is not asked for again.
    #expect(
      try test.reply(3, "{}") == [
        "hang up 3", "respond 2 204 ", "hang up 1",
        #"respond 1 200 {"state":"cancelled","cancelled_by":"program"}"#,
      ])
    #expect(test.service.isIdle)
  }

  @Test func `a request that was cancelled is not the answer to the next one`() throws {
    var test = try ServiceUnderTest()
    let body = #"{"reference":"4711"}"#
    _ = test.send("POST", "/v1/sign", body)
    // The page aborts its request, and cancels it.
    #expect(test.words(test.service.disconnected(1, at: 0)).isEmpty)
    _ = test.send("POST", "/v1/cancel", body, from: 2)
    let cancelled = #"{"state":"cancelled","cancelled_by":"program"}"#
    #expect(try test.reply(1, cancelled) == ["hang up 1"])
    _ = try test.reply(2, "{}")
    #expect(test.service.isIdle)
    #expect(test.send("POST", "/v1/sign", body, from: 3) == ["call 3 Sign \(body)"])
  }

  @Test func `a pad that ends at each attempt ends the request after a minute`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("POST", "/v1/sign", #"{"reference":"a"}"#)
    var last: [String] = []
    while test.now < 120_000_000_000, last.isEmpty {
      test.connect(1)
      last = test.words(test.service.failed(1, "gone", wasConnected: true, at: test.now))
      guard let due = test.service.deadline else { break }
      test.now = due
      last += test.words(test.service.time(test.now)).filter { !$0.hasPrefix("call") }
    }
    #expect(last.count == 1 && last[0].hasPrefix("respond 1 503"))
    #expect(test.now <= WebLimits.retention && test.service.isIdle)
  }

  @Test func `a cancellation that finds no room changes nothing`() throws {
    var test = try ServiceUnderTest()
    let body = #"{"reference":"a"}"#
    _ = test.send("POST", "/v1/sign", body)
    _ = test.service.failed(1, "gone", wasConnected: true, at: 0)
    for client in 0..<WebLimits.calls { _ = test.send("GET", "/v1/info", from: 100 + client) }
    #expect(test.send("POST", "/v1/cancel", body, from: 2)[0].hasPrefix("respond 2 503"))
    _ = try test.reply(2, "{}")
    #expect(test.send("POST", "/v1/cancel", body, from: 3)[0] == "hang up 1")
  }

  @Test(arguments: [
    ("ask", "GET", "/v1/live", "stream 1"), ("mirror", "GET", "/v1/live", "stream 1"),
    ("press", "GET", "/v1/live", "respond 1 403"), ("ask", "GET", "/v1/info", "call 1 GetInfo"),
    ("mirror", "GET", "/v1/info", "call 1 GetInfo"),
    ("mirror", "POST", "/v1/sign", "respond 1 403"),
    ("mirror", "POST", "/v1/done", "respond 1 403"), ("press", "POST", "/v1/done", "call 1 Press"),
  ])
  func `each permission suffices for what it names`(
    permission: String, method: String, path: String, expected: String
  ) throws {
    var test = try ServiceUnderTest(
      "mirror = yes\npress = yes\nlocal-tokens = yes\n[token shop]\n"
        + "hash = \(AccessPolicyTests.secret)\npermissions = \(permission)")
    let actions = test.send(
      method, path, method == "POST" ? "{}" : nil, headers: [("authorization", "Bearer secret")])
    #expect(actions.first?.hasPrefix(expected) == true, "\(actions)")
    if path == "/v1/live", permission != "press" {
      let seesInk = permission == "mirror"
      #expect(actions.last == #"call 1 Watch {"strokes":\#(seesInk)} more"#)
    }
  }

  @Test func `the pad is told whose token it is, and a client cannot say that itself`() throws {
    var test = try ServiceUnderTest("[token shop]\nhash = \(AccessPolicyTests.secret)\n")
    let headers = [("authorization", "Bearer secret")]
    #expect(
      test.send("POST", "/v1/sign", "{}", headers: headers) == [#"call 1 Sign {"token":"shop"}"#])
    #expect(test.send("POST", "/v1/sign", "{}", from: 2) == ["call 2 Sign {}"])
    for body in [#"{"token":"other"}"#, #"{"token":null}"#, #"{"\u0074oken":"other"}"#] {
      for headers in [headers, []] {
        let actions = test.send("POST", "/v1/sign", body, from: 3, headers: headers)
        #expect(actions.count == 1 && actions[0].hasPrefix("respond 3 400 "), "\(actions)")
      }
    }
  }

  @Test func `a signature is handed over to the client and for the document of its request only`()
    throws
  {
    var test = try ServiceUnderTest(
      "origins = https://shop.example\n[token shop]\nhash = \(AccessPolicyTests.secret)\n")
    func body(_ digest: String) -> String {
      #"{"reference":"a","document":{"id":"d","name":"A","digest":"\#(digest)","pages":1}}"#
    }
    _ = test.send("POST", "/v1/sign", body("v1"))
    _ = test.service.disconnected(1, at: 0)
    let others: [(String, [(String, String)])] = [
      ("v2", []), ("v1", [("authorization", "Bearer secret")]),
      ("v1", [("origin", "https://shop.example")]),
    ]
    for (digest, headers) in others {
      let actions = test.send("POST", "/v1/sign", body(digest), from: 2, headers: headers)
      #expect(actions.count == 1 && actions[0].contains("urn:paraph:error:Busy"), "\(actions)")
    }
    _ = try test.reply(1, #"{"state":"saved"}"#)
    for (digest, headers) in others {
      let actions = test.send("POST", "/v1/sign", body(digest), from: 2, headers: headers)
      #expect(actions.count == 1 && actions[0].hasPrefix("call "), "\(actions)")
      let number = try #require(Int(actions[0].split(separator: " ")[1]))
      _ = try test.refuse(number, "org.paraph.Pad.Busy")
    }
    let same = test.send("POST", "/v1/sign", body("v1"), from: 3)
    #expect(same == [#"respond 3 200 {"state":"saved"}"#])
  }

  @Test func `a pad that does not run is unreachable`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("GET", "/v1/info")
    let actions = test.words(
      test.service.failed(1, "No such file or directory", wasConnected: false, at: 0))
    #expect(actions.count == 1 && actions[0].contains("urn:paraph:error:Unreachable"))
  }
}
