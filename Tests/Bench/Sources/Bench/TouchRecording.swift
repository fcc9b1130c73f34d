import Glibc

/// A hand that writes loops without a rest, in the words of `evemu-record`.
struct TouchRecording {
  var rate = 240.0
  var seconds = 2.0
  /// Before the first touch.
  var lead = 0.5

  private static let device = """
    # EVEMU 1.3
    N: Paraph bench touchscreen
    I: 0018 0000 0000 0100
    P: 02 00 00 00 00 00 00 00
    B: 00 0b 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 04 00 00 00 00 00 00
    B: 03 03 00 00 00 00 80 60 02
    A: 00 0 4339 0 0 20
    A: 01 0 2719 0 0 20
    A: 2f 0 9 0 0 0
    A: 35 0 4339 0 0 20
    A: 36 0 2719 0 0 20
    A: 39 0 65535 0 0 0

    """

  /// Strokes of four fifths of a second, one after the other.
  var text: String {
    var text = Self.device
    var stroke = -1
    for report in 0..<Int(rate * seconds) {
      let time = Double(report) / rate
      let phase = time - time.rounded(.down)
      let at = lead + time
      if phase > 0.8 || report == Int(rate * seconds) - 1 {
        if stroke >= 0 { text += frame(at, [(3, 0x39, -1), (1, 0x14A, 0)]) }
        stroke = -1
        continue
      }
      let left = 20 + 30 * (time.rounded(.down).truncatingRemainder(dividingBy: 5))
      let x = Int((left + 25 * phase + 7 * cos(16 * phase)) * 20)
      let y = Int((55 + 11 * sin(16 * phase)) * 20)
      let place = [(3, 0x35, x), (3, 0x36, y)]
      if stroke < 0 {
        stroke = report
        text += frame(at, [(3, 0x39, report)] + place + [(1, 0x14A, 1)])
      } else {
        text += frame(at, place)
      }
    }
    return text
  }

  private func frame(_ time: Double, _ events: [(Int, Int, Int)]) -> String {
    let whole = Int((time * 1_000_000).rounded())
    let micros = String(whole % 1_000_000 + 1_000_000).dropFirst()
    return (events + [(0, 0, 0)]).map { type, code, value in
      "E: \(whole / 1_000_000).\(micros) \(hex(type)) \(hex(code)) \(value)\n"
    }.joined()
  }

  private func hex(_ value: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
