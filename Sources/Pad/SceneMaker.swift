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
    let message = fitted(
      [
        Text("title", request.title ?? "", 1.2 * size, bold: true, lines: 1),
        Text("text", request.text, size, lines: 3),
      ], in: layout.header, .centre, .text, language, centred: true)
    texts.message = message.placed
    return Scene(
      number: request.number, layout: layout, texts: texts, labels: labels(words, layout, style),
      picture: picture, overflow: message.overflow)
  }

  private func signature(
    _ number: Int64?, title: String?, prompt: String?, _ language: Language, _ parts: LayoutParts
  ) -> Scene {
    let words = catalogues.words(language)
    let (layout, style) = layout(parts, words)
    var texts = notices(words, layout)
    let alignment: TextAlignment = places.words == .centre ? .centre : .start
    func header(_ colour: PlacedText.Colour, _ first: String, _ second: String) -> Stack {
      // A short text that stands alone may be larger.
      if first.isEmpty {
        let large = stacked(
          [Text("prompt", second, 1.3 * layout.textSize, lines: 2)], in: layout.header, alignment,
          colour, language)
        if large.placed.count == 1 && large.overflow == nil { return large }
      }
      return fitted(
        [
          Text("title", first, 1.1 * layout.textSize, bold: true, lines: 1),
          Text("prompt", second, layout.textSize, lines: 3),
        ], in: layout.header, alignment, colour, language)
    }
    let asked = header(.text, title ?? "", prompt ?? words[.signHere])
    texts.header = asked.placed
    texts.tooShort = header(.warning, "", words[.tooShort]).placed
    texts.saving = header(.quiet, "", words[.saving]).placed
    texts.saved = header(.notice, words[.thanks], words[.saved]).placed
    return Scene(
      number: number, layout: layout, texts: texts, labels: labels(words, layout, style),
      countdown: parts.countdown ? countdown(words, layout) : nil, picture: picture,
      overflow: asked.overflow)
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
          Text("", words[first], 1.5 * layout.textSize, bold: true, lines: 2),
          Text("", second.map { words[$0] } ?? "", layout.textSize, lines: 2),
        ], in: layout.noticeWords, .centre, .notice, words.language
      ).placed
    }
    var texts = SceneTexts()
    texts.cancelled = notice(.cancelled, nil)
    texts.timedOut = notice(.timedOut, nil)
    texts.outOfService = notice(.outOfService, .tryLater)
    return texts
  }

  /// A text of a scene.
  private struct Text {
    /// The call's parameter.
    let parameter: String
    let text: String
    /// An em in millimetres.
    var size: Float
    let isBold: Bool
    /// How many it may have at most.
    var lines: Int

    init(_ parameter: String, _ text: String, _ size: Float, bold: Bool = false, lines: Int) {
      (self.parameter, self.text, self.size) = (parameter, text, size)
      (isBold, self.lines) = (bold, lines)
    }
  }

  /// Texts under one another, and the first of them that does not fit.
  private struct Stack {
    var placed: [PlacedText] = []
    var overflow: TextOverflow?
  }

  /// Texts under one another as they are wanted; where they do not fit so, in smaller letters and more
  /// lines, down to what can still be read. What does not fit even then is cut, and named.
  private func fitted(
    _ texts: [Text], in area: Area, _ alignment: TextAlignment, _ colour: PlacedText.Colour,
    _ language: Language, centred: Bool = false
  ) -> Stack {
    var stack = stacked(texts, in: area, alignment, colour, language, centred: centred)
    let least = texts.map { $0.size }.min() ?? 0
    var scale: Float = 1
    while stack.overflow != nil, scale * least >= SceneMaker.smallestWords {
      let smaller = texts.map { text in
        var text = text
        text.size *= scale
        // Of a title, more would be a prompt.
        text.lines = text.isBold ? 2 : .max
        return text
      }
      stack = stacked(smaller, in: area, alignment, colour, language, centred: centred)
      scale *= 0.94
    }
    return stack
  }

  /// The same at one size. What would go beyond the area gets fewer lines.
  private func stacked(
    _ texts: [Text], in area: Area, _ alignment: TextAlignment, _ colour: PlacedText.Colour,
    _ language: Language, centred: Bool = false
  ) -> Stack {
    var stack = Stack()
    var top: Float = 0
    for text in texts where !text.text.isEmpty {
      let style = TextStyle(
        size: text.size, bold: text.isBold ? SceneMaker.bold : 0, language: language)
      let room = Int(max(0, (area.size.y - top) / (TextBlock.lineHeight * text.size)))
      let block = typesetter.block(
        text.text, style, width: area.size.x, lines: max(1, min(text.lines, room)))
      for index in block.lines.indices where !block.lines[index].isEmpty {
        let corner = area.origin + Point(0, top)
        let origin = block.origin(of: index, corner: corner, width: area.size.x, alignment)
        stack.placed.append(PlacedText(line: block.lines[index], origin: origin, colour: colour))
      }
      let isBelow = top + block.height > area.size.y + 0.01
      if stack.overflow == nil, isBelow || block.shown != nil {
        stack.overflow = TextOverflow(
          parameter: text.parameter, limit: isBelow ? 0 : block.shown ?? 0)
      }
      top += block.height + 0.75 * text.size
    }
    guard centred, let last = stack.placed.last else { return stack }
    let shift = Point(0, max(0, (area.size.y - (last.origin.y - area.origin.y)) / 2))
    stack.placed = stack.placed.map {
      PlacedText(line: $0.line, origin: $0.origin + shift, colour: $0.colour)
    }
    return stack
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
