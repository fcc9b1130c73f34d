/// The three layers of ink, in tiles of 16 × 32 pixels whose rows lie together in memory: an outline
/// stays within a few memory pages however wide the panel is. A tile is as wide as pixels are worked on
/// together.
///
/// Nothing is written before ink comes: a row of a layer is undefined until the tile's state says that
/// there is ink. Taking ink away is therefore a change of states, and leaves no trace.
@safe @usableFromInline struct InkTiles: ~Copyable {
  /// One of the layers; the raw value is its place in a tile.
  enum Layer: Int {
    case page, stroke, tail
  }

  /// What a tile holds: for each layer, in the order of the layers, a bit for each row that has ink.
  /// Other rows are empty, whatever their bytes are.
  struct State: BitwiseCopyable {
    var page: UInt32 = 0
    var stroke: UInt32 = 0
    var tail: UInt32 = 0
    /// The number of the stroke that the `stroke` layer belongs to.
    var number: UInt32 = 0

    var isEmpty: Bool { page | stroke | tail == 0 }
  }

  /// Pixels along the sides of a tile.
  static let width = 16
  static let height = 32
  /// Bytes of one layer of a tile.
  static let layerSize = width * height
  /// Bytes of a tile.
  static let tileSize = 3 * layerSize

  let columns: Int
  let rows: Int
  let states: UnsafeMutablePointer<State>
  let bytes: UnsafeMutableRawPointer
  /// A row without ink.
  private let empty: UnsafeMutableRawPointer

  init(width: Int, height: Int) {
    columns = (width + InkTiles.width - 1) / InkTiles.width
    rows = (height + InkTiles.height - 1) / InkTiles.height
    let count = columns * rows
    unsafe states = .allocate(capacity: count)
    unsafe states.initialize(repeating: State(), count: count)
    // Large blocks come from the kernel page by page, when they are first written; a layer lies in one.
    unsafe bytes = .allocate(byteCount: count * InkTiles.tileSize, alignment: 4096)
    unsafe empty = .allocate(byteCount: InkTiles.width, alignment: InkTiles.width)
    unsafe empty.initializeMemory(as: UInt8.self, repeating: 0, count: InkTiles.width)
  }

  @usableFromInline deinit {
    unsafe states.deallocate()
    unsafe bytes.deallocate()
    unsafe empty.deallocate()
  }

  /// For the duration of one call of the owner.
  var lent: Lent {
    unsafe Lent(columns: columns, states: states, bytes: bytes, empty: UnsafeRawPointer(empty))
  }

  /// Takes the tail out of the tiles of a rectangle.
  func eraseTail(in rect: PixelRect) {
    InkTiles.forEach(in: rect, columns: columns) { index in unsafe states[index].tail = 0 }
  }

  /// Makes the tiles of a rectangle empty.
  func forget(in rect: PixelRect) {
    InkTiles.forEach(in: rect, columns: columns) { index in unsafe states[index] = State() }
  }

  /// Has the kernel give the memory of the tiles of a rectangle: a page for a byte of each layer without ink.
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

  /// Moves every stroke into the page.
  func fold() {
    for index in 0..<columns * rows { lent.fold(index, for: 0) }
  }

  /// The tiles that a rectangle touches.
  @inline(__always)
  static func forEach(in rect: PixelRect, columns: Int, _ body: (Int) -> Void) {
    guard !rect.isEmpty else { return }
    for row in Int(rect.y0 >> 5)...Int((rect.y1 - 1) >> 5) {
      for column in Int(rect.x0 >> 4)...Int((rect.x1 - 1) >> 4) { body(row * columns + column) }
    }
  }
}
