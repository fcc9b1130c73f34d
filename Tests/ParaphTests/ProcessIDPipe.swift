import Foundation
import Testing

/// A FIFO into which a program writes its process id, and which it keeps open while it runs. Opening it never blocks.
final class ProcessIDPipe {
  let path: String
  private let folder: Folder
  private var number: Int32

  init() throws {
    folder = try Folder()
    path = folder.path("pipe")
    number = -1
    try #require(mkfifo(path, 0o600) == 0)
    // Writable too: a program that opens it waits for no reader, and this end waits for no program.
    number = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(number >= 0)
  }

  deinit { if number >= 0 { close(number) } }

  /// The process id that the program has written; nil if there is none within a time in seconds.
  func processID(within seconds: Int32) -> Int32? {
    guard poll(for: POLLIN, within: seconds) else { return nil }
    var line = [UInt8](repeating: 0, count: 32)
    let count = read(number, &line, line.count)
    return Int32(String(decoding: line.prefix(max(0, count - 1)), as: UTF8.self))
  }

  /// Drops this process's end for writing, so that the pipe ends with the program.
  func keepReading() {
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    close(number)
    number = reader
  }

  /// Whether no process has the pipe open for writing within a time in seconds.
  func hasEnded(within seconds: Int32) -> Bool { poll(for: POLLHUP, within: seconds) }

  private func poll(for event: Int32, within seconds: Int32) -> Bool {
    // POLLHUP is reported without being asked for.
    var entry = pollfd(fd: number, events: Int16(event) & Int16(POLLIN), revents: 0)
    return Foundation.poll(&entry, 1, seconds * 1000) == 1 && entry.revents & Int16(event) != 0
  }
}
