import Ink
import SyntheticHand

/// Files as devices and tablets write them, from the synthetic hand or from places that a test names.
enum Fixture {
  /// Handwriting in `.svc`: strokes, with a row in the air between them, in `units` per millimetre.
  static func svc(_ strokes: [[Sample]], units: Float = 1) -> String {
    var rows: [String] = []
    for stroke in strokes {
      for sample in stroke {
        rows.append(
          "\(sample.position.x * units) \(sample.position.y * units) "
            + "\(sample.time / 1_000_000) 1 900 500 300")
      }
      if let last = stroke.last {
        rows.append("\(last.position.x) \(last.position.y) \(last.time / 1_000_000 + 1) 0 0 0 0")
      }
    }
    return "\(rows.count)\n" + rows.joined(separator: "\n") + "\n"
  }

  /// The project's name, written by the synthetic hand.
  static let word = SyntheticHand().paraph(at: Point(15, 55), height: 9)

  /// A signature's strokes.json with one stroke of these samples.
  static func strokes(_ samples: String) -> String {
    "{\"version\":1,\"area\":[154,86],\"scale\":[6,6],\"model\":\"ductus\",\"strokes\":[{\"samples\":[\(samples)]}]}"
  }

  /// One stroke through places, 10 ms apart.
  static func stroke(_ places: [Point]) -> [Sample] {
    places.enumerated().map { Sample(time: Int64($0) * 10_000_000, position: $1) }
  }

  /// A loop with a cusp in it, different for each seed.
  static func scribble(seed: UInt64) -> [[Sample]] {
    var random = SeededRandom(seed: seed)
    return (0..<Int.random(in: 1...4, using: &random)).map { stroke in
      var place = Point(Float.random(in: 20...90, using: &random), 40)
      return (0..<Int.random(in: 1...60, using: &random)).map { index in
        place += Point(
          Float.random(in: -3...3, using: &random), Float.random(in: -3...3, using: &random))
        return Sample(
          time: Int64(stroke) * 1_000_000_000 + Int64(index) * 8_000_000, position: place)
      }
    }
  }

  /// A protocol B touchscreen of 2000 × 1000 units at 20 to the millimetre; frames are lists of
  /// events `type code value` in evemu's hexadecimal and decimal notation, 10 ms apart.
  static func evemu(resolution: Int = 20, _ frames: [[String]]) -> String {
    var text = """
      # EVEMU 1.3
      N: Panel
      I: 0018 0000 0000 0000
      P: 02 00 00 00 00 00 00 00
      B: 00 0b 00 00 00 00 00 00 00
      B: 01 00 00 00 00 00 00 00 00
      B: 03 00 00 00 00 00 80 60 02
      A: 2f 0 9 0 0 0
      A: 35 0 1999 0 0 \(resolution)
      A: 36 0 999 0 0 \(resolution)
      A: 39 0 65535 0 0 0

      """
    for (index, frame) in frames.enumerated() {
      let micros = String(1_000_000 + index * 10_000)
      let time = "\(micros.dropLast(6)).\(micros.suffix(6))"
      for event in frame + ["0000 0000 0"] { text += "E: \(time) \(event)\n" }
    }
    return text
  }
}
