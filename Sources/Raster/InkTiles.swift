/// The three layers of ink, in tiles of 16 × 32 pixels.
///
/// A tile's rows are adjacent in memory. An outline therefore touches few memory pages on however wide a panel. A
/// tile is as wide as the group of pixels that is processed at once.
///
/// Memory is not written before ink comes: a row of a layer is undefined unless the tile's state marks it
/// as inked. Removing ink only changes states.
@safe @usableFromInline struct InkTiles: ~Copyable {
  /// A layer; the raw value is its position in a tile.
  enum Layer: Int {
    case page, stroke, tail
  }

  /// A tile's inked rows: for each layer, in order, one bit per row.
  ///
  /// Rows without a bit are empty, whatever their bytes are.
  struct State: BitwiseCopyable {
    var page: UInt32 = 0
    var stroke: UInt32 = 0
    var tail: UInt32 = 0
    /// The number of the stroke that the `stroke` layer belongs to.
    var number: UInt32 = 0

    var isEmpty: Bool { page | stroke | tail == 0 }
  }

  /// A tile's width in pixels.
  static let width = 16
  /// A tile's height in pixels.
  static let height = 32
  /// The bytes of one layer of a tile.
  static let layerSize = width * height
  /// The bytes of a tile.
  static let tileSize = 3 * layerSize

  let columns: Int
  let rows: Int
  private let states: UnsafeMutablePointer<State>
  let bytes: UnsafeMutableRawPointer
  /// A row without ink.
  private let empty: UnsafeMutableRawPointer

  init(width: Int, height: Int) {
    columns = (width + InkTiles.width - 1) / InkTiles.width
    rows = (height + InkTiles.height - 1) / InkTiles.height
    let count = columns * rows
    unsafe states = .allocate(capacity: count)
    unsafe states.initialize(repeating: State(), count: count)
    // The kernel provides the pages of large blocks on the first write; a layer lies in one page.
    unsafe bytes = .allocate(byteCount: count * InkTiles.tileSize, alignment: 4096)
    unsafe empty = .allocate(byteCount: InkTiles.width, alignment: InkTiles.width)
    unsafe empty.initializeMemory(as: UInt8.self, repeating: 0, count: InkTiles.width)
  }

  @usableFromInline deinit {
    unsafe states.deallocate()
    unsafe bytes.deallocate()
    unsafe empty.deallocate()
  }

  /// The tiles without ownership, for the duration of one call of the owner.
  var view: UnsafeView {
    unsafe UnsafeView(
      columns: columns, states: states, bytes: bytes, empty: UnsafeRawPointer(empty))
  }

  /// Removes the tail from the tiles of a rectangle.
  func eraseTail(in rect: PixelRect) {
    InkTiles.forEach(in: rect, columns: columns) { index in unsafe states[index].tail = 0 }
  }

  /// Removes all ink from the tiles of a rectangle.
  func erase(in rect: PixelRect) {
    InkTiles.forEach(in: rect, columns: columns) { index in unsafe states[index] = State() }
  }

  /// Touches the pages of a rectangle's tiles: one byte per layer without ink.
  func prefault(in rect: PixelRect) {
    InkTiles.forEach(in: rect, columns: columns) { index in
      let (state, tile) = unsafe (states[index], bytes + index * InkTiles.tileSize)
      if state.page == 0 { unsafe tile.storeBytes(of: 0, as: UInt8.self) }
      if state.stroke == 0 { unsafe (tile + InkTiles.layerSize).storeBytes(of: 0, as: UInt8.self) }
      if state.tail == 0 {
        unsafe (tile + 2 * InkTiles.layerSize).storeBytes(of: 0, as: UInt8.self)
      }
    }
  }

  /// Folds all strokes into the page.
  func fold() {
    for index in 0..<columns * rows { view.fold(index, for: 0) }
  }

  /// Calls `body` with the tiles that a rectangle touches.
  @inline(__always)
  static func forEach(in rect: PixelRect, columns: Int, _ body: (Int) -> Void) {
    guard !rect.isEmpty else { return }
    for row in Int(rect.y0 >> 5)...Int((rect.y1 - 1) >> 5) {
      for column in Int(rect.x0 >> 4)...Int((rect.x1 - 1) >> 4) { body(row * columns + column) }
    }
  }

  /// The tiles without ownership.
  @safe struct UnsafeView {
    let columns: Int
    let states: UnsafeMutablePointer<State>
    let bytes: UnsafeMutableRawPointer
    /// A row without ink.
    let empty: UnsafeRawPointer

