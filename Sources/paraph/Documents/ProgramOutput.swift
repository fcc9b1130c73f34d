import Linux

/// The output of a program that runs in the background, and the messages on its standard error.
struct ProgramOutput {
  /// The standard output.
  private(set) var bytes: [UInt8] = []
  private var messages: [UInt8] = []
  private let limit: Int

  /// The size of the messages that are kept, from the end.
  private static let messageLimit = 4096

  /// - Parameter limit: The size of the output in bytes after which the program is killed.
  init(limit: Int) { self.limit = limit }

  /// Whether the program was killed because of the limit.
  var isTooLarge: Bool { bytes.count > limit }

  /// The last line of the messages that is not blank; "" without one.
  var lastLine: String {
    let line = messages.split(separator: UInt8(ascii: "\n")).last {
      $0.contains { $0 > UInt8(ascii: " ") }
    }
    return String(decoding: line ?? [], as: UTF8.self).printable
  }

  /// Runs a program to its end. Returns nil if it was killed, at the deadline or because of the limit.
  ///
  /// The program ends with the calling thread, too, whatever ends that.
  ///
  /// - Parameter input: The program's standard input.
  mutating func read(
    _ path: String, _ arguments: [String], input: borrowing FileDescriptor, deadline: Int64
  ) throws(Errno) -> ChildProcess.End? {
    let output = try Pipe()
    let error = try Pipe()
    var child = try ChildProcess(
      path, arguments, input: input.number, output: output.writer.number,
      error: error.writer.number, kept: true)
    let outputReader = output.closingWriter()
    let errorReader = error.closingWriter()
    var poll = Poll()
    poll.add(outputReader.number)
    poll.add(errorReader.number)
    var open = 2
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = deadline - MonotonicClock.now
      if left <= 0 || isTooLarge { return nil }
      let milliseconds = Int32(clamping: left / 1_000_000 + 1)
      if open == 0 { return try child.wait(milliseconds: milliseconds) }
      try poll.wait(milliseconds: milliseconds)
      for place in 0...1 where poll.isReadable(place) || poll.isGone(place) {
        var span = chunk.mutableSpan
        var raw = unsafe span.mutableBytes
        let count =
          place == 0 ? try outputReader.read(into: &raw) : try errorReader.read(into: &raw)
        if count == 0 {
          poll.replace(place, with: -1)
          open -= 1
        } else if place == 0 {
          bytes += chunk[..<count]
        } else {
          messages = (messages + chunk[..<count]).suffix(ProgramOutput.messageLimit)
        }
      }
    }
  }
}
