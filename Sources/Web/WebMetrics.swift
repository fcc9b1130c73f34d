/// The metrics of paraph-handoff as a response: the file that it writes, or the same in OpenMetrics.
public enum WebMetrics {
  /// The path that Prometheus asks for.
  static let path = "/metrics"
  /// The size of the file, in bytes: 40 sinks take 100 kB.
  public static let sizeLimit = 1 << 20

  /// The response for the file's content; nil: it cannot be read.
  public static func response(
    _ bytes: [UInt8]?, as format: MetricsFormat, for origin: String?
  ) -> WebResponse {
    guard let bytes else {
      return Problem("NoMetrics", 503, "paraph-handoff has written no metrics")
        .response.shared(with: origin)
    }
    let converted = format == .openMetrics ? openMetrics(bytes) : nil
    let type = converted == nil ? MetricsFormat.text.type : format.type
    var response = WebResponse(200, type, converted ?? bytes).shared(with: origin)
    response.add("Vary", "Accept")
    response.add("Cache-Control", "no-store")
    return response
  }

  /// Metrics of the text format in OpenMetrics; nil: the file is of another program.
  ///
  /// The metadata of a counter have its name without "_total". The last line must be "# EOF", as it
  /// is in the file already.
  private static func openMetrics(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.suffix(end.count).elementsEqual(end) else { return nil }
    let lines = bytes.split(separator: newline)
    let counters = Set(
      lines.filter { $0.starts(with: typeOf) && $0.suffix(counter.count).elementsEqual(counter) }
        .map { Array($0.dropFirst(typeOf.count).dropLast(counter.count)) })
    guard counters.allSatisfy({ $0.suffix(suffix.count).elementsEqual(suffix) }) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for line in lines {
      let isMetadata = line.starts(with: typeOf) || line.starts(with: helpOf)
      // Both beginnings have the same length.
      let name: ArraySlice<UInt8> =
        isMetadata ? line.dropFirst(typeOf.count).prefix { $0 != blank } : []
      if counters.contains(Array(name)) {
        result += line[..<(name.endIndex - suffix.count)]
        result += line[name.endIndex...]
      } else {
        result += line
      }
      result.append(newline)
    }
    return result
  }

  private static let newline = UInt8(ascii: "\n")
  private static let blank = UInt8(ascii: " ")
  private static let end = Array("\n# EOF\n".utf8)
  private static let typeOf = Array("# TYPE ".utf8)
  private static let helpOf = Array("# HELP ".utf8)
  private static let counter = Array(" counter".utf8)
  private static let suffix = Array("_total".utf8)
}
