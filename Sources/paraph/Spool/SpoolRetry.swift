import Commands
import Spool

struct SpoolRetry: Runnable {
  static var command: Command {
    Command(
      "retry", "Retry failed signatures.",
      discussion: [
        "Delivers only to sinks that do not have the signature. Signatures in new are retried automatically; "
          + "'paraph spool flush' retries those of a sink at once, and 'systemctl reload paraph-handoff' all."
      ],
      options: [Option(flag: "all", "Retry all failed signatures."), SpoolLocation.option],
      operands: [SpoolLocation.ids(.any, in: .failed)],
      examples: [
        Command.Example("paraph spool retry 0192f0c1", "Retry one signature."),
        Command.Example("paraph spool retry --all", "Retry all after a sink was repaired."),
      ])
  }

  private let location: SpoolLocation
  private let ids: [String]
  private let isAll: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    location = SpoolLocation(arguments)
    (ids, isAll) = try SpoolLocation.choice(arguments)
  }

  func run() throws(ToolError) {
    let spool = try location.open()
    try SpoolBatch(entries: chosen(in: spool), isAll: isAll).run { entry throws(ToolError) in
      guard let id = entry.id, entry.manifest != nil else {
        throw ToolError(.data, "\(entry.name): not a complete signature")
      }
      do throws(SpoolError) {
        try spool.retry(id)
      } catch { throw ToolError(error) }
    }
  }

  private func chosen(in spool: borrowing Spool) throws(ToolError) -> [SpoolEntry] {
    if isAll { return try SpoolEntry.all(in: spool, [.failed]).filter { $0.id != nil } }
    var chosen: [SpoolEntry] = []
    for start in ids { chosen.append(try SpoolEntry.named(start, in: spool, [.failed])) }
    return chosen
  }
}
