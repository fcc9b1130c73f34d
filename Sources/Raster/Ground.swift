/// The picture under the ink: a colour or a shared picture, painted over.
@safe @usableFromInline struct Ground: ~Copyable {
  /// The painted tiles.
  private var own: GroundTiles
  /// Keeps `base` alive, which avoids reference counting for each pixel.
  private var picture: GroundPicture?
  private var base: GroundTiles.UnsafeView?

  init(width: Int, height: Int) { own = GroundTiles(width: width, height: height) }

  /// The number of columns of tiles.
  var columns: Int { @inline(__always) get { own.columns } }
  /// The number of tiles.
  var tiles: Int { own.count }

  /// Removes what was painted, with its memory, and shows a picture or plain colour.
  mutating func clear(to picture: GroundPicture?) {
    own = GroundTiles(columns: own.columns, count: own.count)
    self.picture = picture
    base = picture?.tiles.view
  }

  /// The visible pixels of a tile; nil if it has one colour.
  @inline(__always)
  func painted(_ index: Int) -> GroundTiles.Tile? { own.view[index] ?? base?[index] }

  /// Paints a rectangle in one colour.
  mutating func fill(_ rect: PixelRect, _ colour: UInt32, plain: UInt32) {
    let sink = sink(colour, plain: plain)
    forEachPart(of: rect) { index, offset, count in
      let tile = sink.prepared(index)
      unsafe (tile.colours + offset).update(repeating: colour, count: count)
    }
  }

  /// Removes what was painted in a rectangle.
  mutating func erase(_ rect: PixelRect, plain: UInt32) {
    let (own, base) = (own.view, base)
    forEachPart(of: rect) { index, offset, count in
      guard let tile = own[index] else { return }
      if let below = base?[index] {
        unsafe (tile.colours + offset).update(from: below.colours + offset, count: count)
      } else {
        unsafe (tile.colours + offset).update(repeating: plain, count: count)
      }
    }
  }

  /// Calls `body` with the parts of a rectangle's rows that lie in one tile each.
  private func forEachPart(
    of rect: PixelRect, _ body: (_ tile: Int, _ offset: Int, _ count: Int) -> Void
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

  /// Paints in a colour on a ground that was `plain` before.
  func sink(_ colour: UInt32, plain: UInt32) -> Sink {
    Sink(own: own.view, base: base, plain: plain, colour: colour)
  }

  /// Receives coverage and paints it, for the duration of one fill.
  @safe struct Sink: CoverageSink {
    let own: GroundTiles.UnsafeView
    let base: GroundTiles.UnsafeView?
    let plain, colour: UInt32

    func prepare(for rect: PixelRect) {}

    func row(_ y: Int) -> Row { Row(ground: self, y: y) }

    struct Row: CoverageRow {
      let ground: Sink
      private(set) var y: Int

      mutating func next() { y += 1 }

      func add(_ coverage: SIMD16<UInt8>, _ x: Int) {
        let tile = ground.prepared((y >> 5) * ground.own.columns + x >> 5)
        let target = unsafe UnsafeMutableRawPointer(tile.colours + ((y & 31) * 32 + x & 31))
        let below = unsafe target.loadUnaligned(as: SIMD16<UInt32>.self)
        unsafe target.storeBytes(
          of: InkPalette.blend(below, ground.colour, coverage), as: SIMD16<UInt32>.self)
      }
    }

    /// A tile to paint on.
    func prepared(_ index: Int) -> GroundTiles.Tile {
      own.prepared(index, below: base?[index], plain: plain)
    }
  }
}

/// Tiles of 32 × 32 pixels, of which only the painted ones use memory.
@safe @usableFromInline struct GroundTiles: ~Copyable {
  /// The pixels of a tile.
  static let area = 1024

  let columns: Int
  let count: Int
  private let isPainted: UnsafeMutablePointer<Bool>
  /// Defined in painted tiles; the kernel provides a page on the first write.
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

  /// The tiles without ownership, to read and to paint while the owner lives.
  var view: UnsafeView {
    unsafe UnsafeView(columns: columns, isPainted: isPainted, colours: colours)
  }

  /// The tiles without ownership.
  @safe struct UnsafeView {
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

    /// A tile; nil if nothing is painted on it.
    @inline(__always)
    subscript(_ index: Int) -> Tile? {
      unsafe isPainted[index] ? Tile(colours: colours + index &* GroundTiles.area) : nil
    }

    /// A tile to paint on. A new one starts as a copy of `below`, or all `plain`.
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

    /// Sixteen pixels from an offset on.
    @inline(__always)
    func load(_ offset: Int) -> SIMD16<UInt32> {
      unsafe UnsafeMutableRawPointer(colours + offset).loadUnaligned(as: SIMD16<UInt32>.self)
    }
  }
}

/// The only owner of its memory, which is written only before it is shared.
extension GroundTiles: @unchecked Sendable {}
