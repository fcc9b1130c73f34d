internal import Configuration
internal import Ink

/// Places the buttons of a layout along one side of the glass.
struct LayoutButtons {
  private(set) var placed: [(button: Button, area: Area)] = []
  /// The glass without the buttons: where a stroke may begin.
  private(set) var rest: Area
  /// The number of the page of a document, beside its buttons; nil: not a document.
  private(set) var counter: Area?

  private let gap: Float

  init(_ glass: Area, _ parts: LayoutParts, _ options: LayoutOptions, margin: Float) {
    gap = margin
    let (width, height) = (glass.size.x, glass.size.y)
    let buttonHeight =
      options.buttonHeight ?? min(max(0.16 * height, options.smallestButton), 16)
    let columnWidth =
      parts.buttonWidths.max() ?? min(2.2 * buttonHeight, Layout.widestColumn * width)
    let row = Area(x: margin, y: margin, width: width - 2 * margin, height: buttonHeight)
    let column = Area(x: margin, y: margin, width: columnWidth, height: height - 2 * margin)
    let (fromRow, fromColumn) = (row.end.y + margin, column.end.x + margin)
    if let choices = parts.choices {
      let used = Float(choices.rows) * (buttonHeight + margin) + margin
      let isAbove = options.buttons == .top
      rest = Area(x: 0, y: isAbove ? used : 0, width: width, height: height - used)
      placed = grid(
        choices, parts, isAbove ? row : row.moved(to: Point(margin, rest.end.y + margin)))
      return
    }
    let bar: Area
    switch options.buttons {
    case .bottom:
      rest = Area(x: 0, y: 0, width: width, height: height - fromRow)
      bar = row.moved(to: Point(margin, height - margin - buttonHeight))
    case .top:
      rest = Area(x: 0, y: fromRow, width: width, height: height - fromRow)
      bar = row
    case .left:
      rest = Area(x: fromColumn, y: 0, width: width - fromColumn, height: height)
      bar = column
    case .right:
      rest = Area(x: 0, y: 0, width: width - fromColumn, height: height)
      bar = column.moved(to: Point(width - margin - columnWidth, margin))
    }
    let isRow = options.buttons == .bottom || options.buttons == .top
    if parts.reading {
      for (button, area) in reading(
        parts, bar, isRow: isRow, highest: buttonHeight, smallest: options.smallestButton)
      {
        if let button { placed.append((button, area)) } else { counter = area }
      }
    } else {
      var parts = parts
      let (first, last) = buttons(parts)
      let unit = unit(of: isRow ? bar.size.x : bar.size.y, Float(first.count) + 1, last != nil)
      // Clear does without it.
      if parts.hasDocument, unit < options.smallestButton { parts.undo = false }
      placed = isRow ? self.row(parts, bar) : self.column(parts, bar, highest: buttonHeight)
    }
  }

  /// The bar of a document: *Cancel* if there is one, back, the number of the page (nil), forward; *Sign*, 1.5 times as
  /// long, is at the end.
  private func reading(
    _ parts: LayoutParts, _ bar: Area, isRow: Bool, highest: Float, smallest: Float
  ) -> [(button: Button?, area: Area)] {
    var buttons: [Button?] = (parts.cancel ? [.cancel] : []) + [.back, nil, .forward, .sign]
    let length = isRow ? bar.size.x : bar.size.y
    // Where the bar is short, fingers need the room of the number.
    if unit(of: length, Float(buttons.count), true) < smallest { buttons.removeAll { $0 == nil } }
    let largest = isRow ? 2.2 * bar.size.y : highest
    let unit = min(unit(of: length, Float(buttons.count), true), largest)
    return buttons.enumerated().map { index, button in
      let isLast = index == buttons.count - 1
      let size = isLast ? 1.5 * unit : unit
      let start = isLast ? length - size : Float(index) * (unit + gap)
      let (x, y) = (bar.origin.x, bar.origin.y)
      let area =
        isRow
        ? Area(x: x + start, y: y, width: size, height: bar.size.y)
        : Area(x: x, y: y + start, width: bar.size.x, height: size)
      return (button, isRow && parts.rightToLeft ? area.mirrored(in: bar) : area)
    }
  }

  /// The length of a button, of which the last one is 1.5 times as long if it is the main one.
  private func unit(of length: Float, _ count: Float, _ hasMain: Bool) -> Float {
    (length - gap * (count - 1)) / (count + (hasMain ? 0.5 : 0))
  }

  /// `last` is the main button.
  private func buttons(_ parts: LayoutParts) -> (first: [Button], last: Button?) {
    var first: [Button] = parts.cancel ? [.cancel] : []
    if parts.hasDocument { first.append(.document) }
    if parts.message == .signature { first += parts.undo ? [.clear, .undo] : [.clear] }
    switch parts.message {
    case .signature: return (first, .done)
    case .understood: return (first, .understood)
    case .none: return (first, nil)
    }
  }

  /// The choices of a question, in rows from the first one.
  private func grid(
    _ choices: ChoiceGrid, _ parts: LayoutParts, _ first: Area
  ) -> [(button: Button, area: Area)] {
    let columns = Float(choices.columns)
    let width = (first.size.x - (columns - 1) * gap) / columns
    return (0..<choices.count).map { index in
      let x = Float(index % choices.columns) * (width + gap)
      let y = Float(index / choices.columns) * (first.size.y + gap)
      let area = Area(
        x: first.origin.x + x, y: first.origin.y + y, width: width, height: first.size.y)
      return (.choice(index), parts.rightToLeft ? area.mirrored(in: first) : area)
    }
  }

  /// A row: the main button is at its end, the others at its start.
  private func row(_ parts: LayoutParts, _ row: Area) -> [(button: Button, area: Area)] {
    let (first, last) = buttons(parts)
    let widths = widths(
      count: first.count, hasLast: last != nil, needed: parts.buttonWidths, row)
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
    return areas.map { ($0.button, $0.area.mirrored(in: row)) }
  }

  /// A column: the main button is at the bottom, 1.5 times as high, the others at the top.
  private func column(
    _ parts: LayoutParts, _ column: Area, highest: Float
  ) -> [(button: Button, area: Area)] {
    let (first, last) = buttons(parts)
    let available = column.size.y - gap * Float(first.count + (last == nil ? -1 : 0))
    let shares = Float(first.count) + (last == nil ? 0 : 1.5)
    let height = min(available / max(shares, 1), highest)
    let (x, width) = (column.origin.x, column.size.x)
    var areas = first.enumerated().map { index, button in
      (
        button: button,
        area: Area(
          x: x, y: column.origin.y + Float(index) * (height + gap), width: width, height: height)
      )
    }
    if let last {
      areas.append(
        (last, Area(x: x, y: column.end.y - 1.5 * height, width: width, height: 1.5 * height)))
    }
    return areas
  }

  /// The widths of the buttons in a row.
  ///
  /// Equal widths at first, 1.5 times for the main button. A button whose word needs more gets more, from
  /// the free space and from buttons that are wider than they need.
  private func widths(
    count: Int, hasLast: Bool, needed: [Float], _ row: Area
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

/// A button of the pad.
public enum Button: Hashable, Sendable {
  /// Erases the ink.
  case clear
  /// Removes the last stroke.
  case undo
  /// Submits the signature.
  case done
  /// Ends the request without a signature.
  case cancel
  /// Acknowledges a message.
  case understood
  /// Answers a question; counts from 0.
  case choice(Int)
  /// Shows the previous page of a document.
  case back
  /// Shows the next page of a document.
  case forward
  /// Leaves the document for the line to sign on.
  case sign
  /// Shows the document again.
  case document
}
