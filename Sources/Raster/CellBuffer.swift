/// The edges of one outline, gathered per pixel of its bounding box.
///
/// For each pixel that an edge passes, *cover* is the height of the edge within the pixel (downwards
/// positive) and *area* the part of that height which lies left of the edge, so that the winding-weighted
/// area of the outline in a pixel is the sum of the covers up to and with its column, minus its area
/// (the scheme of LibArt and of FreeType's "smooth" module).
///
/// A pixel is one word, the cover in the low half and the area in the high half, both in units of
/// 1/4096, about a sixteenth of a level of coverage: adding the words adds both. A borrow from the cover
/// makes the area one unit too small, which is less than rounding does. Seven turns around a pixel fit.
@safe @usableFromInline struct CellBuffer: ~Copyable {
  /// Cells for which there is room.
  static let capacity = 1 << 18
  /// The most rows, see `StepBuffer.rowBase`.
  static let maximumRows = 512

  /// Empty between fills, as far as `prepared`, and with a few empty cells before the first.
  let cells: UnsafeMutablePointer<UInt32>
  /// One byte for sixteen columns: not zero where an edge passes, give or take a column. Four of them
  /// are read together.
  let marks: UnsafeMutablePointer<UInt8>
  /// Columns, a multiple of 64. The first is left free.
  private(set) var columns = 64
  private(set) var rows = 0
  /// Cells that were made empty when they were first used.
  private(set) var prepared = 0

  /// Reserves the memory, which is used as far as the largest outline needs.
  init() {
    let room = UnsafeMutablePointer<UInt32>.allocate(capacity: CellBuffer.capacity + 16)
    unsafe room.initialize(repeating: 0, count: 16)
    unsafe cells = room + 8
    unsafe marks = .allocate(capacity: CellBuffer.capacity / 16)
  }

  @usableFromInline deinit {
    unsafe (cells - 8).deallocate()
    unsafe marks.deallocate()
  }

  /// Makes it a rectangle; false if there is no room for it.
  @inline(__always)
  mutating func reshape(columns: Int, rows: Int) -> Bool {
    // A place on the lower border may count to the row below, and adds nothing to it.
    let count = columns &* (rows &+ 1)
    // With few rows and columns the product is what it seems.
    guard 0 < rows, rows <= CellBuffer.maximumRows, columns <= CellBuffer.capacity,
      count <= CellBuffer.capacity
    else { return false }
    self.columns = columns
    self.rows = rows
    if count > prepared { prepare(count) }
    return true
  }

  @inline(never)
  private mutating func prepare(_ count: Int) {
    unsafe (cells + prepared + 8).initialize(repeating: 0, count: count - prepared)
    unsafe (marks + prepared / 16).initialize(repeating: 0, count: (count - prepared) / 16)
    prepared = count
  }
}
