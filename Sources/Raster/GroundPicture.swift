/// A picture for the ground of canvases of the same size, which share it.
public final class GroundPicture: Sendable {
  /// The size in pixels.
  public let width, height: Int
  let tiles: GroundTiles

  /// Creates a picture from a finished painting.
  public init(_ painting: consuming Painting) {
    (width, height) = (painting.width, painting.height)
    tiles = painting.tiles
  }

  /// The colour of a pixel, 0xFFRRGGBB; nil in tiles on which nothing is painted.
  public subscript(x: Int, y: Int) -> UInt32? {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return tiles.view.pixel(x, y)
  }

  /// A picture under construction.
  public struct Painting: ~Copyable {
    /// The size in pixels.
    public let width, height: Int
    /// The ground's colour, 0xFFRRGGBB.
    private let plain: UInt32
    fileprivate let tiles: GroundTiles

    /// Creates an empty picture on a ground of one colour, 0xRRGGBB.
    public init(width: Int, height: Int, ground: UInt32) {
      precondition(width > 0 && height > 0)
      (self.width, self.height) = (width, height)
      plain = ground | 0xFF00_0000
      tiles = GroundTiles(width: width, height: height)
    }

    /// Composites a row of pixels over the picture; drops pixels beyond it.
    ///
    /// - Parameters:
    ///   - pixels: Red, green and blue, 0…255, premultiplied by the opacity; and the opacity, 0…1.
    ///   - x: The column of the first pixel.
    public mutating func composite(_ pixels: Span<SIMD4<Float>>, x: Int, y: Int) {
      guard y >= 0, y < height else { return }
      let view = tiles.view
      for index in pixels.indices where x + index >= 0 && x + index < width {
        let above = pixels[index]
        if above.w <= 0 { continue }
        let below = view.pixel(x + index, y) ?? plain
        view.set(x + index, y, GroundPicture.composited(above, over: below), plain: plain)
      }
    }
  }

  /// A pixel over another one of 0xFFRRGGBB.
  ///
  /// - Parameter above: Red, green and blue, 0…255, premultiplied by the opacity; and the opacity, 0…1.
  public static func composited(_ above: SIMD4<Float>, over below: UInt32) -> UInt32 {
    let under = SIMD4(
      Float(below >> 16 & 255), Float(below >> 8 & 255), Float(below & 255), 0)
    let sum = above + under * (1 - above.w)
    let half = (sum + 0.5).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
    return 0xFF00_0000 | UInt32(half.x) << 16 | UInt32(half.y) << 8 | UInt32(half.z)
  }
}

extension GroundTiles.UnsafeView {
  fileprivate func pixel(_ x: Int, _ y: Int) -> UInt32? {
    guard let tile = self[y / 32 * columns + x / 32] else { return nil }
    return unsafe tile.colours[y % 32 * 32 + x % 32]
  }

  fileprivate func set(_ x: Int, _ y: Int, _ colour: UInt32, plain: UInt32) {
    let tile = prepared(y / 32 * columns + x / 32, below: nil, plain: plain)
    unsafe tile.colours[y % 32 * 32 + x % 32] = colour
  }
}
