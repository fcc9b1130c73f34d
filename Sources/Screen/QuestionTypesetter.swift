internal import Ink
internal import Text

/// Arranges a question and its choices.
///
/// The choices are beside one another if their words are of the usual size then, else in more rows. Where the text
/// needs the room, or a choice is long, letters shrink.
struct QuestionTypesetter {
  let typesetter: Typesetter
  let glass: Point
  let options: LayoutOptions
  let language: Language
  /// The smallest font size (em), in millimetres.
  let smallestSize: Float
  let hasCountdown: Bool

  /// A question that is arranged.
  struct Result {
    let layout: Layout
    let words: TextColumn.Result
    let labels: [Scene.ButtonLabel]
    /// The text that does not fit.
    var overflow: Scene.Overflow?
  }

  /// The smallest space beside a choice's words, in millimetres.
  private static let padding: Float = 2

  /// Arranges a question, with the first choice at the start or at the top.
  func typeset(title: String, text: String, choices: [String]) -> Result {
    // At a size of 1 mm: widths are proportional to the size.
    let widths = choices.map { line($0, 1).width }
    let layouts = arrangements(of: choices.count).map { columns in
      layout(ChoiceGrid(count: choices.count, columns: columns))
    }
    let sizes = layouts.map { size(of: widths, in: $0) }
    let usual = layouts.map { min(usualSize(in: $0), $0.textSize) }
    // Of each layout, once they are needed: typesetting takes long.
    var typeset = [TextColumn.Result?](repeating: nil, count: layouts.count)
    for isUsual in [true, false] {
      for index in layouts.indices
      where sizes[index] >= (isUsual ? usual[index] : smallestSize) {
        let words = typeset[index] ?? words(title, text, in: layouts[index])
        typeset[index] = words
        guard words.overflow == nil else { continue }
        return Result(
          layout: layouts[index], words: words,
          labels: labels(choices, sizes[index], layouts[index]))
      }
    }
    // The first arrangement has the most room for the text: else it is the choices that are too long.
    let words = typeset[0] ?? words(title, text, in: layouts[0])
    return Result(
      layout: layouts[0], words: words, labels: [],
      overflow: words.overflow ?? overflow(of: choices, in: layouts[0]))
  }

  /// The numbers of columns to try: all rows are full, or it is one column.
  private func arrangements(of count: Int) -> [Int] {
    count == 4 ? [4, 2, 1] : [count, 1]
  }

  private func layout(_ choices: ChoiceGrid) -> Layout {
    var parts = LayoutParts(
      countdown: hasCountdown, message: .none, rightToLeft: language.direction == .rightToLeft)
    parts.choices = choices
    return Layout(width: glass.x, height: glass.y, parts: parts, options: options)
  }

  /// The size of words that buttons of this height usually have.
  private func usualSize(in layout: Layout) -> Float {
    options.largestLabel(height: layout.area(of: .choice(0)).size.y)
  }

  /// The largest size at which all choices fit their buttons; 0: the buttons are too narrow for a finger.
  private func size(of widths: [Float], in layout: Layout) -> Float {
    let button = layout.area(of: .choice(0)).size
    guard min(button.x, button.y) >= options.smallestButton - 0.001, let widest = widths.max()
    else { return 0 }
    return min(usualSize(in: layout), (button.x - 2 * QuestionTypesetter.padding) / widest)
  }

  private func words(_ title: String, _ text: String, in layout: Layout) -> TextColumn.Result {
    TextColumn(
      typesetter: typesetter, area: layout.header, alignment: .centre, colour: .text,
      language: language, isCentred: true, smallestSize: smallestSize
    ).fit(title: title, text: text, in: layout)
  }

  private func labels(
    _ choices: [String], _ size: Float, _ layout: Layout
  ) -> [Scene.ButtonLabel] {
    choices.enumerated().map { index, choice in
      let button = Button.choice(index)
      let (area, line) = (layout.area(of: button), line(choice, size))
      let origin = Point(
        area.centre.x - line.width / 2, area.centre.y + line.capHeight / 2)
      return Scene.ButtonLabel(
        button: button, icon: nil, word: PlacedText(line: line, origin: origin, colour: .text))
    }
  }

  private func line(_ choice: String, _ size: Float) -> TextLine {
    typesetter.line(choice, TextStyle(size: size, bold: TextColumn.bold, language: language))
  }

  /// The number of letters that fit of the first choice that does not.
  private func overflow(of choices: [String], in layout: Layout) -> Scene.Overflow {
    let room = layout.area(of: .choice(0)).size.x - 2 * QuestionTypesetter.padding
    let style = TextStyle(size: smallestSize, bold: TextColumn.bold, language: language)
    let limits = choices.compactMap { choice in
      typesetter.block(choice, style, width: room, lines: 1).shown
    }
    return Scene.Overflow(parameter: "choices", limit: limits.first ?? 0)
  }
}
