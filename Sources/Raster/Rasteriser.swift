public import Ink

/// Converts closed outlines into exact-area coverage, one outline at a time.
///
/// For each edge, the signed area between the edge and the right border of each pixel that it passes is
/// accumulated in cells that cover the outline's bounding box. A running sum along each row is the
/// winding-weighted area of the outline in each pixel (the scheme of LibArt and of FreeType's "smooth"
/// module). Its absolute value, limited to 1, is the coverage. All memory is allocated once; an outline
/// larger than the cells is filled in bands.
@safe public struct Rasteriser: ~Copyable {
  private var outline = TransformedPoints()
  private(set) var cells = CellBuffer()
  private var flattener = EdgeFlattener()

  /// Reserves a megabyte of address space; pages are used as the largest outline needs them.
  public init() {}

  /// Adds the coverage of an outline to a mask, saturating at 255.
  ///
  /// - Parameters:
  ///   - outline: Closed contours in millimetres, filled by the non-zero rule.
  ///   - scale: Pixels per millimetre.
  ///   - offset: The position of the outline's origin in the mask, in pixels.
  /// - Returns: A rectangle that contains all changed pixels.
  public mutating func add(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float> = .zero, to mask: inout Coverage
  ) -> PixelRect {
    let clip = PixelRect(width: mask.width, height: mask.height)
    let sink = unsafe Coverage.Sink(pixels: mask.pixels, stride: mask.stride)
    return fill(outline, scale: scale, offset: offset, clip: clip, into: sink)
  }

  /// Fills one outline.
  ///
  /// - Parameters:
  ///   - clip: The raster, from column 0 on.
  ///   - sink: Receives the coverage, also of some pixels on the right of `clip`.
  /// - Returns: A rectangle within `clip` that contains all coverage.
  @inline(__always)
  mutating func fill<Sink: CoverageSink>(
    _ path: borrowing Path, scale: Scale, offset: SIMD2<Float>, clip: PixelRect, into sink: Sink
  ) -> PixelRect {
    guard let bounds = outline.transform(path.points, scale: scale, offset: offset)
    else { return .empty }
    let rect = bounds.intersection(clip)
    guard !rect.isEmpty else { return .empty }
    sink.prepare(for: rect)
    let left = Int(bounds.x0 &- 1) & ~15
    let columns = (Int(bounds.x1) &- left &+ 1 &+ 63) & ~63
    let rows = Int(bounds.y1 &- bounds.y0)
    guard outline.isComplete, cells.reshape(columns: columns, rows: rows) else {
      return fillInBands(path, scale: scale, offset: offset, rect, into: sink)
    }
    addEdges(path, origin: SIMD2(Float(left), Float(bounds.y0)))
    return cells.resolve(into: sink, left: left, top: Int(bounds.y0), clip: rect)
  }

  /// Fills an outline for which there are too few cells.
  @inline(never)
  mutating func fillInBands<Sink: CoverageSink>(
    _ path: borrowing Path, scale: Scale, offset: SIMD2<Float>, _ rect: PixelRect, into sink: Sink
  ) -> PixelRect {
    Band.fill(
      path, scale: scale, offset: offset, rect, with: &flattener, &cells, into: sink)
  }

  /// Accumulates all edges of the transformed outline; `origin` is the pixel of the first cell.
  @inline(__always)
  private mutating func addEdges(_ path: borrowing Path, origin: SIMD2<Float>) {
    let points = unsafe outline.points
    // The subtraction is exact: outlines that share a point share its position within the pixel,
    // whatever their bounding boxes are.
    @inline(__always)
    func pixel(_ index: Int) -> SIMD2<Float> { unsafe EdgeFlattener.units(points[index] - origin) }
    var start = SIMD2<Float>.zero
    var last = start
    path.forEachVerb { verb, first in
      switch verb {
      case .move:
        if first > 0 { close(last, start) }
        start = pixel(first)
        flattener.start(start)
        last = start
      case .line:
        let end = pixel(first)
        flattener.line(last, end, in: &cells)
        last = end
      case .quad:
        let end = pixel(first &+ 1)
        flattener.quad(last, pixel(first), end, in: &cells)
        last = end
      case .cubic:
        let end = pixel(first &+ 2)
        flattener.cubic(last, pixel(first), pixel(first &+ 1), end, in: &cells)
        last = end
      }
    }
    if !path.isEmpty { close(last, start) }
  }

  @inline(__always)
  private mutating func close(_ last: SIMD2<Float>, _ start: SIMD2<Float>) {
    flattener.line(last, start, in: &cells)
    flattener.flush(into: &cells)
  }
}

/// Receives the coverage of an outline.
protocol CoverageSink {
  /// Prepares for coverage within `rect` and the groups of sixteen columns that it touches.
  func prepare(for rect: PixelRect)

  /// The receiver of the coverage of pixel row `y`.
  func row(_ y: Int) -> Row

  associatedtype Row: CoverageRow
}

/// Receives the coverage of consecutive rows of pixels.
protocol CoverageRow {
  /// Moves to the row below.
  mutating func next()

  /// Adds the coverage of sixteen pixels; `x` is a multiple of sixteen.
  func add(_ coverage: SIMD16<UInt8>, _ x: Int)
}

/// Splits steps at the borders of pixels and adds their parts to the cells.
@safe @usableFromInline struct StepSplitter: ~Copyable {
  /// Four steps.
  private typealias Lanes = SIMD4<Float>

