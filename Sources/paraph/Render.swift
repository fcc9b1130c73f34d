internal import ArgumentParser
import Ink
import PNG
import Raster
import Signature

struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws a recording or a signature as the pad draws it.",
    discussion: """
      The suffix of the output tells the format: .png (8-bit grey, black ink on white paper), .svg (the \
      outlines of the ink) or .inkml (the strokes). The picture ends 2 mm beyond the ink unless --no-trim \
      keeps all of the glass.
      """)

  @Argument(
    help: "A recording of evemu or libinput, handwriting in .svc, or a signature's strokes.json.",
    completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The picture: .png, .svg or .inkml.", completion: .file())
  var output: String

  @Option(
    name: .shortAndLong,
    help: "The stroke model (default: what drew the signature, else the program's own).")
  var model: ModelName?

  @Option(help: "Pixels per inch, 1 to 4800 (default: 300).")
  var dpi: Density?

  @Option(
    help: ArgumentHelp(
      "Device units per millimetre (default: the device's resolution, else a power of ten that makes a "
        + "size of a glass).",
      valueName: "n"))
  var unitsPerMm: Units?

  @Option(help: ArgumentHelp("White around the ink, 0 to 100 mm.", valueName: "mm"))
  var margin: Margin = Margin()

  @Flag(inversion: .prefixedNo, help: "Whether the picture ends around the ink.")
  var trim = true

  @Flag(help: "Ink on nothing instead of on white paper (.png).")
  var transparent = false

  func run() throws {
    guard let format = PictureFormat(output) else {
      throw ToolError(.usage, "\(output): the output's name ends in .png, .svg or .inkml")
    }
    let strokes = try StrokeFile(measured: file, units: unitsPerMm?.value)
    try OutputFile.write(try picture(format, strokes), to: output)
  }

  private func picture(_ format: PictureFormat, _ strokes: StrokeFile) throws -> [UInt8] {
    let kind = StrokeModel.Kind.chosen(model, strokes)
    do throws(InkPicture.Refusal) {
      switch format {
      case .inkml: return InkML.write(strokes.strokes, glass: strokes.glass)
      case .svg:
        return try SVG.write(
          strokes.strokes, by: kind, law: strokes.law, frame: frame(strokes))
      case .png: break
      }
    } catch { throw ToolError(error, file) }
    return try png(strokes, kind)
  }

  private func png(_ strokes: StrokeFile, _ kind: StrokeModel.Kind) throws -> [UInt8] {
    let scale = try dpi?.scale(of: strokes, file) ?? Scale(dpi: 300)
    let picture: InkPicture
    do throws(InkPicture.Refusal) {
      picture = try InkPicture(
        of: strokes.strokes, by: kind, law: strokes.law, scale: scale, frame: frame(strokes))
    } catch { throw ToolError(error, file) }
    let header = PNGHeader(
      width: picture.width, height: picture.height,
      pixels: transparent ? .ink(red: 0, green: 0, blue: 0) : .darkness, scale: scale,
      texts: [.software("Paraph")])
    do throws(PNGError) {
      return try unsafe PNGFile.encode(picture.coverage.span.bytes, as: header)
    } catch { throw ToolError(.software, error.text) }
  }

  /// Without a glass that is known, all of it reaches from the origin to beyond the ink.
  private func frame(_ strokes: StrokeFile) -> InkPicture.Frame {
    if trim { return .ink(margin: margin.millimetres) }
    if let glass = strokes.glass { return .glass(glass) }
    let places = strokes.strokes.flatMap(\.samples).map(\.position)
    let far = places.reduce(Point.zero) { Point(max($0.x, $1.x), max($0.y, $1.y)) }
    return .glass(far + Point(repeating: margin.millimetres))
  }
}

extension ToolError {
  /// Why a file gives no picture.
  init(_ refusal: InkPicture.Refusal, _ path: String) {
    switch refusal {
    case .noInk: self.init(.data, "\(path): no stroke in it leaves ink")
    case .tooLarge:
      self.init(
        .data, "\(path): the picture would be too large: lower --dpi or check --units-per-mm")
    }
  }
}
