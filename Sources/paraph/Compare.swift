import Commands
import Ink
import PNG
import Raster
import Signature

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
      throw ToolError(.data, "\(file): no ink")
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

/// A sheet with a recording drawn by every model.
///
/// The upper row shows the whole drawing, the lower rows two magnified details with the reports as dots.
struct Comparison {
  private static let page: UInt32 = 0xF4F1EA, paper: UInt32 = 0xFFFFFF, edge: UInt32 = 0xDDD6C8
  private static let ink: UInt32 = 0x1B2A49, text: UInt32 = 0x3D405B, report: UInt32 = 0xFF7A45
  private static let turnColour: UInt32 = 0x2A9D8F, startColour: UInt32 = 0xD08C1F
  private static let column: Int32 = 460, gap: Int32 = 24, title: Int32 = 46
  private static let glassHeight: Int32 = 345

  private let strokes: [Stroke]
  private let places: [Point]
  private let kinds = StrokeModel.Kind.allCases
  /// The corners of the upper row's part, in millimetres.
  private let from: Point, to: Point
  /// The width of a magnified cell in millimetres.
  private let view: Float
  private let turn: Point, start: Point

  /// Nil without ink.
  init?(of file: StrokeFile) {
    places = file.places
    strokes = file.strokes
    guard let first = places.first else { return nil }
    let least = places.reduce(first) { Point(min($0.x, $1.x), min($0.y, $1.y)) }
    let most = places.reduce(first) { Point(max($0.x, $1.x), max($0.y, $1.y)) }
    (from, to) = (least - Point(repeating: 2), most + Point(repeating: 2))
    view = min(max((to.x - from.x) / 9, 3), 10)
    turn = SharpestTurn.place(in: strokes) ?? first
    // The cell also shows where the ink continues.
    let next = places.first { [view] in ($0 - first).length > view * 0.4 } ?? first
    start = (first + next) / 2
  }

  /// Draws the sheet.
  func sheet() -> Sheet {
    let overview = overviewHeight
    let rows = [overview, Self.glassHeight, Self.glassHeight]
    let height = Self.title + rows.reduce(Self.gap) { $0 + $1 + Self.gap }
    let width = Self.gap + Int32(kinds.count) * (Self.column + Self.gap)
    var sheet = Sheet(width: Int(width), height: Int(height), colour: Self.page)
    for (index, kind) in kinds.enumerated() {
      let x = Self.gap + Int32(index) * (Self.column + Self.gap)
      let name = kind == .standard ? "\(kind.rawValue) (default)" : kind.rawValue
      sheet.write(name, x: x + 2, y: Self.title + 2, unit: 3, colour: Self.text)
      var y = Self.title + Self.gap
      drawOverview(kind, PixelRect(x, y, x + Self.column, y + overview), on: &sheet)
      y += overview + Self.gap
      for (name, place, colour) in [
        ("sharpest turn", turn, Self.turnColour), ("start", start, Self.startColour),
      ] {
        let cell = PixelRect(x, y, x + Self.column, y + Self.glassHeight)
        magnify(kind, place, cell, colour, on: &sheet)
        sheet.write(name, x: x + 14, y: cell.y1 - 14, unit: 2, colour: colour)
        y += Self.glassHeight + Self.gap
      }
    }
    return sheet
  }

  private var overviewScale: Float {
    let size = to - from
    return min(Float(Self.column) / size.x, Float(Self.column) / size.y)
  }

  private var overviewHeight: Int32 {
    min(max(Int32(((to.y - from.y) * overviewScale).rounded(.up)), 120), Self.column)
  }

  private func drawOverview(
    _ kind: StrokeModel.Kind, _ cell: PixelRect, on sheet: inout Sheet
  ) {
    let scale = overviewScale
    let size = SIMD2(Float(cell.width), Float(cell.height))
    let offset = size / 2 - (from + to) / 2 * scale
    draw(kind, cell, scale, offset, on: &sheet)
    for (place, colour) in [(turn, Self.turnColour), (start, Self.startColour)] {
      let half = SIMD2(view, view * Float(Self.glassHeight) / Float(Self.column)) / 2
      let (a, b) = ((place - half) * scale + offset, (place + half) * scale + offset)
      let box = PixelRect(
        cell.x0 + Int32(a.x), cell.y0 + Int32(a.y), cell.x0 + Int32(b.x), cell.y0 + Int32(b.y))
      sheet.frame(box.intersection(cell), colour, thickness: 2)
    }
    sheet.frame(cell, Self.edge, thickness: 1)
  }

  private func magnify(
    _ kind: StrokeModel.Kind, _ place: Point, _ cell: PixelRect, _ colour: UInt32,
    on sheet: inout Sheet
  ) {
    let scale = Float(cell.width) / view
    let offset = SIMD2(Float(cell.width), Float(cell.height)) / 2 - place * scale
    draw(kind, cell, scale, offset, on: &sheet)
    let reports = places.map { $0 * scale + offset }
    sheet.dots(reports, in: cell, radius: 3.2, colour: Self.report)
    sheet.frame(cell, colour, thickness: 2)
  }

  private func draw(
    _ kind: StrokeModel.Kind, _ cell: PixelRect, _ scale: Float, _ offset: SIMD2<Float>,
    on sheet: inout Sheet
  ) {
    sheet.fill(cell, Self.paper)
    var drawing = DrawingModel(
      kind, width: cell.width, height: cell.height, scale: Scale(x: scale, y: scale),
      offset: offset, capacity: strokes.reduce(1) { $0 + $1.samples.count })
    for stroke in strokes { drawing.draw(stroke) }
    sheet.blend(drawing.picture().coverage, cell, Self.ink)
  }
}

/// Finds the sharpest turn of strokes.
private enum SharpestTurn {
  /// The distance before and after a turn for its direction, in millimetres, above the panel's noise.
  private static let reach: Float = 0.8

  /// The position of the sharpest turn; nil if all strokes are too short.
  static func place(in strokes: [Stroke]) -> Point? {
    var best: (cosine: Float, place: Point)?
    for places in strokes.map({ $0.samples.map { $0.position } }) {
      for index in places.indices {
        let here = places[index]
        guard
          let before = places[..<index].last(where: { ($0 - here).length >= reach }),
          let after = places[index...].first(where: { ($0 - here).length >= reach })
        else { continue }
        let (a, b) = (here - before, after - here)
        let cosine = (a * b).sum() / (a.length * b.length)
        if best == nil || cosine < best?.cosine ?? 1 { best = (cosine, here) }
      }
    }
    return best?.place
  }
}
