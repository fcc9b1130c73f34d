import Testing

@testable import Web

@Suite struct WebMetricsTests {
  @Test func `a client gets the file as it is, and nobody stores it`() {
    let response = WebMetrics.response(Array("a 1\n".utf8), as: .text, for: nil)
    #expect(response.status == 200 && response.body == Array("a 1\n".utf8))
    #expect(response.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
    #expect(response.header("Cache-Control") == "no-store")
    #expect(response.header("Cross-Origin-Resource-Policy") == "same-origin")
    #expect(response.headers.contains { $0.name == "Vary" && $0.value == "Accept" })
  }

  @Test func `in OpenMetrics, a counter is described without the end of its samples' name`() {
    let file = """
      # HELP a_total Of a_total.
      # TYPE a_total counter
      a_total{kind="x"} 1
      a_total{kind="y"} 2
      # HELP b A gauge.
      # TYPE b gauge
      b -3
      # TYPE c_total gauge
      c_total 4
      # EOF

      """
    let response = WebMetrics.response(Array(file.utf8), as: .openMetrics, for: nil)
    #expect(
      response.header("Content-Type")
        == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    let expected = file.replacing("# HELP a_total", with: "# HELP a")
      .replacing("# TYPE a_total", with: "# TYPE a")
    #expect(String(decoding: response.body, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    "a 1\n", "# TYPE a counter\na 1\n# EOF\n", "# TYPE a_total counter\na_total 1\n# EO", "",
  ])
  func `a file that OpenMetrics cannot hold stays as it is`(file: String) {
    let response = WebMetrics.response(Array(file.utf8), as: .openMetrics, for: nil)
    #expect(response.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
    #expect(response.body == Array(file.utf8))
  }

  @Test(arguments: ["# TYPE\n# HELP \n#\n# TYPE a\n# EOF\n", "# TYPE   counter\n# EOF\n"])
  func `metadata without names change nothing`(file: String) {
    let response = WebMetrics.response(Array(file.utf8), as: .openMetrics, for: nil)
    #expect(String(decoding: response.body, as: UTF8.self) == file)
  }

  @Test func `empty lines, which OpenMetrics does not have, are left out`() {
    let response = WebMetrics.response(Array("\na 1\n\n# EOF\n".utf8), as: .openMetrics, for: nil)
    #expect(String(decoding: response.body, as: UTF8.self) == "a 1\n# EOF\n")
  }

  @Test(arguments: [MetricsFormat.text, .openMetrics])
  func `without a file, the metrics are not available`(format: MetricsFormat) {
    #expect(WebMetrics.response(nil, as: format, for: nil).status == 503)
  }

  @Test func `metrics call nothing of the pad`() throws {
    var test = try ServiceUnderTest("metrics = /run/m.prom")
    #expect(test.send("GET", "/metrics") == ["metrics 1 text -"])
    let accept = ("accept", "application/openmetrics-text")
    #expect(test.send("GET", "/metrics", headers: [accept]) == ["metrics 1 openMetrics -"])
    var without = try ServiceUnderTest()
    #expect(without.send("GET", "/metrics").first?.hasPrefix("respond 1 403 ") == true)
  }
}
