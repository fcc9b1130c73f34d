/// The metrics of paraph-handoff as a response: the file that it writes, unchanged.
public enum WebMetrics {
  /// The path that Prometheus asks for.
  static let path = "/metrics"
  /// The size of the file, in bytes: 40 sinks take 100 kB.
  public static let sizeLimit = 1 << 20

  /// The response for the file's content; nil: it cannot be read.
  public static func response(_ bytes: [UInt8]?, for origin: String?) -> WebResponse {
    guard let bytes else {
      return Problem("NoMetrics", 503, "paraph-handoff has written no metrics")
        .response.shared(with: origin)
    }
    var response = WebResponse(200, "text/plain; version=0.0.4; charset=utf-8", bytes)
      .shared(with: origin)
    response.add("Cache-Control", "no-store")
    return response
  }
}
