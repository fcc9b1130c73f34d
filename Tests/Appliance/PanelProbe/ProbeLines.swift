import CLinux

/// Lines of standard input, read when there is something to read.
struct ProbeLines {
  private var pending: [UInt8] = []
  private(set) var isEnded = false

  /// The next line that has come, or nil.
  mutating func next() -> String? {
    guard let end = pending.firstIndex(of: 10) else { return nil }
    let line = String(decoding: pending[..<end], as: UTF8.self)
    pending.removeFirst(end + 1)
    return line
  }

  /// Reads what there is; blocks if there is nothing.
  mutating func receive() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
    if count > 0 { pending += chunk[0..<count] } else { isEnded = true }
  }

  /// The next line; nil at the end.
  mutating func wait() -> String? {
    while true {
      if let line = next() { return line }
      if isEnded { return nil }
      receive()
    }
  }
}
