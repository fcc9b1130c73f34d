internal import Ink
internal import JSON
internal import Linux

extension RecordedStrokes {
  static let version = 1

  /// strokes.json: every number reads back as the very same bits. A sample is [time in nanoseconds,
  /// x, y in millimetres, pressure or null], with a fifth member `true` where events before it were lost.
  public var bytes: [UInt8] {
    var text = StrokesText()
    text.add("{\"version\": \(Self.version),\n\"area\": [")
    text.add(width)
    text.add(", ")
    text.add(height)
    text.add("],\n\"scale\": [")
    text.add(scaleX)
    text.add(", ")
    text.add(scaleY)
    text.add("],\n\"model\": ")
    text.bytes += JSONValue.text(model).bytes()
    if let inkWidth {
      text.add(",\n\"ink_width\": [")
      text.add(inkWidth.lowerBound)
      text.add(", ")
      text.add(inkWidth.upperBound)
      text.add("]")
    }
    text.add(",\n\"strokes\": [")
    for (index, stroke) in strokes.enumerated() {
      text.add(index == 0 ? "\n" : ",\n")
      text.add(stroke)
    }
    text.add("]}\n")
    return text.bytes
  }
}

/// jansson writes all numbers of a document with one count of digits; samples want the fewest each.
private struct StrokesText {
  var bytes: [UInt8] = []

  mutating func add(_ text: String) { bytes += text.utf8 }

  /// The fewest decimals that give the same Float back through the nearest Double, which is what readers
  /// of JSON make of a number. JSON has neither NaN nor infinity; no sample is one.
  mutating func add(_ value: Float) {
    guard value.isFinite else { return add("0.0") }
    var (power, unit) = (10.0, Int64(10))
    for _ in 1...12 {
      let units = (Double(value.magnitude) * power).rounded()
      // Of two whole numbers that a Double holds, the quotient is the nearest Double.
      if units < 1e15, Float(units / power) == value.magnitude {
        if value.sign == .minus { add("-") }
        add("\(Int64(units) / unit).")
        bytes += Array("\(unit + Int64(units) % unit)".utf8).dropFirst()
        return
      }
      (power, unit) = (power * 10, unit * 10)
    }
    // No place on a glass is so far, or so near to 0. Nine digits are enough for any Float.
    add("\(value)")
  }

  mutating func add(_ stroke: Stroke) {
    add("{\"samples\": [")
    for (index, sample) in stroke.samples.enumerated() {
      add(index == 0 ? "\n" : ",\n")
      add(sample, isAfterGap: stroke.gaps.contains(index))
    }
    add("]}")
  }

  private mutating func add(_ sample: Sample, isAfterGap: Bool) {
    add("[\(sample.time),")
    add(sample.position.x)
    add(",")
    add(sample.position.y)
    add(",")
    if sample.pressure < 0 { add("null") } else { add(sample.pressure) }
    add(isAfterGap ? ",true]" : "]")
  }
}
