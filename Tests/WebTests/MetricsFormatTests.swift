import Testing

@testable import Web

@Suite struct MetricsFormatTests {
  @Test(arguments: [
    // Prometheus 2.42 and 3.
    "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
      + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
      + "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,/;q=0.2",
    "application/openmetrics-text", "Application/OpenMetrics-Text; version=1.0.0 ; Q=0.001",
    "application/openmetrics-text, text/plain", "application/openmetrics-text;version=\"1.0.0\"",
    "application/openmetrics-text;q=0.5,text/plain;q=0.1,*/*",
    "application/openmetrics-text;q=0.5,text/plain;q=0,*/*",
  ])
  func `a client that names OpenMetrics gets it`(accept: String) {
    #expect(MetricsFormat(accept: [accept]) == .openMetrics)
    #expect(MetricsFormat(accept: ["text/html;q=0.1", accept]) == .openMetrics)
  }

  @Test(arguments: [
    "", "*/*", "text/plain", "application/*", "application/openmetrics-text;q=0",
    "application/openmetrics-text;version=0.0.1", "application/openmetrics-text;version=2.0.0",
    "text/plain;q=0.9,application/openmetrics-text;q=0.8", "application/openmetrics-text;q=x",
    ";,;q=", "application/openmetrics-text;q=0.1,*/*", "application/openmetrics-text;q=0.1,text/*",
    "application/openmetrics-textual", "application/openmetrics-text;q=0.000000001",
  ])
  func `all others get the text format`(accept: String) {
    #expect(MetricsFormat(accept: [accept]) == .text)
    #expect(MetricsFormat(accept: []) == .text)
  }
}
