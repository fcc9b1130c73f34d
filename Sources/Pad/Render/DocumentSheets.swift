internal import Screen

/// The pages of the open request's document that are ready: the one that is read, and those beside it.
struct DocumentSheets: Sendable {
  private var scene: Scene?
  private var ready: [(page: Int, sheet: Sheet)] = []
  private var wanted: [Int] = []
  /// The document is not read now. A page may have failed meanwhile.
  private var isPaused = false
  /// The most memory of the pages beside the current one, in bytes. More are prepared when the person turns to them.
  static let sizeLimit = 1 << 20
  private let sizeLimit: Int

  /// No pages.
  init(sizeLimit: Int = DocumentSheets.sizeLimit) { self.sizeLimit = sizeLimit }

  /// Returns the pages that must be prepared, and drops pages that are no longer wanted.
  ///
  /// Returns all missing pages if the list of wanted pages has changed, or if the document is read
  /// again after a pause: the earlier order is void.
  mutating func want(_ pages: [Int], of scene: Scene) -> [Int] {
    if self.scene !== scene { (self.scene, ready, wanted) = (scene, [], []) }
    // Keeps the pages while the person signs, so that the document can be shown again at once.
    defer { isPaused = pages.isEmpty }
    guard !pages.isEmpty, pages != wanted || isPaused else { return [] }
    wanted = pages
    ready.removeAll { !pages.contains($0.page) }
    if sizeBeside > sizeLimit { ready.removeAll { $0.page != pages.first } }
    return pages.filter { page in !ready.contains { $0.page == page } }
  }

  /// Takes a page, unless it is of another scene or not wanted any more.
  mutating func take(_ sheet: Sheet, page: Int, of scene: Scene) {
    guard self.scene === scene, wanted.contains(page), self.sheet(page, of: scene) == nil else {
      return
    }
    guard page == wanted.first || sizeBeside + sheet.size <= sizeLimit else { return }
    ready.append((page, sheet))
  }

  private var sizeBeside: Int {
    ready.reduce(0) { $0 + ($1.page == wanted.first ? 0 : $1.sheet.size) }
  }

  /// A page that is ready; nil: it is not.
  func sheet(_ page: Int, of scene: Scene) -> Sheet? {
    self.scene === scene ? ready.first { $0.page == page }?.sheet : nil
  }
}
