internal import ArgumentParser
import Linux
import Spool

struct SpoolShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows what is known about an entry, and whether it is whole.")

  @OptionGroup var location: SpoolLocation

  @Argument(help: "Its id, or how that begins.")
  var id: String

  func run() throws {
    let spool = try location.open()
    let entry = try SpoolEntry.named(id, in: spool)
    var output = StandardOutput()
    try output.line("place: \(entry.place.rawValue)")
    for line in try Self.item(entry, spool) + Self.sinks(entry, spool) {
      try output.line(line.printable)
    }
    try output.flush()
  }

  private static func item(
    _ entry: SpoolEntry, _ spool: borrowing Spool
  ) throws(ToolError) -> [String] {
    let folder: Folder
    do throws(SpoolError) {
      folder = try spool.open(entry.place)
    } catch { throw ToolError(error) }
    guard let id = entry.id else { return ["entry: \(entry.name)", "whole: no: it is no item"] }
    do throws(Item.Failure) {
      let item = try Item(id, in: folder)
      return lines(of: item.manifest)
        + item.files.map { "file: \($0.name), \($0.bytes.count) bytes" }
        + ["whole: yes"]
    } catch {
      let reason =
        switch error {
        case .gone: "it has gone"
        case .flaw(let flaw): flaw.reason
        case .system(let error): error.text
        }
      return (entry.manifest.map { lines(of: $0) } ?? ["id: \(id.text)"]) + ["whole: no: \(reason)"]
    }
  }

  private static func lines(of manifest: Manifest) -> [String] {
    [
      "id: \(manifest.id.text)", "sequence: \(manifest.sequence)",
      "time: \(manifest.time)" + (manifest.clockSynchronized ? "" : " (the clock was not set)"),
      "reference: \(manifest.reference ?? "-")", "device: \(manifest.device)",
      "panel: \(manifest.panel)",
      "picture: \(manifest.width)×\(manifest.height) pixels, \(manifest.dpi) dpi",
      "strokes: \(manifest.strokes)",
    ]
  }

  private static func sinks(
    _ entry: SpoolEntry, _ spool: borrowing Spool
  ) throws(ToolError) -> [String] {
    do throws(SpoolError) {
      var lines: [String] = []
      if let id = entry.id {
        for (sink, state) in try spool.states(of: id).sorted(by: { $0.key < $1.key }) {
          lines.append(
            "sink \(sink): \(state.outcome.rawValue), \(state.attempts) failed attempts"
              + (state.reason.map { ", \($0)" } ?? ""))
        }
      }
      if entry.place == .failed, let reason = try spool.reason(of: entry.name) {
        lines += reason.split(separator: "\n").map { "reason: \($0)" }
      }
      return lines
    } catch { throw ToolError(error) }
  }
}
