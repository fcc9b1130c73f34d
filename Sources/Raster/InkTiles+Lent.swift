extension InkTiles {
  /// The tiles without their ownership: what the rasteriser writes to.
  @safe struct Lent {
    let columns: Int32
    let states: UnsafeMutablePointer<State>
    let bytes: UnsafeMutableRawPointer

    /// Adds the coverage of 16 pixels, which lie in one tile, to a layer.
    @inline(__always)
    func add(
      _ coverage: SIMD16<UInt8>, _ x: Int32, _ y: Int32, to layer: Layer, of stroke: UInt32
    ) {
      let index = Int((y >> InkTiles.shift) &* columns &+ (x >> InkTiles.shift))
      if unsafe states[index].stroke != stroke { prepare(index, for: stroke) }
      if layer == .tail, unsafe !states[index].hasTail { prepareTail(index) }
      let place =
        unsafe bytes + (index &* 3 &+ layer.rawValue) &* InkTiles.layerSize
        + Int((y & 31) &* 32 &+ (x & 31))
      let before = unsafe place.load(as: SIMD16<UInt8>.self)
      unsafe place.storeBytes(of: before.addingSaturated(coverage), as: SIMD16<UInt8>.self)
    }

    /// Ink of `stroke` is about to come: folds an earlier stroke into the page.
    func prepare(_ index: Int, for stroke: UInt32) {
      let page = unsafe bytes + index &* 3 &* InkTiles.layerSize
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
      let tail = unsafe bytes + (index &* 3 &+ Layer.tail.rawValue) &* InkTiles.layerSize
      unsafe tail.initializeMemory(as: UInt8.self, repeating: 0, count: InkTiles.layerSize)
      unsafe states[index].hasTail = true
    }

    /// The visible coverage of 16 pixels of a tile.
    @inline(__always)
    func visible(_ index: Int, _ at: Int) -> SIMD16<UInt8> {
      let state = unsafe states[index]
      let page = unsafe bytes + (index &* 3 &* InkTiles.layerSize &+ at)
      var top = SIMD16<UInt8>.zero
      if state.stroke != 0 {
        top = unsafe page.load(fromByteOffset: InkTiles.layerSize, as: SIMD16<UInt8>.self)
      }
      if state.hasTail {
        top = top.addingSaturated(
          unsafe page.load(fromByteOffset: 2 * InkTiles.layerSize, as: SIMD16<UInt8>.self))
      }
      guard state.hasPage else { return top }
      return unsafe page.load(as: SIMD16<UInt8>.self).over(top)
    }
  }
}
