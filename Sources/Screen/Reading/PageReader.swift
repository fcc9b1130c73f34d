public import Ink

/// Where a person is in a document: the page, and how far it is scrolled.
///
/// Buttons and swipes turn pages; a finger scrolls a page that is higher than its area. Neither leaves the document.
public struct PageReader: Equatable, Sendable {
  /// The direction of a movement of the finger.
  private enum Gesture {
    /// The finger has hardly moved.
    case undecided
    case scrolling
    case swiping
  }

  /// The height of each page, in millimetres on the glass; at least one.
  private var heights: [Float]
  /// The height of the area, in millimetres.
  private var area: Float
  private let rightToLeft: Bool
  /// The page that is shown, from 0.
  public private(set) var page = 0
  /// The height of what is scrolled out above, in millimetres.
  public private(set) var offset: Float = 0
  /// Whether the end of the last page has been on the glass.
  public private(set) var hasReachedEnd = false
  /// How long each page has been on the glass, in nanoseconds.
  public private(set) var times: [Int64]
  private var now: Int64
  private var isVisible = false
  private var finger: Finger?

  /// The finger that is down.
  private struct Finger: Equatable {
    let start: Point
    var last: Point
    var gesture = Gesture.undecided
  }

  /// How far a finger moves before the direction counts, in millimetres.
  static let slack: Float = 3
  /// The shortest swipe that turns a page, in millimetres.
  static let swipe: Float = 15

  /// Begins with the first page of a document, which is hidden.
  ///
  /// - Parameters:
  ///   - heights: The heights of the pages, in millimetres on the glass.
  ///   - area: The height of the area, in millimetres.
  ///   - rightToLeft: Whether the next page is to the left.
  public init(heights: [Float], area: Float, rightToLeft: Bool = false, at time: Int64) {
    self.heights = heights.isEmpty ? [0] : heights
    self.area = area
    self.rightToLeft = rightToLeft
    times = [Int64](repeating: 0, count: self.heights.count)
    now = time
  }

  /// Arranges the same pages in other sizes, and shows the start of the page again.
  ///
  /// - Parameter heights: As many as there are pages.
  public mutating func resize(heights: [Float], area: Float, at time: Int64) {
    precondition(heights.count == count)
    (self.heights, self.area) = (heights, area)
    turn(to: page, at: time)
  }

  /// The number of pages.
  public var count: Int { heights.count }
  /// Whether there is a page behind this one.
  public var hasNext: Bool { page + 1 < count }
  /// Whether there is a page before this one.
  public var hasPrevious: Bool { page > 0 }
  /// The largest offset of the page.
  public var reach: Float { max(0, heights[page] - area) }

  /// Counts the time that the page was on the glass. Time never runs backwards.
  public mutating func time(_ time: Int64) {
    if isVisible { times[page] += max(0, time - now) }
    now = max(now, time)
  }

  /// The document is visible, or it is hidden.
  public mutating func setVisible(_ isVisible: Bool, at time: Int64) {
    self.time(time)
    guard isVisible != self.isVisible else { return }
    self.isVisible = isVisible
    if !isVisible { finger = nil }
    look()
  }

  /// Shows the start of the next page, if there is one.
  public mutating func next(at time: Int64) { turn(to: page + 1, at: time) }

  /// Shows the start of the previous page, if there is one.
  public mutating func previous(at time: Int64) { turn(to: page - 1, at: time) }

  private mutating func turn(to other: Int, at time: Int64) {
    self.time(time)
    finger = nil
    guard heights.indices.contains(other) else { return }
    page = other
    offset = 0
    // Until it is painted.
    isVisible = false
  }

  // MARK: - Finger

  /// A finger came down.
  public mutating func down(_ sample: Sample) {
    time(sample.time)
    finger = Finger(start: sample.position, last: sample.position)
  }

  /// The finger moved.
  public mutating func move(_ sample: Sample) {
    time(sample.time)
    guard var finger else { return }
    let way = sample.position - finger.start
    switch finger.gesture {
    case .undecided:
      guard max(abs(way.x), abs(way.y)) >= PageReader.slack else { return }
      // The page does not jump by what the decision took.
      finger.gesture = abs(way.x) > abs(way.y) ? .swiping : .scrolling
    case .scrolling:
      offset = min(max(0, offset - (sample.position.y - finger.last.y)), reach)
      look()
    case .swiping: break
    }
    finger.last = sample.position
    self.finger = finger
  }

  /// The finger was lifted: a swipe turns the page.
  public mutating func up(at time: Int64) {
    self.time(time)
    guard let finger else { return }
    self.finger = nil
    let way = finger.last.x - finger.start.x
    guard finger.gesture == .swiping, abs(way) >= PageReader.swipe else { return }
    // The page follows the finger: to the left is forward, unless text runs from right to left.
    turn(to: page + ((way < 0) == rightToLeft ? -1 : 1), at: time)
  }

  /// The contact ended without being lifted.
  public mutating func cancel() { finger = nil }

  private mutating func look() {
    if isVisible, !hasNext, offset >= reach - 0.01 { hasReachedEnd = true }
  }
}
