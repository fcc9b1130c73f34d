/// Four steps.
private typealias Lanes = SIMD4<Float>

// The hot loop of the program: bare pointers, and no conversions of vectors, which are calls here
// (measured: `Tests/Bench`).
extension StepBuffer {
  /// Splits the steps at the borders of pixels, and adds each of the three parts to its cell.
  func split(groups: Int, into cells: borrowing CellBuffer) {
    let base = StepBuffer.rowBase
    let width = Float(cells.columns)
    var placeX = unsafe UnsafeRawPointer(x)
    var placeY = unsafe UnsafeRawPointer(y)
    let places = unsafe UnsafeMutableRawPointer(self.places)
    let gains = unsafe UnsafeMutableRawPointer(self.gains)
    var left = groups
    while left > 0 {
      let x0 = unsafe placeX.loadUnaligned(as: Lanes.self)
      let x1 = unsafe placeX.loadUnaligned(fromByteOffset: 4, as: Lanes.self)
      let y0 = unsafe placeY.loadUnaligned(as: Lanes.self)
      let y1 = unsafe placeY.loadUnaligned(fromByteOffset: 4, as: Lanes.self)
      let column0 = whole(x0 - 0.5)
      let column1 = whole(x1 - 0.5)
      let row0 = whole(y0 - (base + 0.5))
      let row1 = whole(y1 - (base + 0.5))

      // The share of the step up to the border that it crosses. Where it crosses none, any share
      // will do: both parts lie in one pixel.
      let dx = x1 - x0
      let dy = y1 - y0
      let shareX = unitInterval((larger(column0, column1) - x0) / dx)
      let shareY = unitInterval(((larger(row0, row1) + base) - y0) / dy)
      let columnFirst = shareX .< shareY
      let first = shareY.replacing(with: shareX, where: columnFirst)
      let second = shareX.replacing(with: shareY, where: columnFirst)
      let columnB = column0.replacing(with: column1, where: columnFirst)
      let rowB = row1.replacing(with: row0, where: columnFirst)

      // In units: so high up the sum is rounded.
      let ya = y0 + dy * first
      let yb = y0 + dy * second
      let half = dx * 0.5
      let areaA = (ya - y0) * (x0 + half * first - column0)
      let areaB = (yb - ya) * (x0 + half * (first + second) - columnB)
      let areaC = (y1 - yb) * (x0 + half * (second + 1) - column1)

      unsafe places.storeBytes(of: index(row0 * width + column0), as: SIMD4<UInt32>.self)
      unsafe places.storeBytes(
        of: index(rowB * width + columnB), toByteOffset: 16, as: SIMD4<UInt32>.self)
      unsafe places.storeBytes(
        of: index(row1 * width + column1), toByteOffset: 32, as: SIMD4<UInt32>.self)
      unsafe gains.storeBytes(of: bits(ya) &- bits(y0) &+ high(areaA), as: SIMD4<UInt32>.self)
      unsafe gains.storeBytes(
        of: bits(yb) &- bits(ya) &+ high(areaB), toByteOffset: 16, as: SIMD4<UInt32>.self)
      unsafe gains.storeBytes(
        of: bits(y1) &- bits(yb) &+ high(areaC), toByteOffset: 32, as: SIMD4<UInt32>.self)
      unsafe cells.add(self.places, self.gains)
      unsafe placeX += 16
      unsafe placeY += 16
      left &-= 1
    }
  }

  @inline(__always)
  private func larger(_ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: a .> b) }

  /// Limited to 0…1; 1 where it is no number.
  @inline(__always)
  private func unitInterval(_ lanes: Lanes) -> Lanes {
    let low = Lanes(repeating: 1).replacing(with: lanes, where: lanes .< 1)
    return low.replacing(with: 0, where: low .< 0)
  }

  /// To the nearest integer, by the place at which `Float` has no more fraction. Of a place half a
  /// pixel back it is the pixel: on a border, either of the two, which does not matter here.
  @inline(__always)
  private func whole(_ lanes: Lanes) -> Lanes { (lanes + 0x1.8p23) - 0x1.8p23 }

  /// Integers 0..<2²³ from the same numbers as `Float`.
  @inline(__always)
  private func index(_ lanes: Lanes) -> SIMD4<UInt32> { bits(lanes + 0x1p23) & 0x7F_FFFF }

  /// The differences of rows `rowBase` higher than they are, as bits, are differences in units.
  @inline(__always)
  private func bits(_ lanes: Lanes) -> SIMD4<UInt32> {
    unsafe unsafeBitCast(lanes, to: SIMD4<UInt32>.self)
  }

  /// An area in units in the high half of a cell; the low half of `rowBase`'s bits is zero.
  @inline(__always)
  private func high(_ area: Lanes) -> SIMD4<UInt32> { bits(area + StepBuffer.rowBase) &<< 16 }
}
