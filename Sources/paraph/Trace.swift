import Commands
import Ink
import Signature

struct Trace: Runnable {
  static var command: Command {
    Command(
      "trace", "Print the centre line of the finalised ink.",
      discussion: [
        "Prints one line per point with these fields between tabs: stroke (from 0), x and y in mm, and the width "
          + "of the ink there in mm. Points of a stroke are at most 0.1 mm apart; the last one is the end of its "
          + "ink. A stroke is split where events were lost.",
        "Coordinates are those of the file, divided by the units per millimetre; nothing is rotated, trimmed or "
          + "moved.",
      ],
      options: [.model, .unitsPerMillimetre("1")], operands: [.strokes],
      examples: [
        Command.Example("paraph trace hand.evemu > hand.tsv", "Print a recorded hand for a plot.")
      ])
  }

  private let file: String
  private let model: String?
  private let unitsPerMillimetre: Double?

  init(_ arguments: Arguments) throws(UsageError) {
    file = arguments.operands.first ?? ""
    model = arguments.value("model")
    unitsPerMillimetre = try arguments.unitsPerMillimetre()
  }

  /// The length limit in millimetres: ten million lines.
  private static let longest: Float = 1_000_000

  func run() throws(ToolError) {
    let strokes = try StrokeFile(bounded: file, units: unitsPerMillimetre)
    guard strokes.strokes.reduce(0, { $0 + $1.length }) <= Trace.longest else {
      throw ToolError(
        .data,
        "\(file): the strokes are longer than \(Int(Trace.longest)) mm (check --units-per-mm)")
    }
    let kind = strokes.kind(named: model)
    var output = StandardOutput()
    let decimals = FixedPoint(decimals: 5)
    // Rounding the last decimal must not increase the distance above 0.1 mm.
    try CentreLine.walk(strokes.strokes, by: kind, spacing: 0.0999) {
      (line, point) throws(ToolError) in
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
