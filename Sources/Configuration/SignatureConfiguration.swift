/// The section `[signature]`: the files of a finished signature.
public struct SignatureConfiguration: Equatable, Sendable {
  /// The resolution of the picture.
  public var resolution: SignatureResolution
  /// Whether the picture is trimmed to the ink.
  public var trim: Bool
  /// The margin around trimmed ink, in millimetres.
  public var margin: Float
  /// Whether signature.svg is written.
  public var svg: Bool
  /// Whether signature.inkml is written.
  public var inkml: Bool
  /// Whether strokes.json, the samples as the panel reported them, is written.
  public var json: Bool

  init(_ section: Section) {
    resolution = section.value("dpi", .resolution, default: .dpi(300))
    trim = section.value("trim", .flag, default: true)
    margin = section.value("margin", .decimal(0...100), default: 2)
    let formats = section.value(
      "formats", .list(of: ["png", "svg", "inkml", "json"]), default: ["png"])
    svg = formats.contains("svg")
    inkml = formats.contains("inkml")
    json = formats.contains("json")
    if !formats.contains("png") { section.refuse("formats", "must include png") }
  }
}

/// The resolution of a finished signature's picture.
public enum SignatureResolution: Equatable, Sendable {
  /// Dots per inch.
  case dpi(Int)
  /// The resolution of the panel.
  case panel
}

extension ValueType where Value == SignatureResolution {
  /// Dots per inch, or "panel".
  fileprivate static var resolution: ValueType {
    ValueType { text throws(Refusal) in
      if text == "panel" { return .panel }
      if let dpi = try? Number.integer(text, in: 50...2400) { return .dpi(dpi) }
      throw Refusal("must be panel or a whole number from 50 to 2400, not \"\(text)\"")
    }
  }
}
