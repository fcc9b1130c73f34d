public import Ink
internal import JSON

/// The samples of a signature as the panel reported them: the file strokes.json.
public struct RecordedStrokes: Equatable, Sendable {
  /// The size of the drawing area, in millimetres.
  public var width: Float, height: Float
  /// The resolution of the panel, in pixels per millimetre.
  public var scaleX: Float, scaleY: Float
  /// The name of the stroke model.
  public var model: String
  /// The range of ink widths, in millimetres; nil: the model's own.
  public var inkWidth: ClosedRange<Float>?
  /// The strokes in the order of their beginnings.
  public var strokes: [Stroke]

  /// Lengths are in millimetres, scales in pixels per millimetre.
  public init(
    width: Float, height: Float, scaleX: Float, scaleY: Float, model: String,
    inkWidth: ClosedRange<Float>? = nil, strokes: [Stroke]
  ) {
    (self.width, self.height) = (width, height)
    (self.scaleX, self.scaleY) = (scaleX, scaleY)
    self.model = model
    self.inkWidth = inkWidth
    self.strokes = strokes
  }
}

extension RecordedStrokes {
  static let version = 1

  /// The text of strokes.json, from which every number can be restored exactly.
  ///
  /// A sample is [time in nanoseconds, x, y in millimetres, pressure or null]. A fifth member `true` means that
  /// events before it were lost.
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

/// Writes each number with its fewest digits. jansson writes all numbers of a document with the same precision.
private struct StrokesText {
  var bytes: [UInt8] = []

  mutating func add(_ text: String) { bytes += text.utf8 }

  /// Appends the fewest decimals that restore the Float through a Double, as readers of JSON do. JSON has
  /// neither NaN nor infinity.
  mutating func add(_ value: Float) {
    guard value.isFinite else { return add("0.0") }
    var (power, unit) = (10.0, Int64(10))
    for _ in 1...12 {
      let units = (Double(value.magnitude) * power).rounded()
      // The quotient of two exact integers is the correctly rounded Double.
      if units < 1e15, Float(units / power) == value.magnitude {
        if value.sign == .minus { add("-") }
        add("\(Int64(units) / unit).")
        bytes += Array("\(unit + Int64(units) % unit)".utf8).dropFirst()
        return
      }
      (power, unit) = (power * 10, unit * 10)
    }
    // A magnitude that no coordinate has.
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

extension RecordedStrokes {
  /// Parses strokes.json, which is untrusted.
  public init(_ bytes: [UInt8]) throws(ValidationError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes, limits: .init(size: ItemFile.sizeLimit, depth: 8))
    } catch { throw ValidationError("\(ItemFile.strokes.name): \(error.text)") }
    guard value["version"]?.integer == Int64(Self.version) else {
      throw Self.refuse("version is not \(Self.version)")
    }
    let (area, scale) = (try Self.pair("area", of: value), try Self.pair("scale", of: value))
    guard let model = value["model"]?.text else { throw Self.refuse("model is not a text") }
    var inkWidth: ClosedRange<Float>?
    if value["ink_width"] != nil {
      let (narrowest, widest) = try Self.pair("ink_width", of: value)
      guard narrowest <= widest else { throw Self.refuse("ink_width is not a range") }
      inkWidth = narrowest...widest
    }
    guard let list = value["strokes"]?.elements else {
      throw Self.refuse("strokes is not an array")
    }
    var strokes: [Stroke] = []
    for (index, element) in list.enumerated() {
      guard let samples = element["samples"]?.elements, let stroke = Self.stroke(samples) else {
        throw Self.refuse("stroke \(index) has no samples or an invalid sample")
      }
      strokes.append(stroke)
    }
    self.init(
      width: area.0, height: area.1, scaleX: scale.0, scaleY: scale.1, model: model,
      inkWidth: inkWidth, strokes: strokes)
  }

  private static func refuse(_ reason: String) -> ValidationError {
    ValidationError("\(ItemFile.strokes.name): \(reason)")
  }

  private static func pair(
    _ name: String, of value: JSONValue
  ) throws(ValidationError) -> (Float, Float) {
    guard let pair = value[name], pair.count == 2, let first = float(pair[0]),
      let second = float(pair[1]), first > 0, second > 0
    else { throw refuse("\(name) is not two numbers above 0") }
    return (first, second)
  }

  private static func stroke(_ elements: [JSONValue]) -> Stroke? {
    var stroke = Stroke([])
    for (index, element) in elements.enumerated() {
      guard let count = element.count, (4...5).contains(count), let time = element[0]?.integer,
        let x = float(element[1]), let y = float(element[2]), let pressure = element[3]
      else { return nil }
      guard let force = pressure.isNull ? -1 : float(pressure) else { return nil }
      stroke.samples.append(Sample(time: time, position: Point(x, y), pressure: force))
      if element[4]?.flag == true { stroke.gaps.append(index) }
    }
    return stroke
  }

  private static func float(_ value: JSONValue?) -> Float? {
    guard let real = value?.real else { return nil }
    let float = Float(real)
    return float.isFinite ? float : nil
  }
}
