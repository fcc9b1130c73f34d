import CLinux

/// A command from the host.
enum Command {
  /// Positions in millimetres.
  case down(slot: Int, x: Double, y: Double)
  case move(slot: Int, x: Double, y: Double)
  case up(slot: Int)
  /// Sends the changes as one report.
  case frame
  /// Waits from the end of the last report or pause, not from now.
  case wait(nanoseconds: Int64)
  /// Plays a stroke file in real time.
  case play(path: String)
  /// Moves fingers in circles.
  case storm(Storm)
  case quit

  /// Parses a line; nil if it is no command.
  init?(_ line: String) {
    let words = line.split(separator: " ")
    guard let verb = words.first else { return nil }
    let slot = words.count > 1 ? Int(words[1]) ?? -1 : -1
    let numbers = words.dropFirst().compactMap { Double(host: $0) }.filter { $0.magnitude < 1e9 }
    switch (verb, numbers.count, words.count) {
    case ("down", 3, 4): self = .down(slot: slot, x: numbers[1], y: numbers[2])
    case ("move", 3, 4): self = .move(slot: slot, x: numbers[1], y: numbers[2])
    case ("up", 1, 2): self = .up(slot: slot)
    case ("frame", 0, 1): self = .frame
    case ("wait", 1, 2): self = .wait(nanoseconds: Int64(numbers[0] * 1e6))
    case ("play", _, 2): self = .play(path: String(words[1]))
    case ("storm", 3, 4):
      self = .storm(
        Storm(
          reports: Int(numbers[0]), fingers: Int(numbers[1]),
          nanoseconds: Int64(numbers[2] * 1e6)))
    case ("quit", 0, 1): self = .quit
    default: return nil
    }
  }
}

/// Fingers that move in circles: thousands of reports with predictable positions.
struct Storm {
  let reports: Int, fingers: Int
  /// The time between reports; 0 sends them as fast as the kernel accepts them.
  let nanoseconds: Int64

  /// The number of reports per circle.
  static let round = 360

  /// The position of a finger in a report, in millimetres.
  ///
  /// The first finger moves around the middle of the panel, the others around positions near its upper edge.
  func position(of finger: Int, in report: Int, on panel: Panel) -> (x: Double, y: Double) {
    let radius = finger == 0 ? 20.0 : 4.0
    let angle = 2 * Double.pi * Double(report % Storm.round) / Double(Storm.round)
    let middle = (x: Double(panel.width) / 2, y: Double(panel.height) / 2)
    let side = Double(finger) - Double(fingers) / 2
    let x = finger == 0 ? middle.x : middle.x + side * Double(panel.width) / 12
    let y = finger == 0 ? middle.y : 8
    return (x + radius * cos(angle), y + radius * sin(angle))
  }
}

extension Double {
  /// Parses a whole word as a number. Embedded Swift does not link `Double(_: String)`.
  init?(host word: Substring) {
    let text = String(word)
    var read = 0
    self = unsafe text.withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = unsafe strtod(start, &end)
      if let end = unsafe end { read = unsafe UnsafePointer(end) - start }
      return value
    }
    if read == 0 || read != text.utf8.count { return nil }
  }
}
