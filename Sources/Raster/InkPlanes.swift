public import Ink

/// The ink on the pad in three layers: `page`, all earlier strokes; `stroke`, what is final of the
/// stroke being drawn; and `tail`, what is provisional of it.
///
/// Within a stroke coverage adds, with saturation: outlines that share an edge close without a seam.
/// Strokes, and so page and stroke, combine with source-over. The visible coverage of a pixel is
/// `over(page, min(255, stroke + tail))`, where `over(a, b)` is a + b − ab/255, rounded.
///
/// The layers are kept in tiles of 16 × 32 pixels, which know the rows that have ink. A stroke that has
/// ended is folded into the page when the rectangle of a later outline reaches its tile: what a sample costs
/// depends neither on the size of the panel nor on what was drawn before.
@safe public struct InkPlanes: ~Copyable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  private(set) var tiles: InkTiles
  var rasteriser = Rasteriser()
  /// Number of the stroke being drawn, from 1.
  var stroke: UInt32 = 1
  /// The rectangle around all settled ink since `clear()`.
  public internal(set) var settledBounds = PixelRect.empty
  /// The rectangle around the tail.
  public private(set) var tailBounds = PixelRect.empty
  /// Where there is memory for the ink to come.
  var prefaulted = PixelRect.empty

  /// A pad without ink. Memory is reserved for the whole pad and used only where ink comes.
  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    tiles = InkTiles(width: width, height: height)
  }

  /// The rectangle around all ink that is visible.
  public var bounds: PixelRect { settledBounds.union(tailBounds) }

  /// Adds final ink to the current stroke; returns the rectangle that changed.
  public mutating func settle(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float> = .zero
  ) -> PixelRect {
    let rect = add(outline, to: .stroke, scale: scale, offset: offset)
    settledBounds = settledBounds.union(rect)
    return rect
  }

  /// Adds provisional ink, which the next `clearTail()` takes away without a trace; returns the
  /// rectangle that changed.
  public mutating func addTail(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float> = .zero
  ) -> PixelRect {
    let rect = add(outline, to: .tail, scale: scale, offset: offset)
    tailBounds = tailBounds.union(rect)
    return rect
  }

  /// Takes the tail away; returns the rectangle that changed.
  @discardableResult
  public mutating func clearTail() -> PixelRect {
    let rect = tailBounds
    tiles.eraseTail(in: rect)
    tailBounds = .empty
    return rect
  }

  /// The stroke is over: ink to come lies over it instead of adding to it. Nothing visible changes,
  /// except that a tail which was left is taken away; returns its rectangle.
  @discardableResult
  public mutating func endStroke() -> PixelRect {
    let rect = clearTail()
    stroke &+= 1
    if stroke == 0 {
      // After 2³² strokes no old tile may be taken for one of the current stroke.
      tiles.fold()
      stroke = 1
    }
    return rect
  }

  /// Takes all ink away; returns the rectangle that changed. The current stroke is over.
  @discardableResult
  public mutating func clear() -> PixelRect {
    let rect = bounds
    tiles.forget(in: rect)
    settledBounds = .empty
    tailBounds = .empty
    stroke = 1
    return rect
  }

  /// Gives back what a pad without ink holds of ink that is gone: the kernel gives pages anew where ink
  /// comes.
  public mutating func releaseMemory() {
    guard bounds.isEmpty else { return }
    tiles = InkTiles(width: width, height: height)
    prefaulted = .empty
  }

  private mutating func add(
    _ outline: borrowing Path, to layer: InkTiles.Layer, scale: Scale, offset: SIMD2<Float>
  ) -> PixelRect {
    let clip = PixelRect(width: width, height: height)
    let sink = InkTiles.Sink(layer, of: tiles.lent, number: stroke)
    return rasteriser.fill(outline, scale: scale, offset: offset, clip: clip, into: sink)
  }
}

/// The memory is owned alone.
extension InkPlanes: @unchecked Sendable {}
