import Commands
import Configuration
import Linux
import Spool

struct SpoolErase: Runnable {
  static var command: Command {
    Command(
      "erase", "Erase signatures whose persons ask for it.",
      discussion: [
        "Removes each signature from new, failed and delivered, with its records, whether it was delivered or not. The "
          + "manifest of the next signature names the number and the digest of the erased one, and when it was erased, so "
          + "that 'paraph verify --chain' can tell an erasure from a theft. Prints which sinks have a copy: these are not "
          + "reached, and neither are blocks of the disk that files no longer use."
      ],
      options: [SpoolLocation.option],
      operands: [SpoolLocation.ids(.several)],
      examples: [Command.Example("paraph spool erase 0190c8a4", "Erase one signature.")])
  }

  private let location: SpoolLocation
  private let ids: [String]

  /// How long a delivery that is under way is awaited, in nanoseconds.
  private static let wait: Int64 = 10_000_000_000

  init(_ arguments: Arguments) throws(UsageError) {
    location = SpoolLocation(arguments)
    ids = arguments.operands
  }

  func run() throws(ToolError) {
    let spool = try location.open()
    let sinks = location.handoff?.sinks.map { $0.name } ?? []
    for start in ids {
      let id = try id(start, in: spool)
      let erasure: Erasure?
      do throws(SpoolError) {
        erasure = try spool.erase(id, wait: Self.wait)
      } catch { throw ToolError(error) }
      guard let erasure else {
        throw ToolError(.noInput, "\(id.text): no longer in the spool")
      }
      var output = StandardOutput()
      try output.line(id.text)
      for line in Self.lines(erasure, sinks) { try output.line("  \(line)".printable) }
      try output.flush()
    }
  }

  /// The id of an item, also of one whose erasure was interrupted.
  private func id(_ start: String, in spool: borrowing Spool) throws(ToolError) -> ItemID {
    if let id = ItemID(start) { return id }
    let interrupted = try interruptedErasures(start, in: spool)
    guard let id = interrupted.first else {
      let entry = try SpoolEntry.named(start, in: spool)
      if let id = entry.id { return id }
      throw ToolError(.data, "\(entry.name): not a signature; remove it with paraph spool drop")
    }
    // Another copy of it, as an interrupted retry leaves it, is erased with it.
    let others = try SpoolEntry.all(in: spool).filter { $0.name.hasPrefix(start) && $0.id != id }
    let count = interrupted.count + others.count
    if count > 1 {
      throw ToolError(.usage, "\(start): ambiguous: \(count) entries begin with it")
    }
    return id
  }

  private func interruptedErasures(
    _ start: String, in spool: borrowing Spool
  ) throws(ToolError) -> [ItemID] {
    if start.isEmpty { return [] }
    do throws(SpoolError) {
      return try spool.interruptedErasures().filter { $0.text.hasPrefix(start) }
    } catch { throw ToolError(error) }
  }

  /// What is known of copies elsewhere.
  ///
  /// - Parameter sinks: Those of the configuration.
  static func lines(_ erasure: Erasure, _ sinks: [String]) -> [String] {
    var lines = [
      erasure.sequence.map { "number \($0): the next signature's manifest names it as erased" }
        ?? "its manifest is damaged: no later one will name it, and its number will be missing"
    ]
    let others = sinks.filter { !erasure.sinks.contains($0) }
    if erasure.isDelivered {
      // The sink that received it last has no record.
      let known = (erasure.sinks + others).joined(separator: ", ")
      lines.append(
        "was delivered: delete the copies of "
          + (known.isEmpty ? "all sinks" : "\(known), and of any other sink")
          + " that the configuration had then")
    } else if !erasure.sinks.isEmpty {
      lines.append("was delivered: delete the copies of \(erasure.sinks.joined(separator: ", "))")
    }
    if erasure.wasInFlight || erasure.isResumed {
      let names = others.isEmpty ? "any sink" : others.joined(separator: ", ")
      lines.append(
        (erasure.wasInFlight
          ? "was being delivered" : "an earlier erasure was interrupted, and records may be gone")
          + ": look for copies of \(names)")
    } else if !erasure.isDelivered && erasure.sinks.isEmpty {
      lines.append("no delivery is recorded")
    }
    for (sink, count) in erasure.failedAttempts {
      lines.append("\(count) attempts failed: \(sink) may have a copy")
    }
    return lines
  }
}
