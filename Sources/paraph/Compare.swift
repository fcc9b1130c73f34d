import Commands
import PNG

struct Compare: Runnable {
  static var command: Command {
    Command(
      "compare", "Draw a recording with every stroke model, side by side.",
      discussion: [
        "Below each whole drawing are two enlarged details, its sharpest turn and its start, where the models "
          + "differ most. Dots mark the panel's reports."
      ],
      options: [
        Option(
          "output", short: "o", value: "FILE", values: .file(["png"]), isRequired: true,
          "Write the sheet to FILE, a .png."),
        .unitsPerMillimetre("a power of ten that makes the drawing fit on a panel"),
      ],
      operands: [.strokes],
      examples: [
        Command.Example(
          "paraph compare hand.evemu -o sheet.png", "Compare the models with a recorded hand.")
      ])
  }

  private let file: String
  private let output: String
  private let unitsPerMillimetre: Double?

  init(_ arguments: Arguments) throws(UsageError) {
    file = arguments.operands.first ?? ""
    output = try arguments.required("output")
    unitsPerMillimetre = try arguments.unitsPerMillimetre()
    if PictureFormat(output) != .png {
      throw arguments.error("option '--output': '\(output)' does not end in .png")
    }
  }

  func run() throws(ToolError) {
    let strokes = try StrokeFile(measured: file, units: unitsPerMillimetre)
    guard let comparison = Comparison(of: strokes) else {
      throw ToolError(.data, "\(file): no ink in it")
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
