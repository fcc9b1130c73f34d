/// What lies under the ink: one colour, and a picture in the tiles of 32 × 32 pixels that were painted.
@safe @usableFromInline struct Ground: ~Copyable {
  static let tileArea = 1024

  let columns: Int
  let tiles: Int
  private let isPainted: UnsafeMutablePointer<Bool>
  /// Used only where something is painted; the kernel gives the pages when they are first written.
  private let colours: UnsafeMutablePointer<UInt32>

  init(width: Int, height: Int) {
    columns = (width + 31) / 32
    tiles = columns * ((height + 31) / 32)
    unsafe isPainted = .allocate(capacity: tiles)
    unsafe isPainted.initialize(repeating: false, count: tiles)
    unsafe colours = .allocate(capacity: tiles * Ground.tileArea)
  }

  @usableFromInline deinit {
    unsafe isPainted.deallocate()
    unsafe colours.deallocate()
  }

  /// The picture is gone.
  mutating func clear() { unsafe isPainted.update(repeating: false, count: tiles) }

  /// The picture in a tile, if there is one.
  @inline(__always)
  func painted(_ index: Int) -> Tile? {
    unsafe isPainted[index] ? Tile(colours: colours + index &* Ground.tileArea) : nil
  }

  /// Makes a rectangle one colour.
  mutating func fill(_ rect: PixelRect, _ colour: UInt32, plain: UInt32) {
    let sink = sink(colour, plain: plain)
    for y in Int(rect.y0)..<Int(rect.y1) {
      var x = Int(rect.x0)
      while x < Int(rect.x1) {
        let end = min((x | 31) + 1, Int(rect.x1))
        let tile = sink.prepared(y / 32 * columns + x / 32)
        unsafe (tile.colours + (y % 32 * 32 + x % 32)).update(repeating: colour, count: end - x)
        x = end
      }
    }
  }

  /// A tile's picture, for the duration of one call of the owner.
  @safe struct Tile {
    let colours: UnsafeMutablePointer<UInt32>

    @inline(__always)
    func load(_ at: Int) -> SIMD16<UInt32> {
      unsafe UnsafeMutableRawPointer(colours + at).loadUnaligned(as: SIMD16<UInt32>.self)
    }
  }

  /// The picture for the duration of one fill.
  @safe struct Sink: CoverageSink {
    let columns: Int
    let isPainted: UnsafeMutablePointer<Bool>
    let colours: UnsafeMutablePointer<UInt32>
    let plain, colour: UInt32

    func prepare(for rect: PixelRect) {}

    func add(_ coverage: SIMD8<UInt8>, _ x: Int, _ y: Int) {
      let tile = prepared((y >> 5) * columns + x >> 5)
      let place = unsafe UnsafeMutableRawPointer(tile.colours + ((y & 31) * 32 + x & 31))
      let below = unsafe place.loadUnaligned(as: SIMD8<UInt32>.self)
      unsafe place.storeBytes(
        of: InkPalette.blend(below, colour, coverage), as: SIMD8<UInt32>.self)
    }

    /// A tile to paint on: if it was not, it is `plain` now.
    func prepared(_ index: Int) -> Tile {
      let tile = unsafe Tile(colours: colours + index * Ground.tileArea)
      if unsafe !isPainted[index] {
        unsafe isPainted[index] = true
        unsafe tile.colours.update(repeating: plain, count: Ground.tileArea)
      }
      return tile
    }
  }

  /// To paint with a colour on what is `plain` so far.
  func sink(_ colour: UInt32, plain: UInt32) -> Sink {
    unsafe Sink(
      columns: columns, isPainted: isPainted, colours: colours, plain: plain, colour: colour)
  }
}
