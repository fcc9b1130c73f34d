internal import ArgumentParser
import PNG

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws a recording with every stroke model, side by side.",
    discussion: """
      Below each whole drawing are its sharpest turn and its start, enlarged, with the panel's reports as \
      dots: there the models differ.
      """)

  @Argument(
    help: "A recording of evemu or libinput, handwriting in .svc, or a signature's strokes.json.",
    completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The sheet: a .png.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Device units per millimetre (default: the device's resolution, else a power of ten that makes a "
        + "size of a glass).",
      valueName: "n"))
  var unitsPerMm: Units?

  func run() throws {
    guard PictureFormat(output) == .png else {
      throw ToolError(.usage, "\(output): the output's name ends in .png")
    }
    let strokes = try StrokeFile(measured: file, units: unitsPerMm?.value)
    guard let comparison = Comparison(of: strokes) else {
      throw ToolError(.data, "\(file): no stroke in it leaves ink")
    }
    let sheet = comparison.sheet()
    let header = PNGHeader(
      width: sheet.width, height: sheet.height, pixels: .rgb, texts: [.software("Paraph")])
    let png: [UInt8]
    do throws(PNGError) {
      png = try unsafe PNGFile.encode(sheet.pixels.span.bytes, as: header)
    } catch { throw ToolError(.software, error.text) }
    try OutputFile.write(png, to: output)
  }
}
