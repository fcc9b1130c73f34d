internal import CLinux

extension Handwriting {
  /// The strokes as a pen over a glass of this size in millimetres would report them: in the middle, as
  /// large as three quarters of the width and half of the height allow, in steps of 0.01 mm.
  func recording(width: Float, height: Float) -> DeviceRecording {
    var recording = DeviceRecording()
    recording.device = Handwriting.pen(width: width, height: height)
    let rows = strokes.flatMap { $0 }
    guard let first = rows.first else { return recording }
    let start = rows.reduce(first.time) { min($0, $1.time) }
    let least = rows.reduce((first.x, first.y)) { (min($0.0, $1.x), min($0.1, $1.y)) }
    let greatest = rows.reduce((first.x, first.y)) { (max($0.0, $1.x), max($0.1, $1.y)) }
    let (spanX, spanY) = (greatest.0 - least.0, greatest.1 - least.1)
    let factor = min(
      0.75 * Double(width) / max(spanX, 1e-6), 0.5 * Double(height) / max(spanY, 1e-6))
    let left = (Double(width) - factor * spanX) / 2
    // Room for the buttons below.
    let top = (0.8 * Double(height) - factor * spanY) / 2
    for stroke in strokes {
      for (index, row) in stroke.enumerated() {
        let x = (left + (row.x - least.0) * factor) * 100
        let y = (top + (row.y - least.1) * factor) * 100
        recording.frame(
          at: row.time - start,
          [
            (EV_ABS, ABS_X, Handwriting.unit(x)), (EV_ABS, ABS_Y, Handwriting.unit(y)),
            (EV_KEY, BTN_TOUCH, index == 0 ? 1 : nil),
          ])
      }
      if let last = stroke.last {
        recording.frame(at: last.time - start + 5_000_000, [(EV_KEY, BTN_TOUCH, 0)])
      }
    }
    return recording
  }

  private static func unit(_ value: Double) -> Int32 {
    Int32(min(max(value.rounded(), 0), 1_000_000))
  }

  private static func pen(width: Float, height: Float) -> DeviceDescription {
    var device = DeviceDescription()
    device.name = "handwriting"
    device.properties.insert(INPUT_PROP_DIRECT)
    device.add(EV_KEY, BTN_TOUCH)
    device.describe(
      ABS_X, as: AxisRange(minimum: 0, maximum: unit(Double(width) * 100) - 1, resolution: 100))
    device.describe(
      ABS_Y, as: AxisRange(minimum: 0, maximum: unit(Double(height) * 100) - 1, resolution: 100))
    return device
  }
}

extension DeviceRecording {
  /// Adds a frame; a value that is nil is left out.
  fileprivate mutating func frame(at time: Int64, _ values: [(Int32, Int32, Int32?)]) {
    for (type, code, value) in values {
      if let value { events.append(InputEvent(time: time, type, code, value)) }
    }
    events.append(InputEvent(time: time, EV_SYN, SYN_REPORT, 0))
  }
}
