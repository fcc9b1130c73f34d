import Ink
import Pad
import Screen
import SyntheticHand

/// A 7" panel of protocol B on which somebody signs and presses *Done*, in evemu's format.
struct DemoRecording {
  static let glass = Point(154, 86)
  /// Units per millimetre: 0.05 mm, as capacitive panels resolve.
  static let resolution: Float = 20

  private var lines: [String] = []
  private var contact: Int32 = 0
  private var last = (x: -1, y: -1)

  init() {
    header()
    let layout = Layout(width: Self.glass.x, height: Self.glass.y)
    var now: Int64 = 600_000_000
    for stroke in SyntheticHand().paraph(at: layout.line.left + Point(16, 0), height: 10) {
      play(stroke, from: now)
      now += (stroke.last?.time ?? 0) - (stroke.first?.time ?? 0) + 160_000_000
    }
    now += 500_000_000
    let press = layout.done.centre
    play((0..<12).map { Sample(time: $0 * 8_000_000, position: press) }, from: now)
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func header() {
    let x = Int(Self.glass.x * Self.resolution) - 1
    let y = Int(Self.glass.y * Self.resolution) - 1
    let unit = Int(Self.resolution)
    lines += [
      "# EVEMU 1.3", "# Made by the project's synthetic hand: nobody's signature.",
      "N: Paraph synthetic touchscreen", "I: 0018 0000 0000 0100",
      "P: 02 00 00 00 00 00 00 00", "B: 00 0b 00 00 00 00 00 00 00",
      "B: 01 00 00 00 00 00 00 00 00", "B: 01 00 00 00 00 00 00 00 00",
      "B: 01 00 00 00 00 00 00 00 00", "B: 01 00 00 00 00 00 00 00 00",
      "B: 01 00 00 00 00 00 00 00 00", "B: 01 00 04 00 00 00 00 00 00",
      "B: 03 03 00 00 00 00 80 60 02",
      "A: 00 0 \(x) 0 0 \(unit)", "A: 01 0 \(y) 0 0 \(unit)", "A: 2f 0 9 0 0 0",
      "A: 35 0 \(x) 0 0 \(unit)", "A: 36 0 \(y) 0 0 \(unit)", "A: 39 0 65535 0 0 0",
    ]
  }

  /// As the kernel does, an axis that did not change is not sent.
  private mutating func play(_ samples: [Sample], from start: Int64) {
    guard let first = samples.first, let end = samples.last else { return }
    for (index, sample) in samples.enumerated() {
      let time = start + sample.time - first.time
      if index == 0 {
        event(time, 3, 0x39, Int(contact))
        contact += 1
      }
      let x = Int((sample.position.x * Self.resolution).rounded())
      let y = Int((sample.position.y * Self.resolution).rounded())
      let moved = (x: x != last.x, y: y != last.y)
      last = (x, y)
      if moved.x { event(time, 3, 0x35, x) }
      if moved.y { event(time, 3, 0x36, y) }
      if index == 0 { event(time, 1, 0x14a, 1) }
      if moved.x { event(time, 3, 0x00, x) }
      if moved.y { event(time, 3, 0x01, y) }
      if index == 0 || moved.x || moved.y { event(time, 0, 0, 0) }
    }
    let lift = start + end.time - first.time + 8_000_000
    event(lift, 3, 0x39, -1)
    event(lift, 1, 0x14a, 0)
    event(lift, 0, 0, 0)
  }

  private mutating func event(_ time: Int64, _ type: Int, _ code: Int, _ value: Int) {
    let micros = time / 1000
    let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst()
    let type = hex(type)
    let code = hex(code)
    lines.append("E: \(micros / 1_000_000).\(fraction) \(type) \(code) \(value)")
  }

  private func hex(_ value: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
