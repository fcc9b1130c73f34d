internal import ArgumentParser
import Spool

struct SpoolList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists what is in the spool.",
    discussion: """
      Tab-separated: the place (new: waits for delivery, failed: set aside, delivered: kept), the number in \
      the order of signing, the time, the id, and why it is not delivered.
      """)

  @OptionGroup var location: SpoolLocation

  @Argument(help: "Only these places: new, failed, delivered.")
  var places: [PlaceName] = []

  func run() throws {
    let spool = try location.open()
    let chosen = places.isEmpty ? Spool.Place.allCases : places.map { $0.place }
    var output = StandardOutput()
    for entry in try SpoolEntry.all(in: spool, chosen) {
      let fields = [
        entry.place.rawValue, entry.manifest.map { "\($0.sequence)" } ?? "-",
        entry.manifest?.time ?? "-", entry.name, try entry.trouble(in: spool) ?? "-",
      ]
      try output.line(fields.map { $0.printable }.joined(separator: "\t"))
    }
    try output.flush()
  }
}

/// A place on the command line.
struct PlaceName: ExpressibleByArgument {
  let place: Spool.Place

  init?(argument: String) {
    guard let place = Spool.Place(rawValue: argument) else { return nil }
    self.place = place
  }

  static let allValueStrings = Spool.Place.allCases.map { $0.rawValue }
}

extension SpoolEntry {
  /// Why it is not delivered, in one line; nil where nothing is known to be in the way.
  func trouble(in spool: borrowing Spool) throws(ToolError) -> String? {
    do throws(SpoolError) {
      if place == .failed {
        let reason = try spool.reason(of: name) ?? "no reason noted"
        return reason.split(separator: "\n").joined(separator: "; ")
      }
      guard place == .new, let id else { return nil }
      if manifest == nil { return "is no whole item: handoff will set it aside" }
      let lines = try spool.states(of: id).sorted { $0.key < $1.key }
        .compactMap { sink, state in state.line(sink) }
      return lines.isEmpty ? nil : lines.joined(separator: "; ")
    } catch { throw ToolError(error) }
  }
}

extension SinkState {
  /// What is in the way of delivering to a sink; nil if nothing is.
  fileprivate func line(_ sink: String) -> String? {
    switch outcome {
    case .delivered: nil
    case .never: "\(sink) will never take it: \(reason ?? "no reason given")"
    case .pending: "\(sink) failed \(attempts) times: \(reason ?? "no reason given")"
    }
  }
}
