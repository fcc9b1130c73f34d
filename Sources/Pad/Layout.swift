public import Ink

/// Where the parts of the pad are, in millimetres: the same hand meets the same sizes on every panel.
///
///     ┌──────────────────────────────────┐       ┌──────────────────────────────────┐
///     │ header                  countdown│       │                                  │
///     │                                  │       │             header               │
///     │              signing             │       │             (text)               │
///     │  ×─────────────────────────────  │       │                                  │
///     │ [cancel] [clear] [undo]   [done] │       │                            [OK]  │
///     └──────────────────────────────────┘       └──────────────────────────────────┘
///
/// Where lines start at the right, it is the mirror image.
public struct Layout: Equatable, Sendable {
  /// The smallest side of a button: a fingertip hits 9 mm (ISO 9241-411).
  public static let smallestButton: Float = 9

  /// The whole glass.
  public let glass: Area
  /// What there is room for.
  public let parts: LayoutParts
  /// Where a stroke may begin. The words are within it: ink may go over them.
  public let signing: Area
  /// From end to end of the line to sign on.
  public let line: (left: Point, right: Point)
  /// The middle of the × where the line starts.
  public let cross: Point
  /// Title and prompt, or a message.
  public let header: Area
  /// The time that is left; without room where there is no limit.
  public let countdown: Area
  /// What is left free at the borders and between buttons.
  public let margin: Float
  /// Of the prompt: an em in millimetres.
  public let textSize: Float
  private let buttonRow: [(button: Button, area: Area)]

  /// Lays the parts out on a glass of this size.
  public init(width: Float, height: Float, parts: LayoutParts = LayoutParts()) {
    self.parts = parts
    let margin = min(max(0.03 * min(width, height), 1.5), 6)
    self.margin = margin
    let buttonHeight = min(max(0.16 * height, Layout.smallestButton), 16)
    let row = height - margin - buttonHeight
    let size = min(max(0.05 * min(height, 0.8 * width), 2.8), 6)
    textSize = size
    glass = Area(x: 0, y: 0, width: width, height: height)
    signing = Area(x: 0, y: 0, width: width, height: row - margin)
    buttonRow = Layout.row(
      parts, Area(x: margin, y: row, width: width - 2 * margin, height: buttonHeight), margin)
    let mirror = { (area: Area) in
      parts.rightToLeft ? area.mirrored(in: width) : area
    }
    let inset = 1.5 * margin
    let countdownWidth = parts.countdown ? 7.5 * size : 0
    let top = Area(
      x: inset, y: inset, width: width - 2 * inset - countdownWidth,
      height: parts.message == .signature ? signing.size.y * 0.5 : row - 2 * inset)
    header = mirror(top)
    countdown = mirror(
      Area(x: width - inset - countdownWidth, y: inset, width: countdownWidth, height: 2.4 * size))
    let y = signing.size.y * 0.78
    let (start, end) = (2 * margin + 4, width - 2 * margin)
    cross = Point(parts.rightToLeft ? width - start + 3.2 : start - 3.2, y - 2.2)
    line =
      parts.rightToLeft
      ? (Point(width - end, y), Point(width - start, y)) : (Point(start, y), Point(end, y))
  }

  /// The buttons that there are.
  public var buttons: [Button] { buttonRow.map { $0.button } }

  /// The button that wipes the pad.
  public var clear: Area { area(of: .clear) }
  /// The button that sends the signature.
  public var done: Area { area(of: .done) }

  /// The button at a place, if there is one.
  public func button(at point: Point) -> Button? {
    buttonRow.first { $0.area.contains(point) }?.button
  }

  /// Where a button is; nowhere, if the layout has none of this kind.
  public func area(of button: Button) -> Area {
    buttonRow.first { $0.button == button }?.area ?? Area(x: -1, y: -1, width: 0, height: 0)
  }

  /// Equal where all parts are.
  public static func == (a: Layout, b: Layout) -> Bool { a.glass == b.glass && a.parts == b.parts }

  /// The buttons from the start of the row, and the one that ends the matter at its end.
  private static func row(
    _ parts: LayoutParts, _ row: Area, _ gap: Float
  ) -> [(button: Button, area: Area)] {
    var first: [Button] = parts.cancel ? [.cancel] : []
    if parts.message == .signature { first += parts.undo ? [.clear, .undo] : [.clear] }
    let last: Button? =
      switch parts.message {
      case .signature: .done
      case .understood: .understood
      case .none: nil
      }
    let widths = LayoutRow.widths(
      count: first.count, hasLast: last != nil, needed: parts.buttonWidths, row, gap)
    var x = row.origin.x
    var areas: [(button: Button, area: Area)] = []
    for (index, button) in first.enumerated() {
      areas.append((button, Area(x: x, y: row.origin.y, width: widths[index], height: row.size.y)))
      x += widths[index] + gap
    }
    if let last, let width = widths.last {
      areas.append(
        (last, Area(x: row.end.x - width, y: row.origin.y, width: width, height: row.size.y)))
    }
    guard parts.rightToLeft else { return areas }
    let width = row.size.x + 2 * row.origin.x
    return areas.map { ($0.button, $0.area.mirrored(in: width)) }
  }
}

/// How a row is shared among its buttons.
private enum LayoutRow {
  /// Alike, the one at the end half as wide again; then who needs more gets it, from what is left and
  /// from those that have more than they need.
  static func widths(
    count: Int, hasLast: Bool, needed: [Float], _ row: Area, _ gap: Float
  ) -> [Float] {
    let all = count + (hasLast ? 1 : 0)
    let available = row.size.x - gap * Float(max(0, all - 1))
    let shares = Float(count) + (hasLast ? 1.5 : 0)
    let unit = min(available / max(shares, 1), 2.2 * row.size.y)
    var widths = [Float](repeating: unit, count: count) + (hasLast ? [1.5 * unit] : [])
    guard needed.count == all else { return widths }
    let left = available - widths.reduce(0, +)
    let missing = zip(needed, widths).reduce(0) { $0 + max(0, $1.0 - $1.1) }
    let spare = zip(needed, widths).reduce(0) { $0 + max(0, $1.1 - $1.0) }
    let taken = spare > 0 ? min(1, max(0, missing - left) / spare) : 0
    for index in widths.indices {
      let more = needed[index] - widths[index]
      widths[index] += more > 0 ? more : more * taken
    }
    return widths
  }
}
