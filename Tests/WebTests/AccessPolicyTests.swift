import Configuration
import Testing

@testable import Web

@Suite struct AccessPolicyTests {
  /// The SHA-256 of "secret", as sha256sum(1) prints it.
  static let secret = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
  static let token = "[token counter]\nhash = \(secret)\npermissions = ask mirror\n"

  func policy(_ web: String = "", _ more: String = "") throws -> AccessPolicy {
    AccessPolicy(
      try WebConfiguration("[web]\nmirror = yes\n\(web)\n\(more)", file: "w.conf"), ports: [8420])
  }

  func request(
    _ headers: [(String, String)], _ channel: WebRequest.Channel = .loopback,
    path: String = "/v1/info"
  ) -> WebRequest {
    WebRequest(
      "GET", path, headers: headers.map { WebRequest.Field(name: $0.0, value: $0.1) },
      channel: channel)
  }

  func status(
    _ policy: AccessPolicy, _ headers: [(String, String)],
    _ channel: WebRequest.Channel = .loopback, path: String = "/v1/info"
  ) -> Int {
    do throws(Problem) {
      _ = try policy.checkOrigin(request(headers, channel, path: path))
      return 200
    } catch { return error.status }
  }

  @Test(arguments: [
    ("localhost:8420", 200), ("127.0.0.1:8420", 200), ("[::1]:8420", 200),
    ("LOCALHOST:8420", 200), ("localhost", 403), ("127.0.0.1", 403), ("127.0.0.1:8421", 403),
    ("evil.example:8420", 403), ("localhost.evil.example:8420", 403), ("127.0.0.2:8420", 403),
    ("localhost:8420.", 403), ("xlocalhost:8420", 403), ("", 403),
  ])
  func `the host is compared exactly`(host: String, expected: Int) throws {
    #expect(status(try policy(), [("host", host)]) == expected)
  }

  @Test(arguments: [
    ("http://localhost:8420", 200), ("https://shop.example", 200),
    ("https://localhost:8420", 403), ("http://127.0.0.1:8420", 403), ("http://localhost", 403),
    ("null", 403), ("https://shop.example.evil", 403), ("https://evil.example", 403),
    ("http://shop.example", 403), ("https://shop.example:443", 403),
    ("https://SHOP.example", 403), ("https://shop.example/", 403), ("", 403),
  ])
  func `the origin is compared exactly`(origin: String, expected: Int) throws {
    let policy = try policy("origins = https://shop.example")
    #expect(status(policy, [("host", "localhost:8420"), ("origin", origin)]) == expected)
  }

  @Test(arguments: [
    ("none", "navigate", "/", 200), ("same-origin", "cors", "/v1/info", 200),
    ("cross-site", "no-cors", "/v1/info", 403), ("same-site", "no-cors", "/v1/info", 403),
    ("cross-site", "navigate", "/", 200), ("cross-site", "navigate", "/v1/info", 403),
    ("cross-site", "no-cors", "/paraph.js", 403),
  ])
  func `a request of another site without an origin reaches only pages`(
    site: String, mode: String, path: String, expected: Int
  ) throws {
    let headers = [
      ("host", "localhost:8420"), ("sec-fetch-site", site), ("sec-fetch-mode", mode),
    ]
    #expect(status(try policy(), headers, path: path) == expected)
  }

  @Test func `a repeated or missing header decides nothing`() throws {
    let policy = try policy()
    let host = ("host", "localhost:8420")
    #expect(status(policy, []) == 400)
    #expect(status(policy, [host, ("host", "evil.example")]) == 400)
    let origin = ("origin", "http://localhost:8420")
    #expect(status(policy, [host, origin, ("origin", "https://evil.example")]) == 400)
  }

  @Test func `the network knows only configured hosts, and its origin is https`() throws {
    let policy = try policy("hosts = pad.example:8421", AccessPolicyTests.token)
    #expect(status(policy, [("host", "localhost:8420")], .network) == 403)
    let host = ("host", "pad.example:8421")
    #expect(status(policy, [host, ("origin", "https://pad.example:8421")], .network) == 200)
    #expect(status(policy, [host, ("origin", "http://pad.example:8421")], .network) == 403)
  }

