extension InkTiles {
  /// The tiles without their ownership.
  @safe struct Lent {
    let columns: Int
    let states: UnsafeMutablePointer<State>
    let bytes: UnsafeMutableRawPointer

    /// Ink of another stroke is about to come: moves the tile's stroke into its page.
    @inline(never)
    func fold(_ index: Int, for number: UInt32) {
      var state = unsafe states[index]
      let page = unsafe bytes + index &* InkTiles.tileSize
      let stroke = unsafe page + InkTiles.layerSize
      var left = state.stroke
      while left != 0 {
        let at = left.trailingZeroBitCount &* InkTiles.side
        let isInked = state.page & (left & (0 &- left)) != 0
        for half in 0..<2 {
          let place = at &+ half &* 16
          var folded = unsafe stroke.load(fromByteOffset: place, as: SIMD16<UInt8>.self)
          if isInked {
            folded = unsafe page.load(fromByteOffset: place, as: SIMD16<UInt8>.self).over(folded)
          }
          unsafe page.storeBytes(of: folded, toByteOffset: place, as: SIMD16<UInt8>.self)
        }
        left &= left &- 1
      }
      state.page |= state.stroke
      state.stroke = 0
      state.number = number
      unsafe states[index] = state
    }

    /// The visible coverage of 16 pixels of a tile, from the pixel `at` on, row by row.
    func visible(_ index: Int, _ at: Int) -> SIMD16<UInt8> {
      unsafe InkTiles.visible(
        bytes + (index * InkTiles.tileSize + at), states[index], 1 << UInt32(at >> 5))
    }
  }

  /// The visible coverage of 16 pixels of a row.
  ///
  /// - Parameters:
  ///   - place: Of the pixels in the tile's page.
  ///   - row: The row's bit in `state`.
  @inline(__always)
  static func visible(
    _ place: UnsafeMutableRawPointer, _ state: State, _ row: UInt32
  ) -> SIMD16<UInt8> {
    var top = SIMD16<UInt8>.zero
    if state.stroke & row != 0 {
      top = unsafe place.load(fromByteOffset: layerSize, as: SIMD16<UInt8>.self)
    }
    if state.tail & row != 0 {
      top = top.addingSaturated(
        unsafe place.load(fromByteOffset: 2 * layerSize, as: SIMD16<UInt8>.self))
    }
    guard state.page & row != 0 else { return top }
    return unsafe place.load(as: SIMD16<UInt8>.self).over(top)
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
    func add(_ coverage: SIMD8<UInt8>, _ x: Int, _ y: Int) {
      let index = (y &>> 5) &* tiles.columns &+ x &>> 5
      let line =
        unsafe tiles.bytes
        + (index &* InkTiles.tileSize &+ place &+ (y & 31) &* InkTiles.side)
      let group = unsafe line + x & 31
      let rows = unsafe UnsafeMutableRawPointer(tiles.states + index) + word
      let row = UInt32(1) &<< UInt32(truncatingIfNeeded: y)
      let inked = unsafe rows.load(as: UInt32.self)
      if inked & row == 0 {
        unsafe line.storeBytes(of: .zero, as: SIMD32<UInt8>.self)
        unsafe group.storeBytes(of: coverage, as: SIMD8<UInt8>.self)
        unsafe rows.storeBytes(of: inked | row, as: UInt32.self)
      } else {
        let before = unsafe group.load(as: SIMD8<UInt8>.self)
        unsafe group.storeBytes(of: before.addingSaturated(coverage), as: SIMD8<UInt8>.self)
      }
    }
  }
}
