/// Reads `.svc`: the count of rows in the first line, then `x y t button azimuth altitude pressure`.
///
/// A row with button 0 and pressure 0 is in the air: it ends the stroke. A row with button 0 and a
/// pressure is the first of a new stroke. Times are milliseconds, or seconds where one is fractional.
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
      throw LineError(0, "it has times beyond a century")
    }
    return strokes(of: rows, nanosecondsPerUnit: isSeconds ? 1e9 : 1e6)
  }

  private static func readCount(_ lines: inout TextLines) throws(LineError) {
    while var line = lines.next() {
      if line.isAtEnd { continue }
      guard let count = line.integer(), count >= 0, line.isAtEnd else {
        throw LineError(lines.number, "the first line is not the count of rows")
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
          lines.number, "not a row of numbers: x y t button azimuth altitude pressure")
      }
    }
    return rows
  }

  /// In nanoseconds. A difference of two is none that a whole number could not hold.
  private static let greatestTime: Double = 4e18
  /// No tablet has so many units.
  private static let greatestPlace: Double = 1e9

  private static func row(_ line: inout FieldCursor) -> Row? {
    guard let x = line.real(), let y = line.real(), let time = line.real(),
      let button = line.real(), line.real() != nil, line.real() != nil, let pressure = line.real(),
      abs(x) < greatestPlace, abs(y) < greatestPlace, abs(time) < greatestTime / 1e6, line.isAtEnd
    else { return nil }
    return Row(x: x, y: y, time: time, button: button, pressure: pressure)
  }

  private static func strokes(of rows: [Row], nanosecondsPerUnit: Double) -> Handwriting {
    var handwriting = Handwriting()
    var isInAir = true
    for row in rows {
      let time = Int64((row.time * nanosecondsPerUnit).rounded())
      let sample = Handwriting.Row(time: time, x: row.x, y: row.y, pressure: row.pressure)
      if row.button == 0 && row.pressure <= 0 {
        isInAir = true
      } else if isInAir || row.button == 0 {
        handwriting.strokes.append([sample])
        isInAir = false
      } else {
        handwriting.strokes[handwriting.strokes.count - 1].append(sample)
      }
    }
    return handwriting
  }
}
