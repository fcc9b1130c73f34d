import Spool

/// Work on several entries. What was done is printed, also where something fails.
struct SpoolBatch {
  let entries: [SpoolEntry]
  /// All that there were, and not those that somebody named: others may take some of them meanwhile, which
  /// is no failure, and what fails holds up no other.
  let isAll: Bool

  /// Throws the first failure; the others are on standard error by then.
  func run(_ work: (SpoolEntry) throws(ToolError) -> Void) throws {
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
