/// The formats of metrics, of which a client accepts one or both.
public enum MetricsFormat: Equatable, Sendable {
  /// Prometheus' text format, version 0.0.4.
  case text
  /// OpenMetrics 1.0.0.
  case openMetrics

  /// The client's choice (RFC 9110, section 12.5.1): OpenMetrics if the header names it, and does not prefer the text.
  ///
  /// - Parameter accept: The values of the header Accept.
  init(accept: [String]) {
    // The most specific range counts for the text: type and subtype, type, any.
    var texts: [Int?] = [nil, nil, nil]
    var openMetrics = 0
    for range in accept.flatMap({ $0.split(separator: ",") }) {
      let parts = range.split(separator: ";").map { part in
        String(decoding: part.utf8.filter { !" \t\"".utf8.contains($0) }, as: UTF8.self)
          .asciiLowercase
      }
      let version = Self.value(of: "version", in: parts)
      let quality = Self.thousandths(Self.value(of: "q", in: parts) ?? "1")
      switch parts.first {
      case "application/openmetrics-text" where version == nil || version == "1.0.0":
        openMetrics = max(openMetrics, quality)
      case "text/plain": texts[0] = max(texts[0] ?? 0, quality)
      case "text/*": texts[1] = max(texts[1] ?? 0, quality)
      case "*/*": texts[2] = max(texts[2] ?? 0, quality)
      default: break
      }
    }
    let text = texts.compactMap { $0 }.first ?? 0
    self = openMetrics > 0 && openMetrics >= text ? .openMetrics : .text
  }

  var type: String {
    switch self {
    case .text: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  private static func value(of name: String, in parts: [String]) -> String? {
    parts.dropFirst().first { $0.utf8.starts(with: (name + "=").utf8) }
      .map { String(decoding: $0.utf8.dropFirst(name.utf8.count + 1), as: UTF8.self) }
  }

  /// A quality value of up to three decimals, in thousandths; 0: it is not one.
  private static func thousandths(_ text: String) -> Int {
    var (result, weight) = (0, 1000)
    for byte in text.utf8.prefix(5) {
      if byte == UInt8(ascii: ".") { continue }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return 0 }
      result += Int(byte - UInt8(ascii: "0")) * weight
      weight /= 10
    }
    return min(result, 1000)
  }
}
