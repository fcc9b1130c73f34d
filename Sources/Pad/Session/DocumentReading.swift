internal import Ink
internal import Screen
internal import Spool

/// What a person has read of the document of a request, and where the person is.
struct DocumentReading: Sendable {
  private var pages: [Reading.Page]
  private var reader: PageReader
  /// The person may sign although the end was not shown.
  private var isEarly: Bool
  /// The pages that an earlier start or another panel has shown, as long as none of the present
  /// ones was shown; nil: there are none. On another panel, a text is divided into other pages.
  private var former: [ShownDocument.Page]?

  /// The first page of a document, which is not painted yet.
  init(_ reading: Reading, at time: Int64) {
    pages = reading.pages
    isEarly = reading.isEarly
    reader = PageReader(
      heights: pages.map { $0.height }, area: reading.area.size.y,
      rightToLeft: reading.rightToLeft, at: time)
  }

  /// The page that is shown, from 0.
  var page: Int { reader.page }
  /// Whether the person may sign.
  var maySign: Bool { isEarly || reader.hasReachedEnd }

  /// The pages that are shown next: this one, the next and the previous one.
  var wanted: [Int] {
    [page, page + 1, page - 1].filter { pages.indices.contains($0) }
  }

  /// Lets the person sign: there is ink of an earlier start.
  ///
  /// - Parameter pages: The pages that were shown in it; nil: they are not known.
  mutating func letSign(shown pages: [ShownDocument.Page]?) {
    isEarly = true
    former = pages
  }

  /// Arranges the pages for another panel. A text is divided into other pages there, and its first
  /// page is shown. A person who was allowed to sign still is.
  mutating func replace(_ reading: Reading, at time: Int64) {
    // Its words are not typeset yet.
    if reading.isPlaceholder { return }
    let maySign = maySign
    let shown = shownPages
    if reading.pages.map({ $0.digest }) == pages.map({ $0.digest }) {
      reader.resize(
        heights: reading.pages.map { $0.height }, area: reading.area.size.y, at: time)
      pages = reading.pages
    } else {
      self = DocumentReading(reading, at: time)
      former = shown
    }
    isEarly = maySign
  }

  /// Starts or stops counting the page's time, which counts while it is painted and visible.
  mutating func setVisible(_ isVisible: Bool, at time: Int64) {
    reader.setVisible(isVisible, at: time)
  }

  // MARK: - Contacts

  /// A finger came down on the page.
  mutating func down(_ sample: Sample) { reader.down(sample) }
  /// The finger moved.
  mutating func move(_ sample: Sample) { reader.move(sample) }
  /// The finger was lifted.
  mutating func up(at time: Int64) { reader.up(at: time) }
  /// The contact ended without being lifted.
  mutating func cancel() { reader.cancel() }

  /// Whether a button below the page is enabled.
  func enables(_ button: Button) -> Bool {
    switch button {
    case .back: reader.hasPrevious
    case .forward: reader.hasNext
    case .sign: maySign
    default: false
    }
  }

  /// Turns the page.
  mutating func turn(_ button: Button, at time: Int64) {
    switch button {
    case .back: reader.previous(at: time)
    case .forward: reader.next(at: time)
    default: break
    }
  }

  // MARK: - Output

  /// What is shown, with a button that a finger is on.
  func viewState(_ state: (Button) -> ViewState.ButtonState) -> ViewState.Reading {
    ViewState.Reading(
      page: reader.page, offset: reader.offset, back: state(.back), forward: state(.forward),
      sign: state(.sign))
  }

  /// The document with the times of its pages on the glass.
  func shown(name: String, digest: String) -> ShownDocument {
    ShownDocument(
      name: name, digest: digest, pages: Array(shownPages.prefix(ShownDocument.pageLimit)))
  }

  private var shownPages: [ShownDocument.Page] {
    if let former, reader.times.allSatisfy({ $0 == 0 }) { return former }
    return zip(pages, reader.times).map {
      ShownDocument.Page(digest: $0.digest, milliseconds: $1 / 1_000_000)
    }
  }
}
