/// A canvas's pixels that show ink, in tiles of 32 × 32.
///
/// Most of a panel shows no ink and uses no memory here: a tile fills a page of most kernels, and the kernel
/// provides a page on the first write.
@safe @usableFromInline struct InkedPixels: ~Copyable {
  /// A tile's width and height in pixels.
  static let side = 32

  /// For each half of a tile, sixteen columns, one bit per row that shows ink.
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

  /// Whether no ink is visible.
  var isEmpty: Bool {
    for half in 0..<2 * tiles {
      if unsafe rows[half] != 0 { return false }
    }
    return true
  }

  /// The rows that show ink in half a tile.
  subscript(_ index: Int, half half: Int) -> UInt32 {
    @inline(__always) get { unsafe rows[2 &* index &+ half] }
    @inline(__always) nonmutating set { unsafe rows[2 &* index &+ half] = newValue }
  }

  /// Touches a tile's page.
  func prefault(_ index: Int) {
    guard self[index, half: 0] | self[index, half: 1] == 0 else { return }
    unsafe tile(index).storeBytes(of: 0, as: UInt8.self)
  }

  /// A tile's pixels, row by row, for the duration of one call of the owner.
  @inline(__always)
  func tile(_ index: Int) -> UnsafeMutableRawPointer {
    unsafe pixels + index &* (4 &* GroundTiles.area)
  }

  /// The address of an inked or painted pixel; nil on plain ground.
  @inline(__always)
  func address(_ x: Int, _ y: Int, over ground: borrowing Ground) -> UnsafePointer<UInt32>? {
    let index = (y &>> 5) &* ground.columns &+ x &>> 5
    let offset = (y & 31) &* InkedPixels.side &+ x & 31
    if self[index, half: x &>> 4 & 1] &>> UInt32(truncatingIfNeeded: y & 31) & 1 != 0 {
      return unsafe UnsafePointer(tile(index).assumingMemoryBound(to: UInt32.self) + offset)
    }
    return unsafe ground.painted(index).map { unsafe UnsafePointer($0.colours + offset) }
  }

  /// The pixels from a position on, within sixteen columns of a tile.
  ///
  /// - Parameter plain: Sixteen pixels of the ground's colour.
  @inline(__always)
  func block(
    _ x: Int, _ y: Int, over ground: borrowing Ground, plain: UnsafeRawPointer
  ) -> Block {
    let index = (y &>> 5) &* ground.columns &+ x &>> 5
    let offset = (y & 31) &* InkedPixels.side &+ x & 31
    let rows = self[index, half: x &>> 4 & 1] &>> UInt32(truncatingIfNeeded: y & 31)
    let inked = unsafe UnsafeRawPointer(tile(index)) + 4 &* offset
    guard let painted = ground.painted(index) else {
      return unsafe Block(inkedRows: rows, inked: inked, below: plain, belowPitch: 0)
    }
    return unsafe Block(
      inkedRows: rows, inked: inked, below: UnsafeRawPointer(painted.colours + offset),
      belowPitch: Block.pitch)
  }

  /// Up to sixteen columns of a tile's rows, inked or not.
  @safe struct Block {
    /// The bytes from row to row of a tile.
    fileprivate static let pitch = 4 * InkedPixels.side

    /// One bit per row that shows ink.
    fileprivate let inkedRows: UInt32
    /// The first row with ink, and the first row of the ground.
    fileprivate let inked, below: UnsafeRawPointer
    /// The bytes from row to row of the ground; 0 repeats one row.
    fileprivate let belowPitch: Int

    /// Copies the block as two vectors per row, which may overlap.
    ///
    /// A call of `memcpy` takes longer than a row.
    @inline(__always)
    func copy(columns: Int, rows: Int, to output: UnsafeMutableRawPointer, pitch: Int) {
      if columns >= 8 {
        unsafe copy(SIMD8<UInt32>.self, columns, rows, output, pitch)
      } else if columns >= 4 {
        unsafe copy(SIMD4<UInt32>.self, columns, rows, output, pitch)
      } else if columns >= 2 {
        unsafe copy(SIMD2<UInt32>.self, columns, rows, output, pitch)
      } else {
        unsafe copy(UInt32.self, columns, rows, output, pitch)
      }
    }

    /// Copies a vector of the first and one of the last pixels of each row.
    @inline(__always)
    private func copy<Pixels: BitwiseCopyable>(
      _: Pixels.Type, _ columns: Int, _ rows: Int, _ output: UnsafeMutableRawPointer, _ pitch: Int
    ) {
      let rest = 4 &* columns &- MemoryLayout<Pixels>.size
      var (inkedRows, left) = (inkedRows, rows)
      var (inked, below, out) = unsafe (inked, below, output)
      while left > 0 {
        let pixels = unsafe inkedRows & 1 != 0 ? inked : below
        let first = unsafe pixels.loadUnaligned(as: Pixels.self)
        let last = unsafe pixels.loadUnaligned(fromByteOffset: rest, as: Pixels.self)
        unsafe out.storeBytes(of: first, as: Pixels.self)
        unsafe out.storeBytes(of: last, toByteOffset: rest, as: Pixels.self)
        inkedRows &>>= 1
        unsafe inked += Block.pitch
        unsafe below += belowPitch
        unsafe out += pitch
        left &-= 1
      }
    }
  }
}
