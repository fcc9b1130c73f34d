/// At most five lines a minute about what others do wrong; then one that says how many were left out.
struct LogLimit: Sendable {
  private static let lines = 5
  private static let span: Int64 = 60_000_000_000

  private var start: Int64 = 0
  private var count = 0

  /// The lines to be logged for one that is due at `now`.
  mutating func lines(_ line: String, at now: Int64) -> [String] {
    var lines: [String] = []
    if now - start >= LogLimit.span || count == 0 {
      if count > LogLimit.lines {
        lines.append("control: \(count - LogLimit.lines) more lines like these were left out")
      }
      start = now
      count = 0
    }
    count += 1
    return count <= LogLimit.lines ? lines + [line] : lines
  }
}
