/// The three layers of ink, in tiles of 32 × 32 pixels whose rows lie together in memory: an outline
/// stays within a few memory pages however wide the panel is.
///
/// Nothing is written before ink comes: a tile's bytes are undefined until its state says otherwise.
@safe @usableFromInline struct InkTiles: ~Copyable {
  /// One of the layers; the raw value is its place in a tile.
  enum Layer: Int {
    case page, stroke, tail
  }

  /// What a tile holds. Layers that it does not hold are zero, whatever the bytes are.
  struct State: BitwiseCopyable {
    /// The stroke that the `stroke` layer belongs to; 0 if there is no such ink.
    var stroke: UInt32 = 0
    /// Whether the `page` layer is in use.
    var hasPage = false
    /// Whether the `tail` layer is in use; once in use it is zero outside the tail.
    var hasTail = false
    var isEmpty: Bool { stroke == 0 && !hasPage && !hasTail }
  }

  /// Pixels along the side of a tile.
  static let side = 32
  static let shift: Int32 = 5
  /// Bytes of one layer of a tile.
  static let layerSize = 1024

  /// Bytes of a tile.
  static let tileSize = 3 * layerSize

  let columns: Int
  let rows: Int
  let states: UnsafeMutablePointer<State>
  let bytes: UnsafeMutableRawPointer

  init(width: Int, height: Int) {
    columns = (width + InkTiles.side - 1) / InkTiles.side
    rows = (height + InkTiles.side - 1) / InkTiles.side
    let count = columns * rows
    unsafe states = .allocate(capacity: count)
    unsafe states.initialize(repeating: State(), count: count)
    // Large blocks come from the kernel page by page, when they are first written.
    unsafe bytes = .allocate(byteCount: count * InkTiles.tileSize, alignment: 64)
  }

  @usableFromInline deinit {
    unsafe states.deallocate()
    unsafe bytes.deallocate()
  }

  /// For the duration of one call of the owner.
  var lent: Lent { unsafe Lent(columns: columns, states: states, bytes: bytes) }

  /// The tiles that a rectangle touches: first and last column and row.
  func range(_ rect: PixelRect) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    guard !rect.isEmpty else { return nil }
    return (
      Int(rect.x0 >> InkTiles.shift)...Int((rect.x1 - 1) >> InkTiles.shift),
      Int(rect.y0 >> InkTiles.shift)...Int((rect.y1 - 1) >> InkTiles.shift)
    )
  }

  /// Makes the tail zero again within a rectangle.
  func eraseTail(in rect: PixelRect) {
    guard let range = range(rect) else { return }
    for row in range.rows {
      let first = max(Int(rect.y0) - row * InkTiles.side, 0)
      let last = min(Int(rect.y1) - row * InkTiles.side, InkTiles.side)
      for column in range.columns {
        let index = row * columns + column
        guard unsafe states[index].hasTail else { continue }
        let tail =
          unsafe bytes + index * InkTiles.tileSize + Layer.tail.rawValue * InkTiles.layerSize
        unsafe (tail + first * InkTiles.side).initializeMemory(
          as: UInt8.self, repeating: 0, count: (last - first) * InkTiles.side)
      }
    }
  }

  /// Makes the tiles of a rectangle empty.
  func forget(in rect: PixelRect) {
    guard let range = range(rect) else { return }
    for row in range.rows {
      for column in range.columns { unsafe states[row * columns + column] = State() }
    }
  }

  /// Moves every stroke into the page.
  func fold() {
    let lent = self.lent
    for index in 0..<columns * rows {
      if unsafe states[index].stroke != 0 { lent.prepare(index, for: 0) }
    }
  }

  /// The visible coverage of 16 pixels of a tile, from the pixel `at` on, row by row.
  @inline(__always)
  static func visible(
    _ layers: UnsafeMutableRawPointer, _ state: State, _ at: Int
  ) -> SIMD16<UInt8> {
    let page = unsafe layers + at
    var top = SIMD16<UInt8>.zero
    if state.stroke != 0 {
      top = unsafe page.load(fromByteOffset: layerSize, as: SIMD16<UInt8>.self)
    }
    if state.hasTail {
      top = top.addingSaturated(
        unsafe page.load(fromByteOffset: 2 * layerSize, as: SIMD16<UInt8>.self))
    }
    guard state.hasPage else { return top }
    return unsafe page.load(as: SIMD16<UInt8>.self).over(top)
  }
}
