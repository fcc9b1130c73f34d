import Commands
import JSON
import Linux
import Spool

struct SpoolShow: Runnable {
  static var command: Command {
    Command(
      "show", "Show an entry's details, and whether it is complete.",
      options: [Option(flag: "json", "Print JSON, for programs."), SpoolLocation.option],
      operands: [SpoolLocation.ids(.one)],
      examples: [Command.Example("paraph spool show 0190c8a4", "Show how far the delivery is.")])
  }

  private let location: SpoolLocation
  private let id: String
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    location = SpoolLocation(arguments)
    id = arguments.operands.first ?? ""
    isJSON = arguments.has("json")
  }

  func run() throws(ToolError) {
    let spool = try location.open(forReading: true)
    let entry = try SpoolEntry.named(id, in: spool)
    let details = try SpoolDetails(entry, spool)
    var output = StandardOutput()
    if isJSON {
      try output.line { $0 += details.json.bytes(.lines) }
    } else {
      for line in details.lines { try output.line(line.printable) }
    }
    try output.flush()
  }
}

/// The details of an entry.
private struct SpoolDetails {
  private let entry: SpoolEntry
  private let manifest: Manifest?
  private let files: [(name: String, size: Int)]
  /// Why the entry is incomplete; nil if it is complete.
  private let flaw: String?
  private let sinks: [(name: String, state: SinkState)]
  private let reasons: [String]
  /// The failed attempts to fetch a time stamp; nil: none.
  private let timestampFailure: SinkState?

  init(_ entry: SpoolEntry, _ spool: borrowing Spool) throws(ToolError) {
    self.entry = entry
    (manifest, files, flaw) = try SpoolDetails.item(entry, spool)
    do throws(SpoolError) {
      sinks =
        try entry.id.map { id throws(SpoolError) in
          try spool.states(of: id).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        } ?? []
      let reason = entry.place == .failed ? try spool.reason(of: entry.name) : nil
      reasons = reason.map { $0.split(separator: "\n").map { String($0) } } ?? []
      timestampFailure = try entry.id.flatMap { id throws(SpoolError) in
        try spool.timestampFailure(of: id)
      }
    } catch { throw ToolError(error) }
  }

  private static func item(
    _ entry: SpoolEntry, _ spool: borrowing Spool
  ) throws(ToolError) -> (Manifest?, [(name: String, size: Int)], String?) {
    let folder: Folder
    do throws(SpoolError) {
      folder = try spool.open(entry.place)
    } catch { throw ToolError(error) }
    guard let id = entry.id else { return (nil, [], "not an item") }
    do throws(Item.Failure) {
      let item = try Item(id, in: folder)
      return (item.manifest, item.files.map { ($0.name, $0.bytes.count) }, nil)
    } catch {
      let reason =
        switch error {
        case .gone: "no longer in the spool"
        case .invalid(let error): error.reason
        case .system(let error): error.text
        }
      return (entry.manifest, [], reason)
    }
  }

  var lines: [String] {
    var lines = ["place: \(entry.place.rawValue)"]
    if let manifest {
      lines += [
        "id: \(manifest.id.text)", "sequence: \(manifest.sequence)",
        "time: \(manifest.time)" + (manifest.clockSynchronized ? "" : " (the clock was not set)"),
        "reference: \(manifest.reference ?? "-")", "device: \(manifest.device)",
        "panel: \(manifest.panel)",
        "picture: \(manifest.width)×\(manifest.height) pixels, \(manifest.dpi) dpi",
        "strokes: \(manifest.strokes)",
      ]
      if let requester = manifest.requester {
        lines.append(
          "requester: user \(requester.user ?? "\(requester.uid)"), program \(requester.program ?? "-"), "
            + "token \(requester.token ?? "-")")
      }
      if let touchscreen = manifest.touchscreen { lines.append("touchscreen: \(touchscreen)") }
      if let version = manifest.version { lines.append("version: \(version)") }
    } else {
      lines.append(entry.id.map { "id: \($0.text)" } ?? "entry: \(entry.name)")
    }
    lines += files.map { "file: \($0.name), \($0.size) bytes" }
    lines.append("whole: " + (flaw.map { "no: \($0)" } ?? "yes"))
    lines += sinks.map { name, state in
      "sink \(name): \(state.outcome.rawValue), \(state.attempts) failed attempts"
        + (state.reason.map { ", \($0)" } ?? "")
    }
    if let timestampFailure {
      lines.append(
        "time stamp: \(timestampFailure.attempts) failed attempts, \(timestampFailure.reason ?? "-")"
      )
    }
    return lines + reasons.map { "reason: \($0)" }
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("place", .text(entry.place.rawValue)), ("id", .text(entry.name)),
      ("whole", .flag(flaw == nil)), ("flaw", .text(flaw)),
    ]
    if let manifest {
      members += [
        ("sequence", .integer(Int64(manifest.sequence))), ("time", .text(manifest.time)),
        ("clock_synchronized", .flag(manifest.clockSynchronized)),
        ("reference", .text(manifest.reference)),
        ("device", .text(manifest.device)), ("panel", .text(manifest.panel)),
        ("width", .integer(Int64(manifest.width))), ("height", .integer(Int64(manifest.height))),
        ("dpi", .real(Double(manifest.dpi))), ("strokes", .integer(Int64(manifest.strokes))),
      ]
      if let requester = manifest.requester { members.append(("requester", requester.json)) }
      members += [
        ("touchscreen", .text(manifest.touchscreen)), ("version", .text(manifest.version)),
      ]
    }
    return .object(
      members + [
        (
          "files",
          .array(files.map { .object([("name", .text($0.name)), ("size", .integer($0.size))]) })
        ),
        (
          "sinks",
          .array(
            sinks.map { name, state in
              .object([
                ("name", .text(name)), ("outcome", .text(state.outcome.rawValue)),
                ("attempts", .integer(Int64(state.attempts))),
                ("reason", .text(state.reason)),
              ])
            })
        ), ("reasons", .texts(reasons)),
        (
          "timestamp",
          timestampFailure.map {
            .object([
              ("attempts", .integer(Int64($0.attempts))), ("reason", .text($0.reason)),
            ])
          } ?? .null
        ),
      ])
  }
}
