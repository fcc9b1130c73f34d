/// The canvas's pixels where ink is seen, in tiles of 32 × 32.
///
/// Most of a panel shows no ink, and costs no memory here: a tile fills a page of most kernels, and the
/// kernel gives a page when it is first written.
@safe @usableFromInline struct InkedPixels: ~Copyable {
  /// Pixels along the side of a tile.
  static let side = 32

  /// For each half of a tile, sixteen columns, a bit for each row in which ink is seen.
  private let rows: UnsafeMutablePointer<UInt32>
  /// Undefined in other rows.
  private let pixels: UnsafeMutableRawPointer
  private let tiles: Int

  init(tiles: Int) {
    self.tiles = tiles
    unsafe rows = .allocate(capacity: 2 * tiles)
    unsafe rows.initialize(repeating: 0, count: 2 * tiles)
    unsafe pixels = .allocate(byteCount: tiles * 4 * GroundTiles.area, alignment: 4096)
  }

  @usableFromInline deinit {
    unsafe rows.deallocate()
    unsafe pixels.deallocate()
  }

  /// Whether no ink is seen.
  var isEmpty: Bool {
    for half in 0..<2 * tiles {
      if unsafe rows[half] != 0 { return false }
    }
    return true
  }

  /// The rows in which ink is seen in half a tile.
  subscript(_ index: Int, half half: Int) -> UInt32 {
    @inline(__always) get { unsafe rows[2 &* index &+ half] }
    @inline(__always) nonmutating set { unsafe rows[2 &* index &+ half] = newValue }
  }

  /// Has the kernel give the memory of a tile.
  func prefault(_ index: Int) {
    guard self[index, half: 0] | self[index, half: 1] == 0 else { return }
    unsafe tile(index).storeBytes(of: 0, as: UInt8.self)
  }

  /// A tile's pixels, row by row, for the duration of one call of the owner.
  @inline(__always)
  func tile(_ index: Int) -> UnsafeMutableRawPointer {
    unsafe pixels + index &* (4 &* GroundTiles.area)
  }
}
