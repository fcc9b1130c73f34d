import Commands
import JSON
import Linux
import Spool

struct SpoolList: Runnable {
  static var command: Command {
    Command(
      "list", "List the signatures in the spool.",
      discussion: [
        "Prints one line per entry with these fields between tabs: place (new: waits for delivery; failed; "
          + "delivered), sequence number, time, id, and why it is not delivered. A missing value is -."
      ],
      options: [Option(flag: "json", "Print JSON, for programs."), SpoolLocation.option],
      operands: [
        Operand(
          "PLACE", count: .any, values: .oneOf(Spool.Place.allCases.map { $0.rawValue }),
          "List only these places."
        )
      ],
      examples: [
        Command.Example(
          "paraph spool list failed", "List the signatures that could not be delivered.")
      ])
  }

  private let location: SpoolLocation
  private let places: [Spool.Place]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    location = SpoolLocation(arguments)
    let named = arguments.operands.compactMap { Spool.Place(rawValue: $0) }
    places = named.isEmpty ? Spool.Place.allCases : named
    isJSON = arguments.has("json")
  }

  func run() throws(ToolError) {
    let spool = try location.open(forReading: true)
    var output = StandardOutput()
    var entries: [JSONValue] = []
    for entry in try SpoolEntry.all(in: spool, places) {
      let trouble = try entry.trouble(in: spool)
      if isJSON {
        entries.append(
          .object([
            ("place", .text(entry.place.rawValue)),
            ("sequence", .integer(entry.manifest.map { Int64($0.sequence) })),
            ("time", .text(entry.manifest?.time)), ("id", .text(entry.name)),
            ("trouble", .text(trouble)),
          ]))
      } else {
        let fields = [
          entry.place.rawValue, entry.manifest.map { "\($0.sequence)" } ?? "-",
          entry.manifest?.time ?? "-", entry.name, trouble ?? "-",
        ]
        try output.line(fields.map { $0.printable }.joined(separator: "\t"))
      }
    }
    if isJSON { try output.line { $0 += JSONValue.array(entries).bytes(.lines) } }
    try output.flush()
  }
}

extension SpoolEntry {
  /// The reason why the entry is not delivered, in one line; nil: none known.
  func trouble(in spool: borrowing Spool) throws(ToolError) -> String? {
    if place == .failed {
      do throws(SpoolError) {
        let reason = try spool.reason(of: name) ?? "no reason recorded"
        return reason.split(separator: "\n").joined(separator: "; ")
      } catch { throw ToolError(error) }
    }
    guard place == .new, let id else { return nil }
    switch failure {
    // One that is gone left `new` just now.
    case nil, .gone?: break
    case .invalid?: return "incomplete: paraph-handoff will move it to failed"
    case .system(let error)?: return unreadable(error.text)
    }
    do throws(SpoolError) {
      var lines = try spool.states(of: id).sorted { $0.key < $1.key }
        .compactMap { sink, state in state.line(sink) }
      if let line = try spool.timestampFailure(of: id)?.line("time stamp") { lines.append(line) }
      return lines.isEmpty ? nil : lines.joined(separator: "; ")
    } catch { return unreadable(error.text) }
  }

  private func unreadable(_ reason: String) -> String {
    "cannot be read (\(reason)): paraph-handoff leaves it, and tries again at each scan"
  }
}

extension SinkState {
  /// The error of a sink; nil if it has the signature.
  fileprivate func line(_ sink: String) -> String? {
    switch outcome {
    case .delivered: nil
    case .never: "\(sink) rejected it: \(reason ?? "no reason given")"
    case .pending: "\(sink) failed \(attempts) times: \(reason ?? "no reason given")"
    }
  }
}
