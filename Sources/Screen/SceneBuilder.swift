internal import Configuration
public import Ink
public import Raster
public import Text

/// Builds scenes for a glass: typesets the words of a request and the pad's own.
///
/// Belongs to the main thread: it may read font files.
public struct SceneBuilder {
  private let typesetter: Typesetter
  private let catalogues: CatalogueFolder
  private let language: Language
  private let glass: Point
  private let pixelAspect: Float
  private let undo: Bool
  private let options: LayoutOptions
  private let picture: GroundPicture?
  /// The smallest font size of requests, in millimetres.
  private var smallestSize: Float

  /// - Parameters:
  ///   - language: The language of requests that name none.
  ///   - glass: Width and height in millimetres.
  ///   - pixelAspect: The height of the panel's pixels by their width.
  ///   - undo: Whether there is a button *Undo*.
  ///   - options: The theme's options for the layout.
  ///   - picture: The theme's background and logo.
  public init(
    typesetter: Typesetter, catalogues: CatalogueFolder, language: Language, glass: Point,
    pixelAspect: Float = 1, undo: Bool, options: LayoutOptions = LayoutOptions(),
    picture: GroundPicture? = nil
  ) {
    self.typesetter = typesetter
    self.catalogues = catalogues
    self.language = language
    self.glass = glass
    self.pixelAspect = pixelAspect
    self.undo = undo
    self.options = options
    self.picture = picture
    smallestSize = options.smallestWords
  }

  /// A builder whose letters may be too small to read: a request that is open is shown whole on any panel.
  public var shrinking: SceneBuilder {
    var builder = self
    builder.smallestSize = 0.3
    return builder
  }

  /// The scene without a request: the invitation of stand-alone mode, and the notices.
  ///
  /// - Parameter notes: Lines for the operator; those that do not fit are left out.
  public func resting(notes: [String] = []) -> Scene {
    let parts = LayoutParts(undo: undo, rightToLeft: language.direction == .rightToLeft)
    return signature(nil, title: nil, prompt: nil, language, parts, notes: notes)
  }

  /// The scene of a request for a signature.
  ///
  /// - Parameters:
  ///   - prompt: nil: the pad's own words.
  ///   - language: A language tag; nil, or no valid tag: the pad's language.
  ///   - cancel: Whether there is a button *Cancel*.
  ///   - countdown: Whether the remaining time is shown.
  ///   - document: Is shown before the line to sign on; nil: none.
  ///   - isEarly: Whether the person may sign before the end of the document.
  public func signature(
    _ number: Int64, title: String?, prompt: String?, language: String?, cancel: Bool,
    countdown: Bool, document: DocumentContent? = nil, isEarly: Bool = false
  ) -> Scene {
    let language = known(language)
    var parts = LayoutParts(
      undo: undo, cancel: cancel, countdown: countdown,
      rightToLeft: language.direction == .rightToLeft)
    parts.hasDocument = document != nil
    let reading = document.map {
      reader(language).typeset($0, language: language, parts: parts, isEarly: isEarly)
    }
    return signature(
      number, title: title, prompt: prompt, language, parts, reading: reading)
  }

  /// The lines of a page of the scene's text; nil: its pages are pictures, or it has none.
  public func sheet(of page: Int, in scene: Scene) -> Sheet? {
    guard let reading = scene.reading, let text = reading.text,
      text.pages.indices.contains(page)
    else { return nil }
    return .text(reader(text.flow.style.language).lines(of: page, text, in: reading.layout))
  }

  private func reader(_ language: Language) -> ReadingTypesetter {
    ReadingTypesetter(
      typesetter: typesetter, words: catalogues.words(language), glass: glass,
      pixelAspect: pixelAspect, options: options)
  }

