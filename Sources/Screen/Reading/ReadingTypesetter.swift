internal import Ink
internal import Nettle
internal import Text

/// Arranges a document on a panel: breaks a text into pages, and labels the bar.
struct ReadingTypesetter {
  let typesetter: Typesetter
  let words: Words
  let glass: Point
  /// The height of the panel's pixels by their width.
  let pixelAspect: Float
  let options: LayoutOptions

  /// Space around a text, in margins of the layout.
  private static let inset: Float = 1.5

  /// Arranges a document.
  ///
  /// - Parameters:
  ///   - language: The language of a text.
  ///   - parts: The parts of the request's own layout.
  func typeset(
    _ document: DocumentContent, language: Language, parts: LayoutParts, isEarly: Bool
  ) -> Reading {
    let layout = Reading.layout(glass, parts, options)
    let (pages, text) = pages(of: document, language, in: layout)
    return Reading(
      layout: layout, pages: pages, isEarly: isEarly,
      counters: counters(count: pages.count, in: layout), labels: labels(of: layout), text: text)
  }

  private func pages(
    of document: DocumentContent, _ language: Language, in layout: Layout
  ) -> ([Reading.Page], TextPages?) {
    switch document {
    case .pictures(let pictures):
      return (Reading.pages(pictures, in: layout, pixelAspect: pixelAspect), nil)
    case .text(let text):
      let inset = 2 * ReadingTypesetter.inset * layout.margin
      let size = layout.signing.size - Point(inset, inset)
      let style = TextStyle(size: layout.textSize, language: language)
      let pages = TextPages(typesetter.flow(text, style, width: size.x), size: size)
      let list = pages.pages.indices.map { page in
        Reading.Page(
          digest: SHA256.text(of: Array(pages.text(of: page).utf8)),
          height: layout.signing.size.y)
      }
      return (list, pages)
    }
  }

  /// The lines of a page of a text, in its area.
  func lines(of page: Int, _ pages: TextPages, in layout: Layout) -> [PlacedText] {
    let inset = ReadingTypesetter.inset * layout.margin
    return pages.lines(of: page, at: layout.signing.origin + Point(inset, inset), typesetter)
  }

  /// "2 of 7", in one size for all pages.
  private func counters(count: Int, in layout: Layout) -> [PlacedText] {
    guard let area = layout.counter else { return [] }
    func line(_ page: Int, _ size: Float) -> TextLine {
      let text = words[.page].replacing("{page}", "\(page)").replacing("{count}", "\(count)")
      return typesetter.line(text, TextStyle(size: size, language: words.language))
    }
    let largest = options.largestLabel(height: area.size.y)
    // The widest number has the most digits.
    let width = line(count, largest).width
    let size = width > area.size.x ? largest * area.size.x / width : largest
    return (1...max(1, count)).map { page in
      let line = line(page, size)
      let origin = Point(
        area.centre.x - line.width / 2, area.centre.y + line.capHeight / 2)
      return PlacedText(line: line, origin: origin, colour: .text)
    }
  }

  /// Icons, and words beside or instead of those that have one, in one size.
  private func labels(of layout: Layout) -> [Scene.ButtonLabel] {
    let buttons = layout.buttons
    let height = layout.area(of: .sign).size.y
    let worded: [(button: Button, word: Word)] = [(.cancel, .cancel), (.sign, .sign)].filter {
      buttons.contains($0.button)
    }
    for icon in [0.62 * height, 0] {
      let size = worded.reduce(options.largestLabel(height: height)) { size, part in
        let room = layout.area(of: part.button).size.x - 0.32 * height - icon
        let width = line(part.word, 1).width
        return width > 0 ? min(size, room / width) : 0
      }
      guard size >= options.smallestWords else { continue }
      return buttons.map { button in
        let area = layout.area(of: button)
        guard let word = worded.first(where: { $0.button == button })?.word else {
          return Scene.ButtonLabel(button: button, icon: area, word: nil)
        }
        return Scene.ButtonLabel(
          button, in: area, line(word, size), icon: icon,
          rightToLeft: layout.parts.rightToLeft)
      }
    }
    return Scene.ButtonLabel.icons(of: layout)
  }

  private func line(_ word: Word, _ size: Float) -> TextLine {
    typesetter.line(
      words[word], TextStyle(size: size, bold: TextColumn.bold, language: words.language))
  }
}

extension String {
  /// The text with the first `part` replaced.
  fileprivate func replacing(_ part: String, _ other: String) -> String {
    let (text, part) = (Array(utf8), Array(part.utf8))
    guard part.count <= text.count,
      let start = (0...(text.count - part.count)).first(where: {
        text[$0..<($0 + part.count)].elementsEqual(part)
      })
    else { return self }
    let bytes = text[..<start] + Array(other.utf8) + text[(start + part.count)...]
    return String(decoding: bytes, as: UTF8.self)
  }
}
