public import Ink

internal import Text

/// The pages of a document on a panel, and the bar below them.
public struct Reading: Sendable {
  /// Positions of the bar's buttons; pages are in the signing area.
  public let layout: Layout
  /// The pages: at least one.
  public let pages: [Page]
  /// Whether the person may sign before the end of the last page was shown.
  public let isEarly: Bool
  /// The pages are those of a text that is not broken into pages yet.
  public let isPlaceholder: Bool
  /// The numbers of the pages; empty without a font.
  let counters: [PlacedText]
  let labels: [Scene.ButtonLabel]
  /// The lines of a text; nil: the pages are pictures.
  let text: TextPages?

  /// A page of a document.
  public struct Page: Equatable, Sendable {
    /// The SHA-256 of the picture's file, or of the page's text in UTF-8.
    public let digest: String
    /// The height on the glass, in millimetres.
    public let height: Float
  }

  init(
    layout: Layout, pages: [Page], isEarly: Bool, counters: [PlacedText] = [],
    labels: [Scene.ButtonLabel]? = nil, text: TextPages? = nil, isPlaceholder: Bool = false
  ) {
    self.layout = layout
    self.pages = pages
    self.isEarly = isEarly
    self.isPlaceholder = isPlaceholder
    self.counters = counters
    self.labels = labels ?? Scene.ButtonLabel.icons(of: layout)
    self.text = text
  }

  /// Pages with icons alone, which need no font: of a text, one empty page.
  ///
  /// - Parameters:
  ///   - pixelAspect: The height of the panel's pixels by their width.
  ///   - textDigest: The SHA-256 of a text.
  public init(
    _ document: DocumentContent, glass: Point, pixelAspect: Float, parts: LayoutParts,
    isEarly: Bool, textDigest: String? = nil
  ) {
    let layout = Reading.layout(glass, parts, LayoutOptions())
    let pages =
      switch document {
      case .pictures(let pictures): Reading.pages(pictures, in: layout, pixelAspect: pixelAspect)
      case .text: [Page(digest: textDigest ?? "", height: 0)]
      }
    let isText = if case .text = document { true } else { false }
    self.init(layout: layout, pages: pages, isEarly: isEarly, isPlaceholder: isText)
  }

  /// Where the pages are shown.
  public var area: Area { layout.signing }
  /// Whether the next page is to the left.
  public var rightToLeft: Bool { layout.parts.rightToLeft }

  /// Whether the text has too many scripts and directions to be typeset; the page is empty then.
  public var isTooMixed: Bool { text?.flow.isTooMixed ?? false }

  /// Whether the pages have this text, with spaces for its tabs.
  public func shows(_ text: String) -> Bool {
    guard let pages = self.text else { return false }
    var scalars = text.unicodeScalars.makeIterator()
    for page in pages.pages.indices {
      for scalar in pages.text(of: page).unicodeScalars {
        guard let next = scalars.next(), next == scalar || next == "\t" && scalar == " " else {
          return false
        }
      }
    }
    return scalars.next() == nil
  }

  func label(of button: Button) -> Scene.ButtonLabel? { labels.first { $0.button == button } }

  /// The layout of the pages for a request's parts.
  static func layout(_ glass: Point, _ parts: LayoutParts, _ options: LayoutOptions) -> Layout {
    var bar = LayoutParts(cancel: parts.cancel, rightToLeft: parts.rightToLeft)
    bar.reading = true
    return Layout(width: glass.x, height: glass.y, parts: bar, options: options)
  }

  /// Pictures that are as wide as the area. Their pixels are as high as the panel's: letters stay sharp.
  static func pages(
    _ pictures: [DocumentContent.Picture], in layout: Layout, pixelAspect: Float
  ) -> [Page] {
    let width = layout.signing.size.x * pixelAspect
    return pictures.map {
      Page(digest: $0.digest, height: width * Float($0.height) / Float(max(1, $0.width)))
    }
  }
}

/// The pages of a document, before they are arranged on a panel.
public enum DocumentContent: Equatable, Sendable {
  /// A picture for each page.
  case pictures([Picture])
  /// A text.
  case text(String)

  /// A page that is a picture.
  public struct Picture: Equatable, Sendable {
    let digest: String
    let width, height: Int

    /// A picture of a size in pixels.
    ///
    /// - Parameter digest: The SHA-256 of its file.
    public init(digest: String, width: Int, height: Int) {
      (self.digest, self.width, self.height) = (digest, width, height)
    }
  }
}
