internal import Ink
internal import Text

/// Typesets texts below one another in an area.
struct TextColumn {
  let typesetter: Typesetter
  let area: Area
  let alignment: TextAlignment
  let colour: PlacedText.Colour
  let language: Language
  /// Whether the texts are centred vertically.
  var isCentred = false
  /// The smallest size that `fit` uses, in millimetres.
  var smallestSize = TextColumn.smallestSize

  /// A text to typeset.
  struct Paragraph {
    /// The call's parameter that it comes from.
    let parameter: String
    let text: String
    /// Font size (em) in millimetres.
    var size: Float
    let isBold: Bool
    /// The maximum number of lines at the planned size; smaller text may take more.
    var lines: Int
    /// The text as it is shaped for all sizes; nil: not yet.
    var shaped: ShapedBlock?

    init(_ parameter: String, _ text: String, _ size: Float, bold: Bool = false, lines: Int) {
      (self.parameter, self.text, self.size) = (parameter, text, size)
      (isBold, self.lines) = (bold, lines)
    }
  }

  /// Typeset lines, and the first text that does not fit.
  struct Result {
    var lines: [PlacedText] = []
    var overflow: Scene.Overflow?

    /// The lines if they are the whole text, or none: half a sentence says something else.
    var wholeLines: [PlacedText] { overflow == nil ? lines : [] }
  }

  /// The smallest readable font size (em) in millimetres: its capitals are 1.6 mm high, legible at arm's
  /// length.
  static let smallestSize: Float = 2.3
  /// The same with large words, for eyes that see a third less.
  static let smallestLargeSize: Float = 3.2
  /// Extra stroke width of bold text, in em.
  static let bold: Float = 0.03

  /// The ratio of a size to the next smaller one.
  private static let step: Float = 0.94

  /// Typesets texts, smaller and in more lines if they do not fit otherwise.
  ///
  /// The largest size that fits is found in few attempts, for which the text is shaped once. Text that does not fit in the
  /// smallest size is reported.
  func fit(_ texts: [Paragraph]) -> Result {
    let texts = texts.map { text in
      var text = text
      text.shaped = typesetter.shape(text.text, language)
      return text
    }
    let planned = typeset(texts)
    let smallest = texts.filter { !$0.text.isEmpty }.map { $0.size }.min() ?? 0
    guard planned.overflow != nil, smallest >= smallestSize else { return planned }
    // Every step from that of `best` to `high` fits; `low` is the first that may.
    var (low, high) = (0, 0)
    var scale: Float = 1
    while scale * TextColumn.step * smallest >= smallestSize {
      scale *= TextColumn.step
      high += 1
    }
    var best = typeset(reduced(texts, steps: high))
    guard best.overflow == nil else { return best }
    while low < high {
      let middle = (low + high) / 2
      let result = typeset(reduced(texts, steps: middle))
      if result.overflow == nil { (best, high) = (result, middle) } else { low = middle + 1 }
    }
    return best
  }

  /// Typesets a message or a question: a title of one line, and the text below it.
  func fit(title: String, text: String, in layout: Layout) -> Result {
    let size = 1.25 * layout.textSize
    return fit([
      Paragraph("title", title, 1.2 * size, bold: true, lines: 1),
      Paragraph("text", text, size, lines: 3),
    ])
  }

  private func reduced(_ texts: [Paragraph], steps: Int) -> [Paragraph] {
    var scale: Float = 1
    for _ in 0..<steps { scale *= TextColumn.step }
    return texts.map { text in
      var text = text
      text.size *= scale
      text.lines = .max
      // At most half of the area for a title: a prompt that is short enough fits below it.
      if text.isBold, texts.count > 1 {
        text.lines = max(2, Int(area.size.y / (2 * TextBlock.lineHeight * text.size)))
      }
      return text
    }
  }

  /// Typesets texts in the given sizes, with fewer lines if the area is too small.
  func typeset(_ texts: [Paragraph]) -> Result {
    var result = Result()
    var top: Float = 0
    for text in texts where !text.text.isEmpty {
      let style = TextStyle(
        size: text.size, bold: text.isBold ? TextColumn.bold : 0, language: language)
      let room = Int(max(0, (area.size.y - top) / (TextBlock.lineHeight * text.size)))
      let block = typesetter.block(
        text.shaped ?? typesetter.shape(text.text, language), style, width: area.size.x,
        lines: max(1, min(text.lines, room)))
      for index in block.lines.indices where !block.lines[index].isEmpty {
        let corner = area.origin + Point(0, top)
        let origin = block.origin(of: index, corner: corner, width: area.size.x, alignment)
        result.lines.append(PlacedText(line: block.lines[index], origin: origin, colour: colour))
      }
      let isBelow = top + block.height > area.size.y + 0.01
      if result.overflow == nil, isBelow || block.shown != nil {
        result.overflow = Scene.Overflow(
          parameter: text.parameter, limit: isBelow ? 0 : block.shown ?? 0)
      }
      top += block.height + 0.75 * text.size
    }
    guard isCentred, let last = result.lines.last else { return result }
    let shift = Point(0, max(0, (area.size.y - (last.origin.y - area.origin.y)) / 2))
    result.lines = result.lines.map {
      PlacedText(line: $0.line, origin: $0.origin + shift, colour: $0.colour)
    }
    return result
  }
}
