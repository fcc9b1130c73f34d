/// What lies under the ink: one colour or a picture that somebody else keeps, and over it what was
/// painted here, in tiles of 32 × 32 pixels.
@safe @usableFromInline struct Ground: ~Copyable {
  private var own: GroundTiles
  /// Kept for `base`, which spares the counting of references where every pixel passes.
  private var picture: GroundPicture?
  private var base: GroundTiles.Lent?

  init(width: Int, height: Int) { own = GroundTiles(width: width, height: height) }

  /// Of tiles.
  var columns: Int { @inline(__always) get { own.columns } }
  /// How many there are.
  var tiles: Int { own.count }

  /// What was painted is gone, and so is its memory.
  mutating func clear(to picture: GroundPicture?) {
    own = GroundTiles(columns: own.columns, count: own.count)
    self.picture = picture
    base = picture?.tiles.lent
  }

  /// What is to be seen in a tile, unless it is one colour.
  @inline(__always)
  func painted(_ index: Int) -> GroundTiles.Tile? { own.lent[index] ?? base?[index] }

  /// Makes a rectangle one colour.
  mutating func fill(_ rect: PixelRect, _ colour: UInt32, plain: UInt32) {
    let sink = sink(colour, plain: plain)
    pieces(of: rect) { index, place, count in
      let tile = sink.prepared(index)
      unsafe (tile.colours + place).update(repeating: colour, count: count)
    }
  }

  /// Takes away what was painted in a rectangle.
  mutating func erase(_ rect: PixelRect, plain: UInt32) {
    let (own, base) = (own.lent, base)
    pieces(of: rect) { index, place, count in
      guard let tile = own[index] else { return }
      if let below = base?[index] {
        unsafe (tile.colours + place).update(from: below.colours + place, count: count)
      } else {
        unsafe (tile.colours + place).update(repeating: plain, count: count)
      }
    }
  }

  /// Cuts a rectangle into parts of rows that lie in one tile each.
  private func pieces(
    of rect: PixelRect, _ body: (_ tile: Int, _ place: Int, _ count: Int) -> Void
  ) {
    for y in Int(rect.y0)..<Int(rect.y1) {
      var x = Int(rect.x0)
      while x < Int(rect.x1) {
        let end = min((x | 31) + 1, Int(rect.x1))
        body(y / 32 * columns + x / 32, y % 32 * 32 + x % 32, end - x)
        x = end
      }
    }
  }

  /// The ground for the duration of one fill.
  @safe struct Sink: CoverageSink {
    let own: GroundTiles.Lent
    let base: GroundTiles.Lent?
    let plain, colour: UInt32

    func prepare(for rect: PixelRect) {}

    func row(_ y: Int) -> Row { Row(ground: self, y: y) }

    struct Row: CoverageRow {
      let ground: Sink
      private(set) var y: Int

      mutating func next() { y += 1 }

      func add(_ coverage: SIMD16<UInt8>, _ x: Int) {
        let tile = ground.prepared((y >> 5) * ground.own.columns + x >> 5)
        let place = unsafe UnsafeMutableRawPointer(tile.colours + ((y & 31) * 32 + x & 31))
        let below = unsafe place.loadUnaligned(as: SIMD16<UInt32>.self)
        unsafe place.storeBytes(
          of: InkPalette.blend(below, ground.colour, coverage), as: SIMD16<UInt32>.self)
      }
    }

    /// A tile to paint on.
    func prepared(_ index: Int) -> GroundTiles.Tile {
      own.prepared(index, below: base?[index], plain: plain)
    }
  }

  /// To paint with a colour on what is `plain` so far.
  func sink(_ colour: UInt32, plain: UInt32) -> Sink {
    Sink(own: own.lent, base: base, plain: plain, colour: colour)
  }
}