  /// The cells of four first parts, four middle parts and four last parts.
  private let cellIndices: UnsafeMutablePointer<UInt32>
  /// The amounts to add to these cells.
  private let deltas: UnsafeMutablePointer<UInt32>

  init() {
    unsafe cellIndices = .allocate(capacity: 12)
    unsafe deltas = .allocate(capacity: 12)
  }

  @usableFromInline deinit {
    unsafe cellIndices.deallocate()
    unsafe deltas.deallocate()
  }

  /// Adds groups of four steps, which cross at most one column and row each.
  ///
  /// The program's hot loop: it uses bare pointers and no conversions of vectors, which are calls here
  /// (measured: `Tests/Bench`).
  ///
  /// - Parameters:
  ///   - x: The columns of the steps' ends.
  ///   - y: Their rows, raised by `EdgeFlattener.rowBase`.
  @inline(__always)
  func split(
    _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>, groups: Int,
    into cells: borrowing CellBuffer
  ) {
    let base = EdgeFlattener.rowBase
    let width = Float(cells.columns)
    var nextX = UnsafeRawPointer(x)
    var nextY = UnsafeRawPointer(y)
    let cellIndices = unsafe UnsafeMutableRawPointer(self.cellIndices)
    let deltas = unsafe UnsafeMutableRawPointer(self.deltas)
    var left = groups
    while left > 0 {
      let x0 = unsafe nextX.loadUnaligned(as: Lanes.self)
      let x1 = unsafe nextX.loadUnaligned(fromByteOffset: 4, as: Lanes.self)
      let y0 = unsafe nextY.loadUnaligned(as: Lanes.self)
      let y1 = unsafe nextY.loadUnaligned(fromByteOffset: 4, as: Lanes.self)
      let column0 = whole(x0 - 0.5)
      let column1 = whole(x1 - 0.5)
      let row0 = whole(y0 - (base + 0.5))
      let row1 = whole(y1 - (base + 0.5))

      // The step's fraction up to the border that it crosses. If it crosses none, any fraction is
      // right, because both parts lie in one pixel.
      let dx = x1 - x0
      let dy = y1 - y0
      let shareX = unitInterval((larger(column0, column1) - x0) / dx)
      let shareY = unitInterval(((larger(row0, row1) + base) - y0) / dy)
      let columnFirst = shareX .< shareY
      let first = shareY.replacing(with: shareX, where: columnFirst)
      let second = shareX.replacing(with: shareY, where: columnFirst)
      let columnB = column0.replacing(with: column1, where: columnFirst)
      let rowB = row1.replacing(with: row0, where: columnFirst)

      // The sums are rounded to units, the resolution of `Float` at this magnitude.
      let ya = y0 + dy * first
      let yb = y0 + dy * second
      let half = dx * 0.5
      let areaA = (ya - y0) * (x0 + half * first - column0)
      let areaB = (yb - ya) * (x0 + half * (first + second) - columnB)
      let areaC = (y1 - yb) * (x0 + half * (second + 1) - column1)

      unsafe cellIndices.storeBytes(of: index(row0 * width + column0), as: SIMD4<UInt32>.self)
      unsafe cellIndices.storeBytes(
        of: index(rowB * width + columnB), toByteOffset: 16, as: SIMD4<UInt32>.self)
      unsafe cellIndices.storeBytes(
        of: index(row1 * width + column1), toByteOffset: 32, as: SIMD4<UInt32>.self)
      unsafe deltas.storeBytes(of: bits(ya) &- bits(y0) &+ high(areaA), as: SIMD4<UInt32>.self)
      unsafe deltas.storeBytes(
        of: bits(yb) &- bits(ya) &+ high(areaB), toByteOffset: 16, as: SIMD4<UInt32>.self)
      unsafe deltas.storeBytes(
        of: bits(y1) &- bits(yb) &+ high(areaC), toByteOffset: 32, as: SIMD4<UInt32>.self)
      unsafe cells.add(self.cellIndices, self.deltas)
      unsafe nextX += 16
      unsafe nextY += 16
      left &-= 1
    }
  }

  @inline(__always)
  private func larger(_ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: a .> b) }

  /// Clamps to 0…1; NaN becomes 1.
  @inline(__always)
  private func unitInterval(_ lanes: Lanes) -> Lanes {
    let low = Lanes(repeating: 1).replacing(with: lanes, where: lanes .< 1)
    return low.replacing(with: 0, where: low .< 0)
  }

  /// Rounds to the nearest integer, at a magnitude where `Float` has no fraction.
  ///
  /// Applied to a coordinate minus half a pixel, the result is the pixel. On a border, either of
  /// the two pixels is right.
  @inline(__always)
  private func whole(_ lanes: Lanes) -> Lanes { (lanes + 0x1.8p23) - 0x1.8p23 }

  /// Converts integers 0..<2²³ that are stored as `Float`.
  @inline(__always)
  private func index(_ lanes: Lanes) -> SIMD4<UInt32> { bits(lanes + 0x1p23) & 0x7F_FFFF }

  /// Reinterprets the bits. The difference of two rows raised by `rowBase` is their difference in
  /// units.
  @inline(__always)
  private func bits(_ lanes: Lanes) -> SIMD4<UInt32> {
    unsafe unsafeBitCast(lanes, to: SIMD4<UInt32>.self)
  }

  /// An area in units, in the high half of a cell.
  ///
  /// The low half of `rowBase`'s bits is zero.
  @inline(__always)
  private func high(_ area: Lanes) -> SIMD4<UInt32> {
    bits(area + EdgeFlattener.rowBase) &<< 16
  }
}
