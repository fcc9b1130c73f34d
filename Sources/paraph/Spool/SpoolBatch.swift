import Spool

/// Work on several entries. Prints each finished entry, also if a later one fails.
struct SpoolBatch {
  let entries: [SpoolEntry]
  /// Whether these are all entries of a place, rather than named ones. Then a missing entry is no failure, and
  /// the work goes on after a failure.
  let isAll: Bool

  /// Throws the first failure, after the others were printed on standard error.
  func run(_ work: (SpoolEntry) throws(ToolError) -> Void) throws(ToolError) {
    var output = StandardOutput()
    var failure: ToolError?
    for entry in entries {
      do throws(ToolError) {
        try work(entry)
      } catch {
        if isAll && error.code == .noInput { continue }
        if failure == nil { failure = error } else { Notice.write(error.text) }
        if isAll { continue }
        break
      }
      try output.line(entry.name.printable)
    }
    try output.flush()
    if let failure { throw failure }
  }
}