  /// The scene of a message.
  ///
  /// - Parameters:
  ///   - text: nil: the pad's own words.
  ///   - language: A language tag; nil, or no valid tag: the pad's language.
  ///   - button: Whether there is a button *OK*.
  public func message(
    _ number: Int64, title: String?, text: String?, language: String?, button: Bool
  ) -> Scene {
    let language = known(language)
    let parts = LayoutParts(
      message: button ? .understood : .none, rightToLeft: language.direction == .rightToLeft)
    let words = catalogues.words(language)
    let (layout, labels) = labelledLayout(parts, words)
    var texts = notices(words, layout)
    let message = column(layout.header, .centre, .text, language, isCentred: true).fit(
      title: title ?? "", text: text ?? words[.oneMoment], in: layout)
    texts.message = message.lines
    return Scene(
      number: number, layout: layout, texts: texts, labels: labels, picture: picture,
      overflow: message.overflow)
  }

  /// The scene of a question.
  ///
  /// - Parameters:
  ///   - language: A language tag; nil, or no valid tag: the pad's language.
  ///   - countdown: Whether the remaining time is shown.
  public func question(
    _ number: Int64, title: String?, text: String, choices: [String], language: String?,
    countdown: Bool
  ) -> Scene {
    let language = known(language)
    let words = catalogues.words(language)
    let question = QuestionTypesetter(
      typesetter: typesetter, glass: glass, options: options, language: language,
      smallestSize: smallestSize, hasCountdown: countdown
    ).typeset(title: title ?? "", text: text, choices: choices)
    var texts = notices(words, question.layout)
    texts.message = question.words.lines
    return Scene(
      number: number, layout: question.layout, texts: texts, labels: question.labels,
      countdown: countdown ? self.countdown(words, question.layout) : nil, picture: picture,
      overflow: question.overflow)
  }

  private func signature(
    _ number: Int64?, title: String?, prompt: String?, _ language: Language, _ parts: LayoutParts,
    notes: [String] = [], reading: Reading? = nil
  ) -> Scene {
    let words = catalogues.words(language)
    let (layout, labels) = labelledLayout(parts, words)
    var texts = notices(words, layout)
    let prompt = prompt ?? words[.signHere]
    let request = header(layout, .text, title ?? "", prompt, language)
    texts.header = request.lines
    texts.tooShort = header(layout, .warning, "", words[.tooShort], language).wholeLines
    texts.saving = header(layout, .quiet, "", words[.oneMoment], language).wholeLines
    texts.saved = header(layout, .notice, words[.thanks], words[.saved], language).wholeLines
    texts.notes = lines(of: notes, in: layout, below: texts, language)
    return Scene(
      number: number, layout: layout, title: title.map { Typesetter.shown($0) },
      prompt: Typesetter.shown(prompt), texts: texts, labels: labels,
      countdown: parts.countdown ? countdown(words, layout) : nil, picture: picture,
      overflow: request.overflow, reading: reading)
  }

  private func known(_ tag: String?) -> Language { tag.flatMap { Language($0) } ?? language }

  private typealias Paragraph = TextColumn.Paragraph

  private func column(
    _ area: Area, _ alignment: TextAlignment, _ colour: PlacedText.Colour, _ language: Language,
    isCentred: Bool = false
  ) -> TextColumn {
    TextColumn(
      typesetter: typesetter, area: area, alignment: alignment, colour: colour,
      language: language, isCentred: isCentred, smallestSize: smallestSize)
  }

  /// A title and a prompt.
  private func header(
    _ layout: Layout, _ colour: PlacedText.Colour, _ title: String, _ prompt: String,
    _ language: Language
  ) -> TextColumn.Result {
    let alignment: TextAlignment = options.words == .centre ? .centre : .start
    let column = column(layout.header, alignment, colour, language)
    // A prompt of one line without a title is larger.
    if title.isEmpty {
      let large = column.typeset([
        Paragraph("prompt", prompt, 1.3 * layout.textSize, lines: 2)
      ])
      if large.lines.count == 1 && large.overflow == nil { return large }
    }
    return column.fit([
      Paragraph("title", title, 1.1 * layout.textSize, bold: true, lines: 1),
      Paragraph("prompt", prompt, layout.textSize, lines: 3),
    ])
  }

