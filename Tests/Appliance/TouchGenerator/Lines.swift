import CLinux

/// Standard input, line by line, without ever waiting in read(2) for a whole line.
struct Lines {
  private var pending: [UInt8] = []
  private(set) var isEnded = false

  /// Reads what is there; called when poll(2) says that something is.
  mutating func receive() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(0, &chunk, chunk.count)
    if count > 0 { pending += chunk[..<count] } else { isEnded = true }
  }

  /// The next whole line.
  mutating func next() -> String? {
    guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = String(decoding: pending[..<end], as: UTF8.self)
    pending.removeSubrange(...end)
    return line
  }
}
