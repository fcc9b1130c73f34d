import CLinux
import Configuration
import JSON
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// Against a real server that speaks TLS and misbehaves in every way that it is asked for.
@Suite(.serialized) final class HTTPSinkTests {
  let folder = TemporaryFolder()
  let server: TestServer
  let cancellation: Cancellation

  init() throws {
    HTTPClient.prepareLibrary()
    server = try #require(Self.shared)
    server.forgetRequests()
    cancellation = try Cancellation()
  }

  private static let shared: TestServer? = {
    atexit { HTTPSinkTests.shared?.stop() }
    return try? TestServer("web.py", ["--tls"])
  }()

  func item(_ description: Draft.Description = Fixtures.description) throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    try draft.write(.svg, Array("<svg/>".utf8))
    let id = try draft.publish(description).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  func secret(_ name: String, _ text: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Fixtures.write(path, Array(text.utf8))
    chmod(path, 0o600)
    return path
  }

  /// What becomes of an item that is sent to `path` with these lines of configuration.
  func outcome(
    _ path: String, _ lines: [String] = [], port: String? = nil, item: Item? = nil
  ) throws -> Outcome {
    let text = """
      [sink web]
      type = http
      url = https://localhost:\(port ?? server.port)\(path)
      ca-file = \(server.folder.path)/ca.pem
      time-limit = 20s
      """
    let lines = lines.filter { !$0.isEmpty }
    let replaced = text.split(separator: "\n").filter { line in
      !lines.contains { $0.prefix { $0 != "=" } == line.prefix { $0 != "=" } }
    }
    let configuration = try HandoffConfiguration(
      (replaced.map { String($0) } + lines).joined(separator: "\n"), file: "test")
    guard case .http(let http) = configuration.sinks[0].kind else {
      return .permanentFailure("no sink")
    }
    return HTTPSink(http, cancellation).deliver(try item ?? self.item())
  }

  /// Without the host before it.
  func reason(_ outcome: Outcome) -> String {
    let host = "localhost:\(server.port): "
    func rest(_ reason: String) -> String {
      reason.hasPrefix(host) ? String(reason.dropFirst(host.count)) : reason
    }
    return switch outcome {
    case .delivered: "delivered"
    case .temporaryFailure(let reason, _, _): rest(reason)
    case .permanentFailure(let reason): "never: " + rest(reason)
    }
  }

