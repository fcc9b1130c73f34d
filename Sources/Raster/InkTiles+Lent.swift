extension InkTiles {
  /// The tiles without their ownership.
  @safe struct Lent {
    let columns: Int
    let states: UnsafeMutablePointer<State>
    let bytes: UnsafeMutableRawPointer
    /// A row without ink.
    let empty: UnsafeRawPointer

    /// Ink of another stroke is about to come: moves the tile's stroke into its page.
    @inline(never)
    func fold(_ index: Int, for number: UInt32) {
      var state = unsafe states[index]
      let page = unsafe bytes + index &* InkTiles.tileSize
      var left = state.stroke
      while left != 0 {
        let place = unsafe page + left.trailingZeroBitCount &* InkTiles.width
        var folded = unsafe place.load(fromByteOffset: layerSize, as: SIMD16<UInt8>.self)
        if state.page & (left & (0 &- left)) != 0 {
          folded = unsafe place.load(as: SIMD16<UInt8>.self).over(folded)
        }
        unsafe place.storeBytes(of: folded, as: SIMD16<UInt8>.self)
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

    /// The same.
    ///
    /// - Parameters:
    ///   - place: Of the row in the tile's page.
    ///   - row: The row's bit in `state`.
    @inline(__always)
    func visible(
      _ place: UnsafeMutableRawPointer, _ state: State, _ row: UInt32
    ) -> SIMD16<UInt8> {
      let stroke = unsafe inked(place + layerSize, state.stroke & row)
      let tail = unsafe inked(place + 2 &* layerSize, state.tail & row)
      // Saturated: written so, it stays one instruction where halves of it are asked for next.
      let top = stroke &+ tail.replacing(with: ~stroke, where: tail .> ~stroke)
      guard state.page & row != 0 else { return top }
      return unsafe place.load(as: SIMD16<UInt8>.self).over(top)
    }

    /// A row, if it is `inked`. A choice between two places, and not a branch that the processor would
    /// guess wrong: where ink begins and ends is new in each row.
    @inline(__always)
    func inked(_ place: UnsafeMutableRawPointer, _ inked: UInt32) -> SIMD16<UInt8> {
      let row = unsafe inked != 0 ? UnsafeRawPointer(place) : empty
      return unsafe row.load(as: SIMD16<UInt8>.self)
    }
  }

  /// One layer for the duration of one fill.
  @safe struct Sink: CoverageSink {
    let tiles: Lent
    /// Of the layer, from a tile's first byte and from a state's first word.
    let place, word: Int
    /// The stroke being drawn.
    let number: UInt32

    init(_ layer: Layer, of tiles: Lent, number: UInt32) {
      self.tiles = tiles
      self.number = number
      place = layer.rawValue * InkTiles.layerSize
      word = layer.rawValue * MemoryLayout<UInt32>.size
    }

    /// Tiles that hold another stroke are folded here, so that no group of pixels has to ask.
    @inline(__always)
    func prepare(for rect: PixelRect) {
      InkTiles.forEach(in: rect, columns: tiles.columns) { index in
        if unsafe tiles.states[index].number != number { tiles.fold(index, for: number) }
      }
    }

    @inline(__always)
    func row(_ y: Int) -> Row {
      let first = (y &>> 5) &* tiles.columns
      return unsafe Row(
        bytes: tiles.bytes + (first &* InkTiles.tileSize &+ place &+ (y & 31) &* InkTiles.width),
        words: UnsafeMutableRawPointer(tiles.states + first) + word,
        bit: 1 &<< UInt32(truncatingIfNeeded: y), columns: tiles.columns, empty: tiles.empty)
    }

    /// A row of the layer, in all tiles from left to right.
    @safe struct Row: CoverageRow {
      /// In the first tile: the row, and the layer's word of the state.
      private(set) var bytes, words: UnsafeMutableRawPointer
      private(set) var bit: UInt32
      let columns: Int
      let empty: UnsafeRawPointer

      @inline(__always)
      mutating func next() {
        unsafe bytes += InkTiles.width
        bit &<<= 1
        guard bit == 0 else { return }
        // The first of the tiles below.
        bit = 1
        unsafe bytes += columns &* InkTiles.tileSize &- InkTiles.layerSize
        unsafe words += columns &* MemoryLayout<State>.stride
      }

      @inline(__always)
      func add(_ coverage: SIMD16<UInt8>, _ x: Int) {
        let tile = x &>> 4
        let place = unsafe bytes + tile &* InkTiles.tileSize
        let word = unsafe words + tile &* MemoryLayout<State>.stride
        let inked = unsafe word.load(as: UInt32.self)
        let row = unsafe inked & bit != 0 ? UnsafeRawPointer(place) : empty
        let sum = unsafe row.load(as: SIMD16<UInt8>.self).addingSaturated(coverage)
        unsafe place.storeBytes(of: sum, as: SIMD16<UInt8>.self)
        unsafe word.storeBytes(of: inked | bit, as: UInt32.self)
      }
    }
  }
}
