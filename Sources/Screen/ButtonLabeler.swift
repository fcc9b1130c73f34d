internal import Ink
internal import Text

/// Labels all buttons of a layout in the same style.
///
/// Icon and word if there is room, else the word alone, else the icon alone, if the word would be too small
/// to read.
struct ButtonLabeler {
  let typesetter: Typesetter
  let words: Words
  let options: LayoutOptions

  /// The style of the labels.
  struct Style {
    /// Font size (em) in millimetres; 0: no words.
    var size: Float = 0
    /// Width of an icon in millimetres; 0: no icons beside words.
    var icon: Float = 0
    /// The minimum width of each button, in millimetres.
    var widths: [Float] = []
  }

  /// The style for a layout with buttons of equal width.
  func style(for layout: Layout) -> Style {
    let areas = layout.buttons.map { layout.area(of: $0) }
    guard let height = areas.map({ $0.size.y }).min() else { return Style() }
    // At a size of 1 mm: widths are proportional to the size.
    let widths = layout.buttons.map { line($0, 1).width }
    guard let widest = widths.max(), widths.allSatisfy({ $0 > 0 }) else { return Style() }
    if layout.hasRow {
      let gaps = Float(areas.count - 1) * layout.margin
      let room = layout.glass.size.x - 2 * layout.margin - gaps
      return style(of: widths, height: height, padding: 0.32, room: room)
    }
    // All buttons of a column are as wide as the widest word needs.
    var column = style(
      of: [widest], height: height, padding: 0.5,
      room: Layout.widestColumn * layout.glass.size.x)
    column.widths = column.widths.flatMap { [Float](repeating: $0, count: areas.count) }
    return column
  }

  /// The labels of a layout's buttons; nil: icons alone.
  func labels(of layout: Layout, in style: Style) -> [Scene.ButtonLabel]? {
    guard style.size > 0 else { return nil }
    return layout.buttons.map { label($0, layout, style) }
  }

  /// The style for a row of buttons.
  ///
  /// - Parameters:
  ///   - words: The widths of the words at a size of 1 mm.
  ///   - padding: Space beside a word, in heights of the button.
  private func style(
    of words: [Float], height: Float, padding: Float, room: Float
  ) -> Style {
    let largest = options.largestLabel(height: height)
    for icon in [0.62 * height, 0] {
      let extra = padding * height + icon
      let size = min(largest, (room - extra * Float(words.count)) / words.reduce(0, +))
      guard size >= (icon > 0 ? largest : options.smallestWords) else { continue }
      let widths = words.map { max($0 * size + extra, options.smallestButton) }
      guard widths.reduce(0, +) <= room + 0.01 else { continue }
      return Style(size: size, icon: icon, widths: widths)
    }
    return Style()
  }

  private func label(_ button: Button, _ layout: Layout, _ style: Style) -> Scene.ButtonLabel {
    Scene.ButtonLabel(
      button, in: layout.area(of: button), line(button, style.size), icon: style.icon,
      rightToLeft: layout.parts.rightToLeft)
  }

  private func line(_ button: Button, _ size: Float) -> TextLine {
    typesetter.line(
      button.word.map { words[$0] } ?? "",
      TextStyle(size: size, bold: TextColumn.bold, language: words.language))
  }
}

extension Scene.ButtonLabel {
  /// A word, with an icon before it unless the icon's width is 0, in the middle of a button.
  init(_ button: Button, in area: Area, _ line: TextLine, icon: Float, rightToLeft: Bool) {
    let width = icon + line.width
    // An icon has empty space around it: moving both towards it by 0.08 looks centred.
    let start = area.centre.x - width / 2 - 0.08 * icon
    let x = rightToLeft ? area.centre.x - width / 2 + 0.08 * icon : start + icon
    let word = PlacedText(
      line: line, origin: Point(x, area.centre.y + line.capHeight / 2), colour: .text)
    let left = rightToLeft ? x + line.width : start
    let place = Area(x: left, y: area.centre.y - icon / 2, width: icon, height: icon)
    self.init(button: button, icon: icon > 0 ? place : nil, word: word)
  }
}

extension Button {
  /// The pad's own word; nil: the client's.
  fileprivate var word: Word? {
    switch self {
    case .clear: .clear
    case .undo: .undo
    case .done: .done
    case .cancel: .cancel
    case .understood: .understood
    case .sign: .sign
    case .document: .document
    case .choice, .back, .forward: nil
    }
  }
}
