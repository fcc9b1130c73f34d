import Commands
import Spool

struct SpoolDrop: Runnable {
  static var command: Command {
    Command(
      "drop", "Remove entries permanently.",
      discussion: ["A signature that was not delivered is lost. Export it first."],
      options: [
        Option(flag: "force", "Remove entries that still wait for delivery, too."),
        SpoolLocation.option,
      ],
      operands: [SpoolLocation.ids(.several)],
      examples: [Command.Example("paraph spool drop 0190c8a4", "Remove a failed signature.")])
  }

  private let location: SpoolLocation
  private let ids: [String]
  private let isForced: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    location = SpoolLocation(arguments)
    ids = arguments.operands
    isForced = arguments.has("force")
  }

  func run() throws(ToolError) {
    let spool = try location.open()
    var chosen: [SpoolEntry] = []
    for id in ids {
      let entry = try SpoolEntry.named(id, in: spool)
      if entry.place == .new && !isForced {
        throw ToolError(
          .usage, "\(entry.name): still waits for delivery; use --force to remove it")
      }
      chosen.append(entry)
    }
    try SpoolBatch(entries: chosen, isAll: false).run { entry throws(ToolError) in
      do throws(SpoolError) {
        try spool.drop(entry.name, from: entry.place)
      } catch { throw ToolError(error) }
    }
  }
}
