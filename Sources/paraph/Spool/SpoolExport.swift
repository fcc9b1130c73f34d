internal import ArgumentParser
import CLinux
import Linux
import Spool

struct SpoolExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copies signatures to a folder, for example on a stick.",
    discussion: """
      Each becomes FOLDER/ID, whole or not at all. What is in the spool stays there; what is in the folder \
      already is not copied again.
      """)

  @OptionGroup var location: SpoolLocation

  @Argument(help: "Ids, or how they begin.")
  var ids: [String] = []

  @Flag(help: "All signatures that wait or were set aside.")
  var all = false

  @Option(name: .shortAndLong, help: "Where to: a folder that is there.", completion: .directory)
  var output: String

  func validate() throws {
    if ids.isEmpty != all { throw ValidationError("Name ids, or say --all.") }
  }

  func run() throws {
    let spool = try location.open()
    let target = try openOutput()
    try SpoolBatch(entries: chosen(in: spool), isAll: all).run { entry throws(ToolError) in
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
    if all { return try SpoolEntry.all(in: spool, [.new, .failed]).filter { $0.manifest != nil } }
    var chosen: [SpoolEntry] = []
    for id in ids { chosen.append(try SpoolEntry.named(id, in: spool)) }
    return chosen
  }

  private func export(
    _ entry: SpoolEntry, from spool: borrowing Spool, to target: borrowing Folder
  ) throws(ToolError) {
    guard let id = entry.id else { throw ToolError(.data, "\(entry.name): is no signature") }
    let folder: Folder
    do throws(SpoolError) {
      folder = try spool.open(entry.place)
    } catch { throw ToolError(.io, error.text) }
    let item: Item
    do throws(Item.Failure) {
      item = try Item(id, in: folder)
    } catch {
      switch error {
      case .gone: throw ToolError(.noInput, "\(entry.name): has gone")
      case .flaw(let flaw): throw ToolError(.data, "\(entry.name): \(flaw.reason)")
      case .system(let error): throw ToolError(.io, error.text)
      }
    }
    do throws(SystemError) {
      if try item.copy(into: target) != nil {
        throw SystemError("copy", "\(output)/\(entry.name)", Errno(EEXIST))
      }
    } catch { throw ToolError(.cannotCreate, error.text) }
  }
}
