internal import Ink
internal import JSON

extension RecordedStrokes {
  /// Reads strokes.json, which may be anybody's.
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
        throw Self.refuse("stroke \(index) has no samples, or a sample that is none")
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
