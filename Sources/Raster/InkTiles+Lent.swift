extension InkTiles {
  /// The tiles without their ownership: what the rasteriser writes to.
  @safe struct Lent {
    let columns: Int
    let states: UnsafeMutablePointer<State>
    let bytes: UnsafeMutableRawPointer

    /// Ink of `stroke` is about to come: folds an earlier stroke into the page.
    func prepare(_ index: Int, for stroke: UInt32) {
      let page = unsafe bytes + index &* InkTiles.tileSize
      let old = unsafe page + InkTiles.layerSize
      if unsafe states[index].stroke != 0 {
        let hasPage = unsafe states[index].hasPage
        var at = 0
        while at < InkTiles.layerSize {
          var folded = unsafe old.load(fromByteOffset: at, as: SIMD16<UInt8>.self)
          if hasPage {
            folded = unsafe page.load(fromByteOffset: at, as: SIMD16<UInt8>.self).over(folded)
          }
          unsafe page.storeBytes(of: folded, toByteOffset: at, as: SIMD16<UInt8>.self)
          at &+= 16
        }
        unsafe states[index].hasPage = true
      }
      unsafe old.initializeMemory(as: UInt8.self, repeating: 0, count: InkTiles.layerSize)
      unsafe states[index].stroke = stroke
    }

    func prepareTail(_ index: Int) {
      let tail =
        unsafe bytes + (index &* InkTiles.tileSize &+ Layer.tail.rawValue &* InkTiles.layerSize)
      unsafe tail.initializeMemory(as: UInt8.self, repeating: 0, count: InkTiles.layerSize)
      unsafe states[index].hasTail = true
    }

    /// The visible coverage of 16 pixels of a tile.
    func visible(_ index: Int, _ at: Int) -> SIMD16<UInt8> {
      unsafe InkTiles.visible(bytes + index * InkTiles.tileSize, states[index], at)
    }
  }
}

extension InkTiles {
  /// One layer for the duration of one fill.
  @safe struct Sink: CoverageSink {
    let tiles: Lent
    let layer: Layer
    let stroke: UInt32

    @inline(__always)
    func add(_ coverage: SIMD8<UInt8>, _ x: Int, _ y: Int) {
      let index = (y &>> 5) &* tiles.columns &+ x &>> 5
      if unsafe tiles.states[index].stroke != stroke { tiles.prepare(index, for: stroke) }
      if layer == .tail, unsafe !tiles.states[index].hasTail { tiles.prepareTail(index) }
      let place =
        unsafe tiles.bytes
        + (index &* InkTiles.tileSize &+ layer.rawValue &* InkTiles.layerSize)
        + ((y & 31) &* 32 &+ x & 31)
      let before = unsafe place.load(as: SIMD8<UInt8>.self)
      unsafe place.storeBytes(of: before.addingSaturated(coverage), as: SIMD8<UInt8>.self)
    }
  }
}
