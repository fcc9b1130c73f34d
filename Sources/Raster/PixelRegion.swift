/// A region of damage: up to eight rectangles, which may overlap.
///
/// Adding to a full region joins the two rectangles whose union has the fewest additional pixels.
public struct PixelRegion: BitwiseCopyable, Sendable {
  /// The most rectangles.
  public static let capacity = 8

  private var storage = InlineArray<9, PixelRect>(repeating: .empty)
  /// The number of rectangles.
  public private(set) var count = 0

  /// Creates an empty region.
  public init() {}

  /// Creates a region of one rectangle.
  public init(_ rect: PixelRect) { add(rect) }

  /// Whether the region has no pixel.
  public var isEmpty: Bool { count == 0 }

  /// One of the rectangles.
  public subscript(index: Int) -> PixelRect {
    precondition(index >= 0 && index < count)
    return storage[index]
  }

  /// The rectangles.
  public var rects: Span<PixelRect> {
    @_lifetime(borrow self)
    borrowing get { storage.span.extracting(first: count) }
  }

  /// The smallest rectangle that contains all of them.
  public var bounds: PixelRect {
    var all = PixelRect.empty
    for index in 0..<count { all = all.union(storage[index]) }
    return all
  }

  /// Removes all rectangles.
  public mutating func clear() { count = 0 }

  /// Adds a rectangle.
  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var new = rect
    var index = 0
    while index < count {
      // Joins rectangles if that adds no pixel; the larger one may then contain others.
      let joined = new.union(storage[index])
      if joined.area <= new.area + storage[index].area {
        new = joined
        count -= 1
        storage[index] = storage[count]
        index = 0
      } else {
        index += 1
      }
    }
    storage[count] = new
    count += 1
    if count > PixelRegion.capacity { joinCheapest() }
  }

  /// Adds another region.
  public mutating func add(_ other: PixelRegion) {
    for index in 0..<other.count { add(other.storage[index]) }
  }

  private mutating func joinCheapest() {
    var best = (first: 0, second: 1, cost: Int.max)
    for first in 0..<count {
      for second in first + 1..<max(count, first + 1) {
        let a = storage[first]
        let b = storage[second]
        let cost = a.union(b).area - a.area - b.area
        if cost < best.cost { best = (first, second, cost) }
      }
    }
    let joined = storage[best.first].union(storage[best.second])
    storage[best.second] = storage[count - 1]
    count -= 1
    storage[best.first] = storage[count - 1]
    count -= 1
    add(joined)
  }
}
