internal import ArgumentParser
import Ink
import Signature

struct Trace: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the centre line of the finished ink.",
    discussion: """
      One line for each point, separated by tabs: stroke (from 0, without holes), x and y in mm, and the \
      width of the ink there in mm. Points of a stroke are at most 0.1 mm apart, and the last one is where \
      its ink ends. Coordinates are the file's, divided by the units of a millimetre: nothing is turned, \
      trimmed or moved. Where events were lost a new stroke begins.
      """)

  @Argument(
    help: "A recording of evemu or libinput, handwriting in .svc, or a signature's strokes.json.",
    completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The stroke model.")
  var model: ModelName?

  @Option(
    help: ArgumentHelp(
      "Device units per millimetre (default: the device's resolution; 1 for .svc).",
      valueName: "n"))
  var unitsPerMm: Units?

  /// The longest way that is traced, in millimetres: ten million lines.
  private static let longest: Float = 1_000_000

  func run() throws {
    let strokes = try StrokeFile(bounded: file, units: unitsPerMm?.value)
    guard strokes.strokes.reduce(0, { $0 + $1.length }) <= Trace.longest else {
      throw ToolError(
        .data,
        "\(file): the strokes are longer than \(Int(Trace.longest)) mm (check --units-per-mm)")
    }
    let kind = StrokeModel.Kind.chosen(model, strokes)
    var output = StandardOutput()
    let decimals = FixedPoint(decimals: 5)
    // Rounding the last decimal must not take two points further apart than promised.
    try CentreLine.walk(strokes.strokes, by: kind, spacing: 0.0999) { line, point in
      try output.line { text in
        FixedPoint(decimals: 0).append(units: Int64(line), to: &text)
        for value in [point.position.x, point.position.y, point.weight] {
          text.append(UInt8(ascii: "\t"))
          decimals.append(value, to: &text)
        }
      }
    }
    try output.flush()
  }
}
