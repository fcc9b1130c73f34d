/// The section `[ink]`.
public struct InkConfiguration: Equatable, Sendable {
  /// The name of the stroke model; nil: the default model.
  public var model: String?
  /// The colour as 0xRRGGBB.
  public var colour: UInt32
  /// The narrowest (fast) and widest (slow) ink in millimetres; nil: the model's own.
  public var width: ClosedRange<Float>?
  /// The prediction of the tail, in nanoseconds.
  public var prediction: Int64

  init(_ section: Section, models: [String], defaultColour: UInt32) {
    let known = models.contains("default") ? models : ["default"] + models
    model = section.value("model", .choice(known)).flatMap { $0 == "default" ? nil : $0 }
    colour = section.value("colour", .colour, unless: "auto") ?? defaultColour
    width = section.value("width", .inkWidth, unless: "auto")
    // At most a frame of 60 Hz.
    prediction = section.value("prediction", .duration(0...16_000_000)) ?? 0
  }
}

extension ValueType where Value == ClosedRange<Float> {
  /// "0.3 1.2", in millimetres.
  fileprivate static var inkWidth: ValueType {
    ValueType { text throws(Refusal) in
      let numbers = Words.split(text).compactMap { Number.decimal($0) }
      guard numbers.count == 2, Words.split(text).count == 2, numbers[0] >= 0.1, numbers[1] <= 5,
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
