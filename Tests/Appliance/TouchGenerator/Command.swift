/// A line of the host.
enum Command {
  /// Places in millimetres.
  case down(slot: Int, x: Double, y: Double)
  case move(slot: Int, x: Double, y: Double)
  case up(slot: Int)
  /// Sends what has changed as one report.
  case frame
  /// Lets time pass, counted from the last report or pause rather than from now.
  case wait(nanoseconds: Int64)
  /// Plays a file of strokes in real time.
  case play(path: String)
  /// Fingers go round in circles.
  case storm(Storm)
  case quit

  /// Nil where the line is none of these.
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