  /// Notes in what the header's area has left below the texts that replace one another there. The last ones are left
  /// out if they do not fit, each as a whole.
  private func lines(
    of notes: [String], in layout: Layout, below texts: Scene.Texts, _ language: Language
  ) -> [PlacedText] {
    let size = max(0.75 * layout.textSize, smallestSize)
    let above = texts.header + texts.tooShort + texts.saving
    let top = (above.map { $0.area.end.y }.max() ?? layout.header.origin.y) + 0.75 * size
    let end = layout.header.end.y
    let area = Area(
      x: layout.header.origin.x, y: top, width: layout.header.size.x, height: max(0, end - top))
    let column = column(area, .start, .quiet, language)
    for count in stride(from: notes.count, to: 0, by: -1) {
      let result = column.typeset(notes.prefix(count).map { Paragraph("", $0, size, lines: .max) })
      if result.overflow == nil, result.lines.allSatisfy({ $0.area.end.y <= end }) {
        return result.lines
      }
    }
    return []
  }

  /// A layout whose buttons have room for their labels.
  private func labelledLayout(
    _ parts: LayoutParts, _ words: Words
  ) -> (Layout, [Scene.ButtonLabel]?) {
    let labeler = ButtonLabeler(typesetter: typesetter, words: words, options: options)
    let equal = Layout(width: glass.x, height: glass.y, parts: parts, options: options)
    let style = labeler.style(for: equal)
    var parts = parts
    parts.buttonWidths = style.widths
    let layout = Layout(width: glass.x, height: glass.y, parts: parts, options: options)
    return (layout, labeler.labels(of: layout, in: style))
  }

  private func notices(_ words: Words, _ layout: Layout) -> Scene.Texts {
    let column = column(layout.noticeWords, .centre, .notice, words.language)
    func notice(_ first: Word, _ second: Word?) -> [PlacedText] {
      column.fit([
        Paragraph("", words[first], 1.5 * layout.textSize, bold: true, lines: 2),
        Paragraph("", second.map { words[$0] } ?? "", layout.textSize, lines: 2),
      ]).wholeLines
    }
    var texts = Scene.Texts()
    texts.cancelled = notice(.cancelled, nil)
    texts.timedOut = notice(.timedOut, nil)
    texts.outOfService = notice(.outOfService, .tryLater)
    return texts
  }

  /// Nil if the font lacks a digit.
  private func countdown(_ words: Words, _ layout: Layout) -> CountdownText? {
    let large = TextStyle(
      size: 1.15 * layout.textSize, bold: TextColumn.bold, language: .english)
    var small = TextStyle(size: max(0.62 * layout.textSize, 2), language: words.language)
    let area = layout.countdown
    let digits = (0...9).map { typesetter.line("\($0)", large) }
    guard digits.allSatisfy({ !$0.isEmpty }) else { return nil }
    let width = typesetter.line(words[.timeLeft], small).width
    if width > area.size.x { small.size *= area.size.x / width }
    // The digits speak for themselves.
    let label = typesetter.line(small.size < 1.6 ? "" : words[.timeLeft], small)
    let digitArea = Area(
      x: area.origin.x, y: area.origin.y, width: area.size.x, height: digits[0].capHeight)
    let rightToLeft = layout.parts.rightToLeft
    let x = rightToLeft ? area.origin.x : area.end.x - label.width
    let y = digitArea.end.y + 0.6 * layout.textSize + label.capHeight
    return CountdownText(
      label: PlacedText(line: label, origin: Point(x, y), colour: .quiet), area: digitArea,
      digits: digits, colon: typesetter.line(":", large), rightToLeft: rightToLeft)
  }
}
