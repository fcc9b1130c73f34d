import Commands
import Ink
import PNG
import Raster
import Signature

struct Render: Runnable {
  static var command: Command {
    Command(
      "render", "Draw a recording or a signature as the pad draws it.",
      discussion: [
        "The suffix of the output selects the format: .png (8-bit grey, black ink on white paper), .svg (the "
          + "outlines of the ink) or .inkml (the strokes)."
      ],
      options: [
        Option(
          "output", short: "o", value: "FILE", values: .file(["png", "svg", "inkml"]),
          isRequired: true,
          "Write the picture to FILE: .png, .svg or .inkml."),
        .model, Density.option,
        .unitsPerMillimetre("a power of ten that makes the drawing fit on a panel"),
        Option(
          "margin", value: "MM", default: "2",
          "Set the margin around the ink, from 0 to 100 mm."),
        Option(flag: "trim", "Trim the picture to the ink. This is the default."),
        Option(flag: "no-trim", "Draw the whole panel."),
        Option(flag: "transparent", "Make the background transparent (.png)."),
        Option(flag: "animate", "Show the ink growing as the hand drew it (.svg)."),
      ],
      operands: [.strokes],
      examples: [
        Command.Example(
          "paraph render hand.evemu -o hand.svg", "Draw a recorded hand as outlines."),
        Command.Example(
          "paraph render hand.evemu --animate -o hand.svg", "Show how a recorded hand draws."),
        Command.Example(
          "paraph render strokes.json --no-trim --dpi panel -o signature.png",
          "Draw a signature as it was on the panel."),
      ])
  }

  private let file: String
  private let output: String
  private let format: PictureFormat
  private let model: String?
  private let density: Density
  private let unitsPerMillimetre: Double?
  private let margin: Float
  private let isTrimmed: Bool
  private let isTransparent: Bool
  private let isAnimated: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    file = arguments.operands.first ?? ""
    output = try arguments.required("output")
    guard let format = PictureFormat(output) else {
      throw arguments.error("option '--output': '\(output)' does not end in .png, .svg or .inkml")
    }
    self.format = format
    model = arguments.value("model")
    density = try Density(arguments)
    unitsPerMillimetre = try arguments.unitsPerMillimetre()
    let margin = try arguments.number("margin", "a number from 0 to 100") { $0 >= 0 && $0 <= 100 }
    self.margin = margin.map { Float($0) } ?? 2
    isTrimmed = arguments.has("trim", butNot: "no-trim", default: true)
    isTransparent = arguments.has("transparent")
    isAnimated = arguments.has("animate")
    if isAnimated, format != .svg {
      throw arguments.error("option '--animate': '\(output)' does not end in .svg")
    }
  }

  func run() throws(ToolError) {
    let strokes = try StrokeFile(measured: file, units: unitsPerMillimetre)
    try OutputFile.write(try picture(strokes), to: output)
  }

  private func picture(_ strokes: StrokeFile) throws(ToolError) -> [UInt8] {
    let kind = strokes.kind(named: model)
    do throws(InkPicture.Refusal) {
      switch format {
      case .inkml: return InkML.write(strokes.strokes, glass: strokes.glass)
      case .svg where isAnimated:
        return try SVG.animate(
          strokes.strokes, by: kind, law: strokes.law, frame: frame(strokes))
      case .svg:
        return try SVG.write(
          strokes.strokes, by: kind, law: strokes.law, frame: frame(strokes))
      case .png: break
      }
    } catch { throw ToolError(error, file) }
    return try png(strokes, kind)
  }

  private func png(_ strokes: StrokeFile, _ kind: StrokeModel.Kind) throws(ToolError) -> [UInt8] {
    let scale = try density.scale(of: strokes, file)
    let picture: InkPicture
    do throws(InkPicture.Refusal) {
      picture = try InkPicture(
        of: strokes.strokes, by: kind, law: strokes.law, scale: scale, frame: frame(strokes))
    } catch { throw ToolError(error, file) }
    let header = PNGHeader(
      width: picture.width, height: picture.height,
      pixels: isTransparent ? .ink(red: 0, green: 0, blue: 0) : .darkness, scale: scale,
      texts: [.software("Paraph")])
    do throws(PNGError) {
      return try unsafe PNGFile.encode(picture.coverage.span.bytes, as: header)
    } catch { throw ToolError(.software, error.text) }
  }

  /// The part to draw; without a known glass, from the origin to beyond the ink.
  private func frame(_ strokes: StrokeFile) -> InkPicture.Frame {
    if isTrimmed { return .ink(margin: margin) }
    if let glass = strokes.glass { return .glass(glass) }
    let places = strokes.strokes.flatMap { $0.samples }.map { $0.position }
    let far = places.reduce(Point.zero) { Point(max($0.x, $1.x), max($0.y, $1.y)) }
    return .glass(far + Point(repeating: margin))
  }
}

extension ToolError {
  /// The error of a file that yields no picture.
  init(_ refusal: InkPicture.Refusal, _ path: String) {
    switch refusal {
    case .noInk: self.init(.data, "\(path): no ink")
    case .tooLarge:
      self.init(
        .data, "\(path): the picture is too large (lower --dpi or check --units-per-mm)")
    }
  }
}
