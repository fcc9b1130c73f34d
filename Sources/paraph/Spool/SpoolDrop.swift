internal import ArgumentParser
import Spool

struct SpoolDrop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Removes entries for good.",
    discussion: "A signature that was not delivered is then lost. Export it first.")

  @OptionGroup var location: SpoolLocation

  @Argument(help: "Ids, or how they begin.")
  var ids: [String]

  @Flag(help: "Also what still waits to be delivered.")
  var force = false

  func run() throws {
    let spool = try location.open()
    var chosen: [SpoolEntry] = []
    for id in ids {
      let entry = try SpoolEntry.named(id, in: spool)
      if entry.place == .new && !force {
        throw ToolError(
          .usage, "\(entry.name): still waits to be delivered: --force removes it all the same")
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