    /// Folds a tile's stroke into its page, before ink of stroke `number` is added.
    @inline(never)
    func fold(_ index: Int, for number: UInt32) {
      var state = unsafe states[index]
      let page = unsafe bytes + index &* InkTiles.tileSize
      var left = state.stroke
      while left != 0 {
        let row = unsafe page + left.trailingZeroBitCount &* InkTiles.width
        var folded = unsafe row.load(fromByteOffset: layerSize, as: SIMD16<UInt8>.self)
        if state.page & (left & (0 &- left)) != 0 {
          folded = unsafe row.load(as: SIMD16<UInt8>.self).over(folded)
        }
        unsafe row.storeBytes(of: folded, as: SIMD16<UInt8>.self)
        left &= left &- 1
      }
      state.page |= state.stroke
      state.stroke = 0
      state.number = number
      unsafe states[index] = state
    }

    /// The visible coverage of a row of a tile.
    func visible(_ index: Int, row: Int) -> SIMD16<UInt8> {
      unsafe visible(
        bytes + (index &* InkTiles.tileSize &+ row &* InkTiles.width), states[index],
        1 &<< UInt32(truncatingIfNeeded: row))
    }

    /// The visible coverage of a row of a tile.
    ///
    /// - Parameters:
    ///   - row: The row in the tile's page.
    ///   - bit: The row's bit in `state`.
    @inline(__always)
    func visible(
      _ row: UnsafeMutableRawPointer, _ state: State, _ bit: UInt32
    ) -> SIMD16<UInt8> {
      let stroke = unsafe inked(row + layerSize, state.stroke & bit)
      let tail = unsafe inked(row + 2 &* layerSize, state.tail & bit)
      // A saturated sum. In this form it stays one instruction where halves of it are used next.
      let top = stroke &+ tail.replacing(with: ~stroke, where: tail .> ~stroke)
      guard state.page & bit != 0 else { return top }
      return unsafe row.load(as: SIMD16<UInt8>.self).over(top)
    }

    /// A row if it is inked, otherwise an empty one.
    ///
    /// Selects a pointer: a branch would be mispredicted, as ink starts and ends elsewhere in each row.
    @inline(__always)
    func inked(_ row: UnsafeMutableRawPointer, _ isInked: UInt32) -> SIMD16<UInt8> {
      let row = unsafe isInked != 0 ? UnsafeRawPointer(row) : empty
      return unsafe row.load(as: SIMD16<UInt8>.self)
    }
  }

  /// Receives coverage into one layer for the duration of one fill.
  @safe struct Sink: CoverageSink {
    let tiles: UnsafeView
    /// The layer's offsets from a tile's first byte and from a state's first word.
    private let byteOffset, wordOffset: Int
    /// The number of the present stroke.
    private let number: UInt32

    init(_ layer: Layer, of tiles: UnsafeView, number: UInt32) {
      self.tiles = tiles
      self.number = number
      byteOffset = layer.rawValue * InkTiles.layerSize
      wordOffset = layer.rawValue * MemoryLayout<UInt32>.size
    }

    /// Folds the tiles that hold another stroke, so that `Row.add` need not check.
    @inline(__always)
    func prepare(for rect: PixelRect) {
      InkTiles.forEach(in: rect, columns: tiles.columns) { index in
        if unsafe tiles.states[index].number != number { tiles.fold(index, for: number) }
      }
    }

    @inline(__always)
    func row(_ y: Int) -> Row {
      let first = (y &>> 5) &* tiles.columns
      let byte = first &* InkTiles.tileSize &+ byteOffset &+ (y & 31) &* InkTiles.width
      return unsafe Row(
        bytes: tiles.bytes + byte,
        words: UnsafeMutableRawPointer(tiles.states + first) + wordOffset,
        bit: 1 &<< UInt32(truncatingIfNeeded: y & 31), columns: tiles.columns, empty: tiles.empty)
    }

    /// A row of the layer in all tiles from left to right.
    @safe struct Row: CoverageRow {
      /// The addresses of the row and of the layer's word of the state, both in the first tile.
      private(set) var bytes, words: UnsafeMutableRawPointer
      private(set) var bit: UInt32
      let columns: Int
      let empty: UnsafeRawPointer

      @inline(__always)
      mutating func next() {
        unsafe bytes += InkTiles.width
        bit &<<= 1
        guard bit == 0 else { return }
        // The first row of the tiles below.
        bit = 1
        unsafe bytes += columns &* InkTiles.tileSize &- InkTiles.layerSize
        unsafe words += columns &* MemoryLayout<State>.stride
      }

      @inline(__always)
      func add(_ coverage: SIMD16<UInt8>, _ x: Int) {
        let tile = x &>> 4
        let target = unsafe bytes + tile &* InkTiles.tileSize
        let word = unsafe words + tile &* MemoryLayout<State>.stride
        let inked = unsafe word.load(as: UInt32.self)
        let row = unsafe inked & bit != 0 ? UnsafeRawPointer(target) : empty
        let sum = unsafe row.load(as: SIMD16<UInt8>.self).addingSaturated(coverage)
        unsafe target.storeBytes(of: sum, as: SIMD16<UInt8>.self)
        unsafe word.storeBytes(of: inked | bit, as: UInt32.self)
      }
    }
  }
}
