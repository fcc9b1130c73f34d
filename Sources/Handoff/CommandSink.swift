internal import CLinux
internal import Configuration
internal import Linux
internal import Spool

/// Delivers by a program of the integrator's: it is given the item's folder, and answers by its exit code.
struct CommandSink {
  let configuration: CommandSinkConfiguration
  /// Where items are.
  let folder: String
  let cancellation: Cancellation

  func deliver(_ item: Item) -> Outcome {
    let (id, sequence) = (item.manifest.id.text, item.manifest.sequence)
    guard let path = configuration.words.first else { return .later("there is no command") }
    do throws(Errno) {
      var child = try ChildProcess(
        path, configuration.words.dropFirst() + [folder + "/" + id],
        environment: ["PARAPH_ID=\(id)", "PARAPH_SEQUENCE=\(sequence)"])
      return outcome(of: try end(of: &child))
    } catch {
      return .later("\(path): \(error.text)")
    }
  }

  /// Nil if it had to be killed.
  private func end(of child: inout ChildProcess) throws(Errno) -> ChildProcess.End? {
    var poll = Poll()
    poll.add(child.descriptor.number)
    poll.add(cancellation.number)
    let limit = MonotonicClock.now + configuration.timeLimit
    while true {
      let left = limit - MonotonicClock.now
      if left <= 0 || cancellation.isCancelled { return nil }
      try poll.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1))
      if poll.isReadable(0) { return try child.wait() }
    }
  }

  private func outcome(of end: ChildProcess.End?) -> Outcome {
    switch end {
    case .exit(EX_OK): .delivered
    case .exit(EX_TEMPFAIL): .later("the command said: later (75)")
    case .exit(let code): .never("the command said: never (\(code))")
    case .signal(let number): .later("the command was ended by signal \(number)")
    case nil where cancellation.isCancelled: .later("the command was ended with this program")
    case nil: .later("the command was killed at the end of its time limit")
    }
  }
}
