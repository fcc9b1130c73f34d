import Commands
import Configuration
import Linux
import Spool

struct SpoolFlush: Runnable {
  static var command: Command {
    Command(
      "flush", "Retry at once what waits for a sink.",
      discussion: [
        "Tells paraph-handoff to deliver now what waits for the sink, also before the end of a pause that its "
          + "receiver has requested. If it does not run, it does so at its next start. The log says what came of it. "
          + "Other sinks keep their pauses. 'systemctl reload paraph-handoff' retries all sinks."
      ],
      options: [SpoolLocation.option],
      operands: [
        Operand("SINK", count: .several, "The name of a sink in paraph-handoff.conf.")
      ],
      examples: [
        Command.Example("paraph spool flush archive", "Deliver after the archive was repaired.")
      ],
      exitCodes: [
        Command.ExitCode(66, "The configuration has no such sink."),
        Command.ExitCode(75, "The sink is held."),
      ])
  }

  private let location: SpoolLocation
  private let sinks: [String]

  init(_ arguments: Arguments) throws(UsageError) {
    location = SpoolLocation(arguments)
    sinks = arguments.operands
    for sink in sinks where !SinkConfiguration.isValid(name: sink) {
      throw arguments.error("'\(sink.printable)' is not the name of a sink")
    }
  }

  func run() throws(ToolError) {
    let spool = try location.open()
    if let configuration = location.handoff {
      for sink in sinks { try check(sink, configuration) }
    }
    for sink in sinks {
      do throws(SpoolError) {
        try spool.requestFlush(of: sink)
      } catch { throw ToolError(error) }
    }
  }

  private func check(
    _ name: String, _ configuration: HandoffConfiguration
  ) throws(ToolError) {
    guard let sink = configuration.sinks.first(where: { $0.name == name }) else {
      let names = configuration.sinks.map { $0.name }.joined(separator: ", ")
      throw ToolError(.noInput, "\(name): no such sink; the sinks are \(names)")
    }
    if sink.isHeld {
      throw ToolError(
        .tempfail, "\(name) is held: remove hold = yes, and reload paraph-handoff")
    }
  }
}
