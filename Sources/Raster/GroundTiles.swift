/// Pixels kept in the tiles of 32 × 32 that something was painted on; what was not has one colour and
/// costs no memory.
@safe @usableFromInline struct GroundTiles: ~Copyable {
  static let area = 1024

  let columns: Int
  let count: Int
  private let isPainted: UnsafeMutablePointer<Bool>
  /// Used only where something is painted; the kernel gives the pages when they are first written.
  private let colours: UnsafeMutablePointer<UInt32>

  init(width: Int, height: Int) {
    let columns = (width + 31) / 32
    self.init(columns: columns, count: columns * ((height + 31) / 32))
  }

  init(columns: Int, count: Int) {
    (self.columns, self.count) = (columns, count)
    unsafe isPainted = .allocate(capacity: count)
    unsafe isPainted.initialize(repeating: false, count: count)
    unsafe colours = .allocate(capacity: count * GroundTiles.area)
  }

  @usableFromInline deinit {
    unsafe isPainted.deallocate()
    unsafe colours.deallocate()
  }

  /// To paint, or to look at what is painted, for as long as the tiles live.
  var lent: Lent {
    unsafe Lent(columns: columns, isPainted: isPainted, colours: colours)
  }

  /// The tiles for the duration of one call of their owner.
  @safe struct Lent {
    let columns: Int
    private let isPainted: UnsafeMutablePointer<Bool>
    private let colours: UnsafeMutablePointer<UInt32>

    @unsafe init(
      columns: Int, isPainted: UnsafeMutablePointer<Bool>, colours: UnsafeMutablePointer<UInt32>
    ) {
      self.columns = columns
      unsafe self.isPainted = isPainted
      unsafe self.colours = colours
    }

    /// A tile, if it is painted.
    @inline(__always)
    subscript(_ index: Int) -> Tile? {
      unsafe isPainted[index] ? Tile(colours: colours + index &* GroundTiles.area) : nil
    }

    /// A tile to paint on: where it was not painted, it is as `below` or all `plain` now.
    func prepared(_ index: Int, below: Tile?, plain: UInt32) -> Tile {
      let tile = unsafe Tile(colours: colours + index * GroundTiles.area)
      if unsafe isPainted[index] { return tile }
      unsafe isPainted[index] = true
      if let below {
        unsafe tile.colours.update(from: below.colours, count: GroundTiles.area)
      } else {
        unsafe tile.colours.update(repeating: plain, count: GroundTiles.area)
      }
      return tile
    }
  }

  /// A tile's pixels, row by row.
  @safe struct Tile {
    let colours: UnsafeMutablePointer<UInt32>

    @inline(__always)
    func load(_ at: Int) -> SIMD16<UInt32> {
      unsafe UnsafeMutableRawPointer(colours + at).loadUnaligned(as: SIMD16<UInt32>.self)
    }
  }
}