  @Test func `an item arrives as a form with every file, its key, and its signature`() throws {
    let item = try item()
    let outcome = try outcome(
      "/ok/{id}?n={sequence}",
      [
        "token-file = \(secret("token", "s3cret\n"))",
        "hmac-key-file = \(secret("key", "signing key\n"))",
        "header-X-Site = 17, {panel} {{left}}",
      ], item: item)
    #expect(outcome == .delivered)
    let request = try #require(try server.requests().last)
    #expect(request["method"]?.text == "POST")
    #expect(request["path"]?.text == "/ok/\(item.manifest.id.text)?n=1")
    let headers = request["headers"]
    #expect(headers?["idempotency-key"]?.text == item.manifest.id.text)
    #expect(headers?["authorization"]?.text == "Bearer s3cret")
    #expect(headers?["x-site"]?.text == "17, DSI-1 {left}")
    #expect(headers?["x-paraph-signature"]?.text == "sha256=" + (request["hmac"]?.text ?? ""))
    let parts = try #require(request["parts"]?.elements)
    #expect(parts.map { $0["name"]?.text } == item.files.map { $0.name })
    #expect(parts.map { $0["sha256"]?.text } == item.files.map { $0.sha256 })
    #expect(
      parts.map { $0["type"]?.text } == ["application/json", "image/png", "image/svg+xml"])
  }

  @Test func `a retry sends the same request`() throws {
    let item = try item()
    _ = try outcome("/status/500", item: item)
    #expect(try outcome("/ok", item: item) == .delivered)
    let requests = try server.requests()
    try #require(requests.count == 2)
    #expect(requests[0]["sha256"]?.text == requests[1]["sha256"]?.text)
    let keys = requests.map { $0["headers"]?["idempotency-key"]?.text }
    #expect(keys[0] == keys[1] && keys[0] != nil)
  }

  @Test func `PUT can send only the picture`() throws {
    let item = try item()
    #expect(try outcome("/ok", ["method = PUT", "body = png"], item: item) == .delivered)
    let request = try #require(try server.requests().last)
    #expect(request["method"]?.text == "PUT")
    #expect(request["sha256"]?.text == item.files[1].sha256)
    #expect(request["headers"]?["content-type"]?.text == "image/png")
    #expect(request["headers"]?["x-paraph-sequence"]?.text == "1")
  }

  @Test(arguments: [
    (200, "delivered"), (201, "delivered"), (204, "delivered"),
    (301, "HTTP 301: a redirect; set url to its target"), (400, "never: HTTP 400: answer"),
    (401, "HTTP 401: credentials rejected; set token-file or secret-header-NAME: answer"),
    (403, "HTTP 403: credentials rejected; set token-file or secret-header-NAME: answer"),
    (404, "HTTP 404: answer"), (408, "HTTP 408: answer"),
    (409, "HTTP 409: conflict; set duplicate-status = 409 if the server has it already: answer"),
    (413, "never: HTTP 413: answer"), (415, "never: HTTP 415: answer"),
    (422, "never: HTTP 422: answer"), (429, "HTTP 429: answer"), (500, "HTTP 500: answer"),
    (503, "HTTP 503: answer"),
  ])
  func `every status has its outcome`(status: Int, expected: String) throws {
    #expect(reason(try outcome("/status/\(status)")) == expected)
  }

  @Test func `the delay that a server requests is reported`() throws {
    let host = "localhost:\(server.port)"
    #expect(
      try outcome("/retry/429/120")
        == .temporaryFailure("\(host): HTTP 429: answer", retryAfter: 120_000_000_000))
    #expect(
      try outcome("/retry/503/7")
        == .temporaryFailure("\(host): HTTP 503: answer", retryAfter: 7_000_000_000))
  }

  @Test(arguments: ["9223372037", "10000000000", "Fri,%2031%20Dec%209999%2023:59:59%20GMT"])
  func `an excessive requested delay is limited`(pause: String) throws {
    guard case .temporaryFailure(_, let told?, _) = try outcome("/retry/503/\(pause)") else {
      Issue.record("no pause")
      return
    }
    #expect(told > 0 && told <= 604_800_000_000_000)
  }

  @Test func `an answer with trailers after its body is complete`() throws {
    #expect(try outcome("/trailers") == .delivered)
  }

  @Test(arguments: [
    ("/cut", "Empty reply from server"), ("/cut-late", "incomplete"), ("/garbage", ""),
    ("/short", "transfer closed with"),
  ])
  func `a broken answer is tried again`(path: String, expected: String) throws {
    guard case .temporaryFailure(let reason, _, _) = try outcome(path) else {
      Issue.record("not later")
      return
    }
    #expect(reason.contains(expected) || expected.isEmpty, "\(reason)")
  }

  @Test func `a server that stalls or never ends is left at the time limit`() throws {
    #expect(reason(try outcome("/stall", ["time-limit = 1s"])).contains("timed out"))
    #expect(reason(try outcome("/endless", ["time-limit = 1s"])).contains("timed out"))
  }

  @Test func `a server without a trusted certificate gets nothing`() throws {
    let other = try TestServer("web.py", ["--tls"])
    let stranger = "\(folder.path)/stranger.pem"
    // Any certificate but the authority's.
    try Fixtures.write(stranger, try Fixtures.read(server.folder.path + "/client.pem"))
    let reason = reason(try outcome("/ok", ["ca-file = \(stranger)"], port: other.port))
    #expect(reason.contains("certificate"), "\(reason)")
    #expect(try other.requests().isEmpty)
    let misnamed = try TestServer("web.py", ["--tls", "--wrong-name"])
    let wrongName = self.reason(try outcome("/ok", port: misnamed.port))
    #expect(
      wrongName == "localhost:\(misnamed.port): the server's certificate does not name this host")
    #expect(try misnamed.requests().isEmpty)
  }

  @Test func `a server that requests a certificate gets one`() throws {
    let strict = try TestServer("web.py", ["--tls", "--client-certificates"])
    let bare = try outcome("/ok", port: strict.port)
    #expect(bare != .delivered)
    let shown = try outcome(
      "/ok",
      [
        "client-certificate = \(server.folder.path)/client.pem",
        "client-key = \(server.folder.path)/client.key",
      ], port: strict.port)
    #expect(shown == .delivered)
    #expect(try strict.requests().count == 1)
  }

  @Test func `an allowed redirect is followed with the body and without the token`()
    throws
  {
    let other = try TestServer("web.py", ["--tls"])
    let item = try item()
    let path = "/redirect/301?to=https://127.0.0.1:\(other.port)/ok"
    #expect(try outcome(path, item: item) != .delivered)
    #expect(try other.requests().isEmpty)
    let followed = try outcome(
      path, ["follow-redirects = yes", "token-file = \(secret("token", "s3cret"))"], item: item)
    #expect(followed == .delivered)
    let request = try #require(try other.requests().last)
    #expect(request["method"]?.text == "POST")
    #expect(request["parts"]?.count == 3)
    #expect(request["headers"]?["authorization"] == nil)
    let plain = try TestServer("web.py")
    let down = try outcome(
      "/redirect/301?to=http://127.0.0.1:\(plain.port)/ok", ["follow-redirects = yes"], item: item)
    #expect(down != .delivered)
    #expect(try plain.requests().isEmpty)
  }

  @Test func `a redirect is followed only where it says that the request has moved`() throws {
    let item = try item()
    let lines = ["follow-redirects = yes", "token-file = \(try secret("token", "s3cret"))"]
    let target = "https://localhost:\(server.port)/ok"
    for status in [301, 307, 308] {
      #expect(try outcome("/redirect/\(status)?to=\(target)", lines, item: item) == .delivered)
    }
    server.forgetRequests()
    #expect(try outcome("/redirect/300?to=\(target)", lines, item: item) != .delivered)
    for status in [302, 303] {
      let login = "/redirect/\(status)?to=\(target)"
      let expected =
        "HTTP \(status): a redirect, perhaps to a login page; check token-file, "
        + "or set url to its target"
      #expect(reason(try outcome(login, lines, item: item)) == expected)
      let moved = "/redirect/301?to=https://localhost:\(server.port)/redirect/\(status)%3Fto="
      #expect(reason(try outcome(moved + target, lines, item: item)) == expected)
    }
    #expect(try !server.requests().contains { $0["path"]?.text == "/ok" })
  }

  @Test func `the item arrives through a proxy, which sees only the server's name`() throws {
    let proxy = try TestServer("web.py")
    // The environment's no_proxy names it (.ci/unit).
    let host = "localhost:\(server.port)"
    func outcome(by port: String) throws -> Outcome {
      try self.outcome(
        "/ok", ["url = https://\(host)/ok", "proxy = http://127.0.0.1:\(port)"])
    }
    #expect(try outcome(by: proxy.port) == .delivered)
    #expect(try server.requests().count == 1)
    let asked = try proxy.requests()
    #expect(asked.map { $0["method"]?.text } == ["CONNECT"])
    #expect(asked.map { $0["path"]?.text } == [host])
    let away = reason(try outcome(by: "1"))
    #expect(away.contains("onnect"), "\(away)")
  }

  @Test
  func `a server that refuses before it has read everything, or answers at length, has answered`()
    throws
  {
    var publisher = Publisher(at: folder.path + "/large")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png(padding: 8 << 20))
    let id = try draft.publish(Fixtures.description).id
    let large = try Item(id, in: Spool(at: publisher.path).new)
    #expect(reason(try outcome("/early/413", item: large)) == "never: HTTP 413: answer")
    #expect(try outcome("/long") == .delivered)
  }

  @Test func `a world-readable or missing secret is not used`() throws {
    let path = try secret("token", "s3cret")
    chmod(path, 0o644)
    #expect(
      reason(try outcome("/ok", ["token-file = \(path)"]))
        == "\(path) is readable by all users: run chmod o-r")
    #expect(
      reason(try outcome("/ok", ["token-file = \(path)x"])) == "\(path)x: No such file or directory"
    )
    #expect(
      reason(try outcome("/ok", ["token-file = credential:token"])).contains("LoadCredential"))
    for (name, text) in [("two", "a\nb"), ("three", "a\u{7f}"), ("four", "a\u{1f}b")] {
      #expect(
        reason(try outcome("/ok", ["token-file = \(secret(name, text))"]))
          .hasSuffix("is not a single line of ASCII"))
    }
    #expect(try server.requests().isEmpty)
  }

  @Test func `a configured status means that the server has the signature`() throws {
    #expect(try outcome("/status/409", ["duplicate-status = 409 410"]) == .delivered)
    #expect(try outcome("/status/410", ["duplicate-status = 409 410"]) == .delivered)
    #expect(try outcome("/status/404", ["duplicate-status = 409 410"]) != .delivered)
  }

  @Test func `a header can be secret, and the next delivery reads it again`() throws {
    let key = try secret("key", "first\n")
    let lines = ["secret-header-X-API-Key = \(key)"]
    #expect(try outcome("/ok", lines) == .delivered)
    _ = try secret("key", "second\n")
    #expect(try outcome("/ok", lines) == .delivered)
    #expect(
      try server.requests().map { $0["headers"]?["x-api-key"]?.text } == ["first", "second"])
    #expect(
      reason(try outcome("/status/401", lines))
        == "HTTP 401: credentials rejected; check secret-header-X-API-Key: answer")
    chmod(key, 0o644)
    #expect(reason(try outcome("/ok", lines)).contains("readable by all users"))
  }

  @Test func `an answer that contains a secret is not logged`() throws {
    let key = try secret("key", "answer")
    #expect(
      reason(try outcome("/status/500", ["secret-header-X-API-Key = \(key)"])) == "HTTP 500")
    #expect(
      reason(try outcome("/status/401", ["token-file = \(key)"]))
        == "HTTP 401: credentials rejected; check token-file")
  }

  @Test func `an answer that contains the signature's reference is not logged`() throws {
    var description = Fixtures.description
    description.reference = "Answer"
    let item = try item(description)
    #expect(reason(try outcome("/status/422", item: item)) == "never: HTTP 422")
    #expect(reason(try outcome("/status/500", item: item)) == "HTTP 500")
  }

  @Test func `a TLS failure is described in words`() throws {
    let plain = try TestServer("web.py")
    let host = "localhost:\(plain.port)"
    #expect(
      reason(try outcome("/ok", port: plain.port))
        == "\(host): the server does not speak TLS on this port")
    #expect(reason(try outcome("/ok", ["ca-file = /nowhere"])) == "ca-file cannot be read")
    let stranger = server.folder.path + "/client.pem"
    #expect(
      reason(try outcome("/ok", ["ca-file = \(stranger)"]))
        == "the server's certificate is not trusted (unable to get local issuer certificate); "
        + "check ca-file and the clock")
  }

  @Test func `the end of the program ends a transfer`() throws {
    let cancellation = cancellation
    let thread = try Thread(name: "canceller") { [server] in
      _ = eventually { (try? server.requests().isEmpty) == false }
      cancellation.cancel()
    }
    let start = MonotonicClock.now
    #expect(reason(try outcome("/stall", ["time-limit = 1h"])).contains("Callback aborted"))
    #expect(MonotonicClock.now - start < 30_000_000_000)
    thread.join()
  }
}
