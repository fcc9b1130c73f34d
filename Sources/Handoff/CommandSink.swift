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
  /// Gets what the program writes; this program's own log.
  var log: (String) -> Void = { StandardError.write($0) }

  func deliver(_ item: Item) -> Outcome {
    let (id, sequence) = (item.manifest.id.text, item.manifest.sequence)
    guard let path = configuration.words.first else { return .later("there is no command") }
    do throws(Errno) {
      let pipe = try Pipe()
      var child = try ChildProcess(
        path, configuration.words.dropFirst() + [folder + "/" + id],
        environment: ["PARAPH_ID=\(id)", "PARAPH_SEQUENCE=\(sequence)"],
        output: pipe.writer.number, error: pipe.writer.number, kept: true)
      let output = pipe.closingWriter()
      var last = LastLine()
      let end = try end(of: &child, output, &last)
      return outcome(of: end, last.text)
    } catch {
      return .later("\(path): \(error.text)")
    }
  }

  /// Nil if it had to be killed. Reads `output` meanwhile, or the program would wait.
  private func end(
    of child: inout ChildProcess, _ output: borrowing FileDescriptor, _ last: inout LastLine
  ) throws(Errno) -> ChildProcess.End? {
    var poll = Poll()
    poll.add(child.descriptor.number)
    poll.add(cancellation.number)
    poll.add(output.number)
    let limit = MonotonicClock.now + configuration.timeLimit
    while true {
      let left = limit - MonotonicClock.now
      if left <= 0 || cancellation.isCancelled { return nil }
      try poll.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1))
      if poll.isReadable(2) || poll.isGone(2) {
        if try !copy(output, &last) { poll.replace(2, with: -1) }
      } else if poll.isReadable(0) {
        // Nothing is left that could write.
        return try child.wait()
      }
    }
  }

  /// A piece of the output goes to the log. False at its end.
  private func copy(
    _ output: borrowing FileDescriptor, _ last: inout LastLine
  ) throws(Errno) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var span = bytes.mutableSpan
    var raw = unsafe span.mutableBytes
    let count = try output.read(into: &raw)
    let piece = bytes.prefix(count)
    last.append(piece)
    log(String(decoding: piece, as: UTF8.self))
    return count > 0
  }

  private func outcome(of end: ChildProcess.End?, _ line: String) -> Outcome {
    let said = line.isEmpty ? "" : ": " + line
    return switch end {
    case .exit(EX_OK): .delivered
    case .exit(EX_DATAERR): .never("exit status \(EX_DATAERR)\(said)")
    case .exit(let status): .later("exit status \(status)\(said)")
    case .signal(let number): .later("ended by signal \(number)\(said)")
    case nil where cancellation.isCancelled: .later("killed at the end of this program\(said)")
    case nil: .later("killed after its time limit\(said)")
    }
  }
}
