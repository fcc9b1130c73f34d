/// What becomes of a finished signature.
public struct SignatureConfiguration: Equatable, Sendable {
  /// How finely the picture is drawn.
  public var resolution: SignatureResolution
  /// Whether the picture ends where the ink does.
  public var trim: Bool
  /// White around trimmed ink, in millimetres.
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
    if !formats.contains("png") { section.refuse("formats", "png cannot be left out") }
  }
}
