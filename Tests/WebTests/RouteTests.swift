import Testing

@testable import Web

@Suite struct RouteTests {
  func route(_ method: String, _ path: String) throws(Problem) -> Route {
    try Route(WebRequest(method, path, channel: .loopback))
  }

  @Test(arguments: [
    ("POST", "/v1/sign", Route.sign), ("POST", "/v1/cancel", .cancel), ("POST", "/v1/show", .show),
    ("POST", "/v1/ask", .ask),
    ("POST", "/v1/done", .press(.done)), ("POST", "/v1/clear", .press(.clear)),
    ("GET", "/v1/info", .info), ("HEAD", "/v1/info", .info), ("GET", "/v1/live", .live),
    ("GET", "/v1/signatures/01a2-b", .signature("01a2-b", nil)),
    ("GET", "/v1/signatures/01a2-b.png", .signature("01a2-b", .png)),
    ("PUT", "/v1/documents/A.b_1-2/50", .document("A.b_1-2", page: 50)),
    ("GET", "/v1/openapi.json", .page("openapi.json")),
    ("GET", "/metrics", .metrics), ("HEAD", "/metrics", .metrics),
    ("GET", "/", .page("index.html")), ("GET", "/kiosk", .page("kiosk.html")),
    ("GET", "/locale/pt_BR.js", .page("locale/pt_BR.js")),
  ])
  func `paths lead to their resources`(method: String, path: String, expected: Route) throws {
    #expect(try route(method, path) == expected)
  }

  @Test(arguments: [
    "/v1/", "/v1/none", "/v1/signatures/", "/v1/signatures/a.pdf", "/v1/signatures/a/b",
    "/v1/signatures/..", "//etc/passwd", "/../etc/passwd", "/a/../b", "/.hidden", "/a/", "*", "",
    "/a%2f", "/a\u{0}b", "/" + String(repeating: "a", count: 129),
    "/v1/signatures/" + String(repeating: "a", count: 65),
    "/v1/documents/a", "/v1/documents/a/", "/v1/documents/a/0", "/v1/documents/a/01",
    "/v1/documents/a/-1",
    "/v1/documents/a/x", "/v1/documents/a/12345", "/v1/documents/a/1/2", "/v1/documents//1",
    "/v1/documents/a b/1",
    "/v1/documents/" + String(repeating: "a", count: 65) + "/1",
  ])
  func `other paths lead nowhere`(path: String) {
    do throws(Problem) {
      let found = try route("GET", path)
      Issue.record("\(path) leads to \(found)")
    } catch { #expect(error.status == 404) }
  }

  @Test(arguments: [
    ("GET", "/v1/sign", "POST"), ("DELETE", "/v1/info", "GET, HEAD"), ("POST", "/", "GET, HEAD"),
    ("POST", "/metrics", "GET, HEAD"), ("PUT", "/v1/cancel", "POST"),
    ("POST", "/v1/documents/a/1", "PUT"),
    ("get", "/v1/info", "GET, HEAD"),
  ])
  func `a resource names its methods`(method: String, path: String, allowed: String) {
    do throws(Problem) {
      _ = try route(method, path)
      Issue.record("\(method) \(path) is accepted")
    } catch {
      #expect(error.status == 405)
      #expect(error.response.header("Allow") == allowed)
    }
  }

  @Test func `only reading changes nothing`() {
    #expect(
      [Route.info, .live, .metrics, .signature("a", nil), .page("a")].allSatisfy { $0.isRead })
    #expect(
      [Route.sign, .cancel, .show, .ask, .press(.done), .document("a", page: 1)].allSatisfy {
        !$0.isRead
      })
  }
}
