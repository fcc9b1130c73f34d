internal import CLinux
internal import Configuration
internal import Linux
internal import Spool

/// Delivers by a program, which receives the path of the item's folder and answers by its exit code.
struct CommandSink {
  let configuration: CommandSinkConfiguration
  /// The path of the folder with the items.
  let folder: String
  let cancellation: Cancellation
  /// Receives the program's output.
  var log: (String) -> Void = { StandardError.write($0) }

  func deliver(_ item: Item) -> Outcome {
    let (id, sequence) = (item.manifest.id.text, item.manifest.sequence)
    guard let path = configuration.words.first else {
      return .temporaryFailure("no command is configured")
    }
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
      return .temporaryFailure("\(path): \(error.text)")
    }
  }

  /// Waits for the end, and copies `output` meanwhile. Returns nil at the time limit or after a cancellation.
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
        // After the output, or a part of it would be lost.
        return try child.wait()
      }
    }
  }

  /// Copies a piece of the output to the log. Returns false at its end.
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
    let detail = line.isEmpty ? "" : ": " + line
    return switch end {
    case .exit(EX_OK): .delivered
    case .exit(EX_DATAERR): .permanentFailure("exit status \(EX_DATAERR)\(detail)")
    case .exit(let status): .temporaryFailure("exit status \(status)\(detail)")
    case .signal(let number): .temporaryFailure("ended by signal \(number)\(detail)")
    case nil where cancellation.isCancelled: .temporaryFailure("killed at shutdown\(detail)")
    case nil: .temporaryFailure("killed at its time limit\(detail)")
    }
  }
}

/// The last line of an output that is not blank.
struct LastLine {
  /// In bytes.
  private static let limit = 200

  private var last: [UInt8] = []
  private var current: [UInt8] = []

  /// Appends a piece of the output.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        finish()
      } else if current.count < Self.limit {
        // Control characters could move a terminal's cursor.
        current.append(byte >= 0x20 && byte < 0x7f ? byte : UInt8(ascii: "?"))
      }
    }
  }

  private mutating func finish() {
    if current.contains(where: { $0 != UInt8(ascii: " ") }) { last = current }
    current.removeAll()
  }

  /// Empty if all lines are blank.
  var text: String {
    var whole = self
    whole.finish()
    return String(decoding: whole.last, as: UTF8.self)
  }
}
