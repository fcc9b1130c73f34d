public import Ink

/// The ink on the pad in three layers: page, present stroke and tail.
///
/// The *page* holds all earlier strokes, the *stroke* the finalised ink of the present one, and the *tail*
/// its provisional ink.
///
/// Within a stroke coverage adds up and saturates: outlines that share an edge join without a seam.
/// Strokes, and therefore page and stroke, are composited with source-over. The visible coverage of a pixel
/// is `over(page, min(255, stroke + tail))`, where `over(a, b)` is a + b − ab/255, rounded.
///
/// The layers are kept in tiles of 16 × 32 pixels, which record their inked rows. A finished stroke is folded
/// into the page when the rectangle of a later outline reaches its tile. The cost of a sample depends neither
/// on the size of the panel nor on earlier ink.
@safe public struct InkPlanes: ~Copyable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int

  private(set) var tiles: InkTiles
  private var rasteriser = Rasteriser()
  /// The number of the present stroke, from 1.
  var stroke: UInt32 = 1
  /// A rectangle that contains all finalised ink since `clear()`.
  public private(set) var finalisedBounds = PixelRect.empty
  /// A rectangle that contains the tail.
  public private(set) var tailBounds = PixelRect.empty
  /// The rectangle whose pages were touched.
  private var prefaulted = PixelRect.empty

  /// Creates a pad without ink.
  ///
  /// Reserves memory for the whole pad, but uses pages only where ink comes.
  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    tiles = InkTiles(width: width, height: height)
  }

  /// A rectangle that contains all visible ink.
  public var bounds: PixelRect { finalisedBounds.union(tailBounds) }

  /// The rectangle of the whole pad.
  private var rect: PixelRect { PixelRect(width: width, height: height) }

  /// Adds finalised ink to the present stroke; returns a rectangle that contains all changed pixels.
  ///
  /// - Parameters:
  ///   - outline: Closed contours in millimetres.
  ///   - scale: Pixels per millimetre.
  ///   - offset: The position of the ink's origin on the pad, in pixels.
  public mutating func addFinalised(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float> = .zero
  ) -> PixelRect {
    let rect = add(outline, to: .stroke, scale: scale, offset: offset)
    finalisedBounds = finalisedBounds.union(rect)
    return rect
  }

  /// Adds provisional ink until the next `clearTail()`.
  ///
  /// Returns a rectangle that contains all changed pixels. The parameters are those of `addFinalised`.
  public mutating func addTail(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float> = .zero
  ) -> PixelRect {
    let rect = add(outline, to: .tail, scale: scale, offset: offset)
    tailBounds = tailBounds.union(rect)
    return rect
  }

  /// Adds a picture of ink as a stroke of its own, over all earlier ink.
  ///
  /// Ends the present stroke. `DrawingModel.start(on:)` and `InkPicture` use it for the ground of a drawing.
  ///
  /// - Parameters:
  ///   - coverage: The picture, row by row without gaps: 0 is paper, 255 is ink.
  ///   - rect: The picture's position; pixels beyond the pad are dropped.
  /// - Returns: A rectangle that contains all changed pixels.
  public mutating func addPicture(_ coverage: Span<UInt8>, in rect: PixelRect) -> PixelRect {
    precondition(coverage.count == rect.area)
    let ended = endStroke()
    let inside = rect.intersection(self.rect)
    guard !inside.isEmpty else { return ended }
    let sink = InkTiles.Sink(.stroke, of: tiles.view, number: stroke)
    sink.prepare(for: inside)
    for y in Int(inside.y0)..<Int(inside.y1) {
      let row = (y - Int(rect.y0)) * rect.width - Int(rect.x0)
      let line = sink.row(y)
      // Sixteen pixels at a time, from the start of a tile.
      var x = Int(inside.x0) & ~15
      while x < Int(inside.x1) {
        var group = SIMD16<UInt8>.zero
        for column in max(x, Int(inside.x0))..<min(x + 16, Int(inside.x1)) {
          group[column - x] = coverage[row + column]
        }
        line.add(group, x)
        x += 16
      }
    }
    finalisedBounds = finalisedBounds.union(inside)
    return ended.union(inside).union(endStroke())
  }

  /// Removes the tail; returns a rectangle that contains all changed pixels.
  @discardableResult
  public mutating func clearTail() -> PixelRect {
    let rect = tailBounds
    tiles.eraseTail(in: rect)
    tailBounds = .empty
    return rect
  }

  /// Ends the present stroke: later ink is composited over it.
  ///
  /// Removes a remaining tail and returns its rectangle; nothing else changes visibly.
  @discardableResult
  public mutating func endStroke() -> PixelRect {
    let rect = clearTail()
    stroke &+= 1
    if stroke == 0 {
      // After 2³² strokes, no old tile may be mistaken for one of the present stroke.
      tiles.fold()
      stroke = 1
    }
    return rect
  }

  /// Removes all ink and ends the present stroke.
  ///
  /// Returns a rectangle that contains all changed pixels.
  @discardableResult
  public mutating func clear() -> PixelRect {
    let rect = bounds
    tiles.erase(in: rect)
    finalisedBounds = .empty
    tailBounds = .empty
    stroke = 1
    return rect
  }

  /// Touches the pages near the tail, so that the next outlines do not fault.
  ///
  /// The first write to a page takes longer than the rest of a sample's processing.
  ///
  /// - Returns: The rectangle whose pages were touched now; empty if that was done before.
  public mutating func prefault() -> PixelRect {
    guard !tailBounds.isEmpty else { return .empty }
    // The tail of a fast hand is long, and the hand continues as fast.
    let margin = Int32(max(tailBounds.width, tailBounds.height) + InkTiles.height) / 2
    let near = PixelRect(
      tailBounds.x0 - margin, tailBounds.y0 - margin, tailBounds.x1 + margin,
      tailBounds.y1 + margin
    ).intersection(rect)
    guard near.union(prefaulted) != prefaulted else { return .empty }
    prefaulted = near
    tiles.prefault(in: near)
    return near
  }

  /// Releases the memory of removed ink if the pad is empty.
  ///
  /// The kernel provides new pages on demand.
  public mutating func releaseMemory() {
    guard bounds.isEmpty else { return }
    tiles = InkTiles(width: width, height: height)
    prefaulted = .empty
  }

  /// The visible coverage of one pixel.
  public subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return tiles.view.visible((y >> 5) * tiles.columns + (x >> 4), row: y & 31)[x & 15]
  }

  /// Writes the visible coverage of a part of a row into a buffer.
  ///
  /// - Parameters:
  ///   - y: The row.
  ///   - columns: The part; within the pad's width.
  ///   - buffer: Receives one byte per column; it must be large enough.
  ///   - start: The index of the first byte.
  public func writeCoverage(
    ofRow y: Int, columns: Range<Int>, to buffer: inout MutableSpan<UInt8>, at start: Int = 0
  ) {
    precondition(y >= 0 && y < height && columns.lowerBound >= 0 && columns.upperBound <= width)
    precondition(start >= 0 && start + columns.count <= buffer.count)
    let view = tiles.view
    let row = (y >> 5) * tiles.columns
    var x = columns.lowerBound
    while x < columns.upperBound {
      let end = min((x | 15) + 1, columns.upperBound)
      let coverage = view.visible(row + (x >> 4), row: y & 31)
      // In memory: WebAssembly has no instruction for a vector's n-th byte.
      unsafe withUnsafeBytes(of: coverage) { bytes in
        for column in x..<end {
          buffer[start + column - columns.lowerBound] = unsafe bytes[column & 15]
        }
      }
      x = end
    }
  }

  /// Returns the visible coverage of a rectangle: 0 is paper, 255 is ink.
  ///
  /// The rows follow each other without gaps.
  ///
  /// - Parameter rect: Pixels beyond the pad are left out.
  public func coverage(of rect: PixelRect) -> [UInt8] {
    let inside = rect.intersection(self.rect)
    var bytes = [UInt8](repeating: 0, count: inside.area)
    var all = bytes.mutableSpan
    for row in 0..<inside.height {
      writeCoverage(
        ofRow: Int(inside.y0) + row, columns: Int(inside.x0)..<Int(inside.x1), to: &all,
        at: row * inside.width)
    }
    return bytes
  }

  private mutating func add(
    _ outline: borrowing Path, to layer: InkTiles.Layer, scale: Scale, offset: SIMD2<Float>
  ) -> PixelRect {
    let sink = InkTiles.Sink(layer, of: tiles.view, number: stroke)
    return rasteriser.fill(outline, scale: scale, offset: offset, clip: rect, into: sink)
  }
}

/// The layers are the only owner of their memory.
extension InkPlanes: @unchecked Sendable {}
