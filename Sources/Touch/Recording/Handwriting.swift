internal import CLinux
public import Ink

/// The strokes of a `.svc` file: handwriting on a tablet, without the pen's moves above it.
public struct Handwriting: Sendable, Equatable {
  /// A row of the file.
  public struct Row: BitwiseCopyable, Sendable, Equatable {
    /// The time in nanoseconds.
    public var time: Int64
    /// The position in the tablet's units.
    public var x: Double, y: Double
    /// The pressure in the tablet's units; 0 if it has none.
    public var pressure: Double

    /// A row.
    public init(time: Int64, x: Double, y: Double, pressure: Double) {
      self.time = time
      (self.x, self.y) = (x, y)
      self.pressure = pressure
    }
  }

  /// The strokes, each of at least one row.
  public var strokes: [[Row]] = []

  /// The strokes in millimetres, without pressure, which has no common scale in these files.
  public func samples(unitsPerMillimetre units: Double) -> [[Sample]] {
    strokes.map { stroke in
      stroke.map {
        Sample(time: $0.time, position: Point(Float($0.x / units), Float($0.y / units)))
      }
    }
  }

  /// The events of a pen that writes the strokes on a glass of this size in millimetres.
  ///
  /// The strokes are centred and fill three quarters of the width or half of the height. A unit is 0.01 mm.
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
    // Leaves room for the buttons below.
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
  /// Adds a frame of the values that are not nil.
  fileprivate mutating func frame(at time: Int64, _ values: [(Int32, Int32, Int32?)]) {
    for (type, code, value) in values {
      if let value { events.append(InputEvent(time: time, type, code, value)) }
    }
    events.append(InputEvent(time: time, EV_SYN, SYN_REPORT, 0))
  }
}

/// Reads `.svc`: the number of rows, then `x y t button azimuth altitude pressure` in each.
///
/// A row with button 0 and pressure 0 is above the tablet and ends the stroke. A row with button 0 and a pressure
/// begins one. Times are in milliseconds, or in seconds if one is fractional.
struct HandwritingReader {
  private struct Row {
    var x: Double
    var y: Double
    var time: Double
    var button: Double
    var pressure: Double
  }

  static func read(_ bytes: [UInt8]) throws(LineError) -> Handwriting {
    var lines = TextLines(bytes)
    try readCount(&lines)
    let rows = try readRows(&lines)
    let isSeconds = rows.contains { $0.time != $0.time.rounded(.towardZero) }
    if isSeconds, rows.contains(where: { abs($0.time) > greatestTime / 1e9 }) {
      throw LineError(0, "times beyond a century")
    }
    return strokes(of: rows, nanosecondsPerUnit: isSeconds ? 1e9 : 1e6)
  }

  private static func readCount(_ lines: inout TextLines) throws(LineError) {
    while var line = lines.next() {
      if line.isAtEnd { continue }
      guard let count = line.integer(), count >= 0, line.isAtEnd else {
        throw LineError(lines.number, "the first line is not the number of rows")
      }
      return
    }
  }

  private static func readRows(_ lines: inout TextLines) throws(LineError) -> [Row] {
    var rows: [Row] = []
    while var line = lines.next() {
      if line.isAtEnd { continue }
      if let row = row(&line) {
        rows.append(row)
      } else if !lines.isAtEnd {
        throw LineError(
          lines.number, "not seven numbers: x y t button azimuth altitude pressure")
      }
    }
    return rows
  }

  /// The limit of times in nanoseconds: differences of two fit in 64 bits.
  private static let greatestTime: Double = 4e18
  /// The limit of coordinates, above those of any tablet.
  private static let greatestCoordinate: Double = 1e9

  private static func row(_ line: inout FieldCursor) -> Row? {
    guard let x = line.real(), let y = line.real(), let time = line.real(),
      let button = line.real(), line.real() != nil, line.real() != nil, let pressure = line.real(),
      abs(x) < greatestCoordinate, abs(y) < greatestCoordinate, abs(time) < greatestTime / 1e6,
      line.isAtEnd
    else { return nil }
    return Row(x: x, y: y, time: time, button: button, pressure: pressure)
  }

  private static func strokes(of rows: [Row], nanosecondsPerUnit: Double) -> Handwriting {
    var handwriting = Handwriting()
    var isAbove = true
    for row in rows {
      let time = Int64((row.time * nanosecondsPerUnit).rounded())
      let sample = Handwriting.Row(time: time, x: row.x, y: row.y, pressure: row.pressure)
      if row.button == 0 && row.pressure <= 0 {
        isAbove = true
      } else if isAbove || row.button == 0 {
        handwriting.strokes.append([sample])
        isAbove = false
      } else {
        handwriting.strokes[handwriting.strokes.count - 1].append(sample)
      }
    }
    return handwriting
  }
}
