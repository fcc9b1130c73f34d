internal import ArgumentParser
import Spool

struct SpoolRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Has what was set aside delivered after all.",
    discussion: """
      Only the sinks that do not have it are asked again. What waits in new is tried again by itself, and \
      at once after: systemctl reload paraph-handoff.
      """)

  @OptionGroup var location: SpoolLocation

  @Argument(help: "Ids, or how they begin.")
  var ids: [String] = []

  @Flag(help: "All signatures that were set aside.")
  var all = false

  func validate() throws {
    if ids.isEmpty != all { throw ValidationError("Name ids, or say --all.") }
  }

  func run() throws {
    let spool = try location.open()
    try SpoolBatch(entries: chosen(in: spool), isAll: all).run { entry throws(ToolError) in
      guard let id = entry.id, entry.manifest != nil else {
        throw ToolError(.data, "\(entry.name): is no signature that could be delivered")
      }
      do throws(SpoolError) {
        try spool.retry(id)
      } catch { throw ToolError(error) }
    }
  }

  private func chosen(in spool: borrowing Spool) throws(ToolError) -> [SpoolEntry] {
    // Those that are broken would only be set aside again.
    if all { return try SpoolEntry.all(in: spool, [.failed]).filter { $0.manifest != nil } }
    var chosen: [SpoolEntry] = []
    for start in ids { chosen.append(try SpoolEntry.named(start, in: spool, [.failed])) }
    return chosen
  }
}
