internal import Configuration
internal import Control
internal import Ink
internal import Raster
internal import Text

/// Sets the pad's words for a glass. Belongs to the main thread: it may read font files.
struct SceneMaker {
  let typesetter: Typesetter
  let catalogues: CatalogueFolder
  /// The language where a request brings none.
  let language: Language
  /// The glass in millimetres.
  let glass: Point
  /// Whether there is a button *Undo*.
  let undo: Bool
  /// Where the theme wants the parts.
  var places = LayoutPlaces()
  /// The theme's pictures, if it has any.
  var picture: GroundPicture?

  /// Stems of titles and buttons are thicker by so much of an em.
  static let bold: Float = 0.03

  /// The pad by itself: the invitation of stand-alone mode, and what it says at rest.
  func resting() -> Scene {
    let parts = LayoutParts(undo: undo, rightToLeft: language.direction == .rightToLeft)
    return signature(nil, title: nil, prompt: nil, language, parts)
  }

  /// A request for a signature.
  func scene(_ request: SignRequest, timeLimit: Int64?) -> Scene {
    let language = request.language.flatMap { Language($0) } ?? language
    let parts = LayoutParts(
      undo: undo, cancel: request.cancellable, countdown: timeLimit != nil,
      rightToLeft: language.direction == .rightToLeft)
    return signature(
      request.number, title: request.title, prompt: request.prompt, language, parts)
  }

  /// A message.
  func scene(_ request: MessageRequest) -> Scene {
    let language = request.language.flatMap { Language($0) } ?? language
    let parts = LayoutParts(
      message: request.button ? .understood : .none,
      rightToLeft: language.direction == .rightToLeft)
    let words = catalogues.words(language)
    let (layout, style) = layout(parts, words)
    var texts = notices(words, layout)
    let size = 1.25 * layout.textSize
    texts.message = stacked(
      [(request.title ?? "", 1.2 * size, true, 1), (request.text, size, false, 3)],
      in: layout.header, .centre, .text, language, centred: true)
    return Scene(
      number: request.number, layout: layout, texts: texts, labels: labels(words, layout, style),
      picture: picture)
  }

  private func signature(
    _ number: Int64?, title: String?, prompt: String?, _ language: Language, _ parts: LayoutParts
  ) -> Scene {
    let words = catalogues.words(language)
    let (layout, style) = layout(parts, words)
    var texts = notices(words, layout)
    let alignment: TextAlignment = places.words == .centre ? .centre : .start
    func header(_ colour: PlacedText.Colour, _ first: String, _ second: String) -> [PlacedText] {
      // A short text that stands alone may be larger.
      if first.isEmpty {
        let large = stacked(
          [(second, 1.3 * layout.textSize, false, 2)], in: layout.header, alignment, colour,
          language)
        if large.count == 1 { return large }
      }
      return stacked(
        [(first, 1.1 * layout.textSize, true, 1), (second, layout.textSize, false, 3)],
        in: layout.header, alignment, colour, language)
    }
    let asked = prompt ?? words[.signHere]
    texts.header = header(.text, title ?? "", asked)
    texts.tooShort = header(.warning, "", words[.tooShort])
    texts.saving = header(.quiet, "", words[.saving])
    texts.saved = header(.notice, words[.thanks], words[.saved])
    return Scene(
      number: number, layout: layout, texts: texts, labels: labels(words, layout, style),
      countdown: parts.countdown ? countdown(words, layout) : nil, picture: picture)
  }

  /// With room on each button for its word.
  private func layout(_ parts: LayoutParts, _ words: Words) -> (Layout, LabelStyle) {
    let alike = Layout(width: glass.x, height: glass.y, parts: parts, places: places)
    let style = labelStyle(words, alike)
    var parts = parts
    parts.buttonWidths = style.widths
    return (Layout(width: glass.x, height: glass.y, parts: parts, places: places), style)
  }

  private func notices(_ words: Words, _ layout: Layout) -> SceneTexts {
    func notice(_ first: Word, _ second: Word?) -> [PlacedText] {
      stacked(
        [
          (words[first], 1.5 * layout.textSize, true, 2),
          (second.map { words[$0] } ?? "", layout.textSize, false, 2),
        ], in: layout.noticeWords, .centre, .notice, words.language)
    }
    var texts = SceneTexts()
    texts.cancelled = notice(.cancelled, nil)
    texts.timedOut = notice(.timedOut, nil)
    texts.outOfService = notice(.outOfService, .tryLater)
    return texts
  }

  /// Texts under one another: each with its size, whether it is bold, and how many lines it may have.
  /// What would go beyond the area gets fewer lines.
  private func stacked(
    _ texts: [(text: String, size: Float, bold: Bool, lines: Int)], in area: Area,
    _ alignment: TextAlignment, _ colour: PlacedText.Colour, _ language: Language,
    centred: Bool = false
  ) -> [PlacedText] {
    var placed: [PlacedText] = []
    var top: Float = 0
    for (text, size, bold, lines) in texts where !text.isEmpty {
      let style = TextStyle(size: size, bold: bold ? SceneMaker.bold : 0, language: language)
      let room = Int((area.size.y - top) / (TextBlock.lineHeight * size))
      let block = typesetter.block(
        text, style, width: area.size.x, lines: max(1, min(lines, room)))
      for index in block.lines.indices where !block.lines[index].isEmpty {
        let corner = area.origin + Point(0, top)
        let origin = block.origin(of: index, corner: corner, width: area.size.x, alignment)
        placed.append(PlacedText(line: block.lines[index], origin: origin, colour: colour))
      }
      top += block.height + 0.75 * size
    }
    guard centred, let last = placed.last else { return placed }
    let shift = Point(0, max(0, (area.size.y - (last.origin.y - area.origin.y)) / 2))
    return placed.map {
      PlacedText(line: $0.line, origin: $0.origin + shift, colour: $0.colour)
    }
  }

  private func countdown(_ words: Words, _ layout: Layout) -> CountdownText? {
    let digits = TextStyle(
      size: 1.15 * layout.textSize, bold: SceneMaker.bold, language: .english)
    let small = TextStyle(size: max(0.62 * layout.textSize, 2), language: words.language)
    let area = layout.countdown
    let lines = (0...9).map { typesetter.line("\($0)", digits) }
    guard lines.allSatisfy({ !$0.isEmpty }) else { return nil }
    let label = typesetter.line(words[.timeLeft], small, width: area.size.x)
    let digitArea = Area(
      x: area.origin.x, y: area.origin.y, width: area.size.x, height: lines[0].capHeight)
    let rightToLeft = layout.parts.rightToLeft
    let x = rightToLeft ? area.origin.x : area.end.x - label.width
    let y = digitArea.end.y + 0.6 * layout.textSize + label.capHeight
    return CountdownText(
      label: PlacedText(line: label, origin: Point(x, y), colour: .quiet), area: digitArea,
      digits: lines, colon: typesetter.line(":", digits), rightToLeft: rightToLeft)
  }
}
