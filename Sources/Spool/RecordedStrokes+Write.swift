internal import CLinux
internal import Ink
internal import JSON

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

  /// The fewest digits that give the same Float back through the nearest Double, which is what readers
  /// of JSON make of a number. JSON has neither NaN nor infinity; no sample is one.
  mutating func add(_ value: Float) {
    guard value.isFinite else { return add("0.0") }
    let shortest = "\(value)"
    // Rounding twice, to Double and to Float, can miss by one where the digits lie halfway.
    add(unsafe Float(strtod(shortest, nil)) == value ? shortest : "\(Double(value))")
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
