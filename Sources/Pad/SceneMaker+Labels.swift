internal import Ink
internal import Text

extension SceneMaker {
  /// How the buttons of a row are labelled, alike on all of them: sign and word where there is room, else
  /// the word alone, else, because it would be too small to read, the sign alone.
  struct LabelStyle {
    /// An em in millimetres; 0: there are no words.
    var size: Float = 0
    /// How wide a sign is; 0: there is none beside the word.
    var sign: Float = 0
    /// How wide the buttons must be.
    var widths: [Float] = []
  }

  /// Capital letters of 1.6 mm: what a hurried reader makes out at arm's length.
  static var smallestWords: Float { 2.3 }

  /// The style for the buttons of a layout whose buttons are alike.
  func labelStyle(_ words: Words, _ layout: Layout) -> LabelStyle {
    let areas = layout.buttons.map { layout.area(of: $0) }
    guard let height = areas.map({ $0.size.y }).min() else { return LabelStyle() }
    // At 1 mm: widths grow with the size.
    let measured = layout.buttons.map {
      typesetter.line(words[$0.word], style(1, words.language)).width
    }
    guard let longest = measured.max(), measured.allSatisfy({ $0 > 0 }) else {
      return LabelStyle()
    }
    if layout.hasRow {
      let gaps = Float(areas.count - 1) * layout.margin
      let room = layout.glass.size.x - 2 * layout.margin - gaps
      return style(of: measured, height: height, air: 0.32, room: room)
    }
    // One below the other, they are as wide as the widest word asks for.
    var column = style(
      of: [longest], height: height, air: 0.5, room: Layout.widestColumn * layout.glass.size.x)
    column.widths = column.widths.flatMap { [Float](repeating: $0, count: areas.count) }
    return column
  }

  /// The style for buttons beside one another with words of these lengths at 1 mm.
  ///
  /// - Parameter air: Beside a word, in heights of the button.
  private func style(
    of measured: [Float], height: Float, air: Float, room: Float
  ) -> LabelStyle {
    let largest = min(0.34 * height, 4.6)
    for sign in [0.62 * height, 0] {
      let extra = air * height + sign
      let size = min(
        largest, (room - extra * Float(measured.count)) / measured.reduce(0, +))
      guard size >= (sign > 0 ? largest : SceneMaker.smallestWords) else { continue }
      let widths = measured.map { max($0 * size + extra, Layout.smallestButton) }
      guard widths.reduce(0, +) <= room + 0.01 else { continue }
      return LabelStyle(size: size, sign: sign, widths: widths)
    }
    return LabelStyle()
  }

  /// What stands on the buttons; nil: signs alone.
  func labels(_ words: Words, _ layout: Layout, _ style: LabelStyle) -> [ButtonLabel]? {
    guard style.size > 0 else { return nil }
    return layout.buttons.map { label($0, words, layout, style.size, sign: style.sign) }
  }

  private func style(_ size: Float, _ language: Language) -> TextStyle {
    TextStyle(size: size, bold: SceneMaker.bold, language: language)
  }

  private func label(
    _ button: Button, _ words: Words, _ layout: Layout, _ size: Float, sign: Float
  ) -> ButtonLabel {
    let area = layout.area(of: button)
    let line = typesetter.line(words[button.word], style(size, words.language))
    let width = sign + line.width
    // A sign has air around it: the pair is set a little to its side.
    let start = area.centre.x - width / 2 - 0.08 * sign
    let rightToLeft = layout.parts.rightToLeft
    let x = rightToLeft ? area.centre.x - width / 2 + 0.08 * sign : start + sign
    let word = PlacedText(
      line: line, origin: Point(x, area.centre.y + line.capHeight / 2), colour: .text)
    guard sign > 0 else { return ButtonLabel(button: button, sign: nil, word: word) }
    let left = rightToLeft ? x + line.width : start
    let place = Area(x: left, y: area.centre.y - sign / 2, width: sign, height: sign)
    return ButtonLabel(button: button, sign: place, word: word)
  }
}

extension Button {
  fileprivate var word: Word {
    switch self {
    case .clear: .clear
    case .undo: .undo
    case .done: .done
    case .cancel: .cancel
    case .understood: .understood
    }
  }
}
