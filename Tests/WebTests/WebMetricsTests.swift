import Testing

@testable import Web

@Suite struct WebMetricsTests {
  @Test func `a client gets the file as it is, and nobody stores it`() {
    let response = WebMetrics.response(Array("a 1\n".utf8), for: nil)
    #expect(response.status == 200 && response.body == Array("a 1\n".utf8))
    #expect(response.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
    #expect(response.header("Cache-Control") == "no-store")
    #expect(response.header("Cross-Origin-Resource-Policy") == "same-origin")
  }

  @Test func `without a file, the metrics are not available`() {
    #expect(WebMetrics.response(nil, for: nil).status == 503)
  }

  @Test func `metrics call nothing of the pad`() throws {
    var test = try ServiceUnderTest("metrics = /run/m.prom")
    #expect(test.send("GET", "/metrics") == ["metrics 1 -"])
    var without = try ServiceUnderTest()
    #expect(without.send("GET", "/metrics").first?.hasPrefix("respond 1 403 ") == true)
  }
}
