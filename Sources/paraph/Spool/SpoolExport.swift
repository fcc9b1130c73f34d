import Commands
import CLinux
import Linux
import Spool

struct SpoolExport: Runnable {
  static var command: Command {
    Command(
      "export", "Copy signatures to a folder, for example on a USB stick.",
      discussion: [
        "Copies each signature atomically to FOLDER/ID. Does not change the spool, and does not copy a signature "
          + "that is already in the folder."
      ],
      options: [
        Option(
          "output", short: "o", value: "FOLDER", values: .folder, isRequired: true,
          "Copy to FOLDER, which must exist."),
        Option(flag: "all", "Copy all signatures that wait or failed."), SpoolLocation.option,
      ],
      operands: [SpoolLocation.ids(.any)],
      examples: [
        Command.Example(
          "paraph spool export --all -o /media/usb0", "Save all signatures that were not delivered."
        )
      ])
  }

  private let location: SpoolLocation
  private let ids: [String]
  private let isAll: Bool
  private let output: String

  init(_ arguments: Arguments) throws(UsageError) {
    location = SpoolLocation(arguments)
    (ids, isAll) = try SpoolLocation.choice(arguments)
    output = try arguments.required("output")
  }

  func run() throws(ToolError) {
    let spool = try location.open(forReading: true)
    let target = try openOutput()
    let entries = try chosen(in: spool)
    Item.removeUnfinishedCopies(in: target) { id in entries.contains { $0.id == id } }
    try SpoolBatch(entries: entries, isAll: isAll).run { entry throws(ToolError) in
      try export(entry, from: spool, to: target)
    }
  }

  private func openOutput() throws(ToolError) -> Folder {
    do throws(SystemError) {
      return try Folder(output)
    } catch {
      throw ToolError(error.errno.rawValue == ENOENT ? .noInput : .cannotCreate, error.text)
    }
  }

  private func chosen(in spool: borrowing Spool) throws(ToolError) -> [SpoolEntry] {
    if isAll {
      // Twice in `new`, to which a retry may move one meanwhile. Also those whose manifest cannot be read: whoever
      // saves all must know that one is missing.
      var known: Set<ItemID> = []
      return try SpoolEntry.all(in: spool, [.new, .failed, .new]).filter { entry in
        entry.id.map { known.insert($0).inserted } == true
      }
    }
    var chosen: [SpoolEntry] = []
    for id in ids { chosen.append(try SpoolEntry.named(id, in: spool)) }
    return chosen
  }

  private func export(
    _ entry: SpoolEntry, from spool: borrowing Spool, to target: borrowing Folder
  ) throws(ToolError) {
    let item = try Self.item(of: entry, in: spool)
    do throws(SystemError) {
      if try item.copy(into: target) != nil {
        throw SystemError("copy", "\(output)/\(entry.name)", Errno(EEXIST))
      }
    } catch { throw ToolError(.init(ofOutput: error.errno), error.text) }
  }

  /// Reads the item of an entry, which may have moved to `failed`, or back, since it was listed.
  static func item(
    of entry: SpoolEntry, in spool: borrowing Spool
  ) throws(ToolError) -> Item {
    guard let id = entry.id else { throw ToolError(.data, "\(entry.name): not a signature") }
    for place in [entry.place, .new, .failed, .new] {
      let folder: Folder
      do throws(SpoolError) {
        folder = try spool.open(place)
      } catch { throw ToolError(.io, error.text) }
      do throws(Item.Failure) {
        return try Item(id, in: folder)
      } catch {
        switch error {
        case .gone: continue
        case .invalid(let flaw): throw ToolError(.data, "\(entry.name): \(flaw.reason)")
        case .system(let error): throw ToolError(.io, error.text)
        }
      }
    }
    throw ToolError(.noInput, "\(entry.name): no longer in the spool")
  }
}