  @Test func `configured hosts are known over TLS, and on this machine only with a token`() throws {
    let host = [("host", "pad.example:8420")]
    let open = try policy("hosts = pad.example:8420", AccessPolicyTests.token)
    #expect(status(open, host, .network) == 200)
    #expect(status(open, host, .loopback) == 403 && status(open, host, .unix) == 403)
    let closed = try policy(
      "hosts = pad.example:8420\nlocal-tokens = yes", AccessPolicyTests.token)
    #expect(status(closed, host, .loopback) == 200 && status(closed, host, .unix) == 200)
  }

  @Test(arguments: ["pad.example", "pad.example:443"])
  func `the port of the scheme may be left out`(configured: String) throws {
    let policy = try policy("hosts = \(configured)", AccessPolicyTests.token)
    for host in ["pad.example", "pad.example:443"] {
      let headers = [("host", host), ("origin", "https://pad.example")]
      #expect(status(policy, headers, .network) == 200, "\(host)")
    }
    for host in ["pad.example:80", "pad.example:4430", "pad.example:", ":443", ""] {
      #expect(status(policy, [("host", host)], .network) == 403, "\(host)")
    }
    let plain = AccessPolicy(try WebConfiguration("", file: "w.conf"), ports: [80])
    #expect(status(plain, [("host", "localhost:80"), ("origin", "http://localhost")]) == 200)
  }

  func permissions(
    _ policy: AccessPolicy, _ authorization: String?, _ needed: WebToken.Permission?,
    _ channel: WebRequest.Channel = .loopback
  ) -> Result<[WebToken.Permission], Problem> {
    let headers = authorization.map { [("authorization", $0)] } ?? []
    do throws(Problem) {
      return .success(
        try policy.permissions(of: request(headers, channel), for: needed.map { [$0] } ?? []))
    } catch { return .failure(error) }
  }

  func status(_ result: Result<[WebToken.Permission], Problem>) -> Int {
    switch result {
    case .success: 200
    case .failure(let problem): problem.status
    }
  }

  @Test func `loopback needs no token unless the configuration says so`() throws {
    let open = try policy("", AccessPolicyTests.token)
    #expect(try permissions(open, nil, .ask).get() == [.ask, .mirror])
    let closed = try policy("local-tokens = yes", AccessPolicyTests.token)
    #expect(status(permissions(closed, nil, .ask)) == 401)
    #expect(status(permissions(closed, "Bearer secret", .ask)) == 200)
    #expect(status(permissions(closed, nil, .ask, .unix)) == 401)
  }

  @Test(arguments: [
    (nil, 401), ("Bearer secret", 200), ("bearer secret", 200), ("Bearer Secret", 401),
    ("Bearer secret ", 401), ("Bearer ", 401), ("Basic secret", 401), ("secret", 401), ("", 401),
  ])
  func `the network needs a known token`(authorization: String?, expected: Int) throws {
    let policy = try policy("", AccessPolicyTests.token)
    #expect(status(permissions(policy, authorization, .ask, .network)) == expected)
  }

  @Test func `a token may do what its section lists and the configuration offers`() throws {
    let policy = try policy("", AccessPolicyTests.token)
    #expect(try permissions(policy, "Bearer secret", .mirror).get() == [.ask, .mirror])
    #expect(status(permissions(policy, "Bearer secret", .press)) == 403)
    // A wrong token is not an anonymous client.
    #expect(status(permissions(policy, "Bearer wrong", .ask)) == 401)
    let plain = AccessPolicy(try WebConfiguration("", file: "w.conf"), ports: [8420])
    #expect(try permissions(plain, nil, .ask).get() == [.ask])
    #expect(status(permissions(plain, nil, .press)) == 403)
  }

  @Test func `metrics are for this machine and for tokens that may scrape, if they are configured`()
    throws
  {
    let scraper = "[token prometheus]\nhash = \(AccessPolicyTests.secret)\npermissions = scrape\n"
    let policy = try policy("metrics = /run/m.prom", scraper)
    #expect(status(permissions(policy, nil, .scrape)) == 200)
    #expect(status(permissions(policy, nil, .scrape, .network)) == 401)
    #expect(status(permissions(policy, "Bearer secret", .scrape, .network)) == 200)
    // It may do nothing else.
    #expect(status(permissions(policy, "Bearer secret", .ask, .network)) == 403)
    let asker = try self.policy("metrics = /run/m.prom", AccessPolicyTests.token)
    #expect(status(permissions(asker, "Bearer secret", .scrape, .network)) == 403)
    #expect(status(permissions(try self.policy("", scraper), nil, .scrape)) == 403)
  }
}
