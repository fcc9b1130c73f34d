/// How ink looks.
public struct InkConfiguration: Equatable, Sendable {
  /// The name of the stroke model; nil: the program's default.
  public var model: String?
  /// 0xRRGGBB.
  public var colour: UInt32
  /// Millimetres from fast to slow; nil: the model's own.
  public var width: ClosedRange<Float>?
  /// Nanoseconds by which the ink runs ahead of the hand.
  public var prediction: Int64

  init(_ section: Section, models: [String], defaultColour: UInt32) {
    let known = models.contains("default") ? models : ["default"] + models
    model = section.value("model", .choice(known)).flatMap { $0 == "default" ? nil : $0 }
    colour = section.value("colour", .colour, unless: "auto") ?? defaultColour
    width = section.value("width", .inkWidth, unless: "auto")
    // A frame of 60 Hz.
    prediction = section.value("prediction", .duration(0...16_000_000)) ?? 0
  }
}

extension ValueType where Value == ClosedRange<Float> {
  /// "0.3 1.2", in millimetres.
  fileprivate static var inkWidth: ValueType {
    ValueType { text throws(Refusal) in
      let numbers = Words.cut(text).compactMap { Number.decimal($0) }
      guard numbers.count == 2, Words.cut(text).count == 2, numbers[0] >= 0.1, numbers[1] <= 5,
        numbers[0] <= numbers[1]
      else {
        throw Refusal(
          "must be auto, or the narrowest and the widest ink in millimetres from 0.1 to 5,"
            + " not \"\(text)\"")
      }
      return Float(numbers[0])...Float(numbers[1])
    }
  }
}
