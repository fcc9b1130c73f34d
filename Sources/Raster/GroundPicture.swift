/// A picture for the ground of canvases of its size: made once, then shown by whoever has it.
public final class GroundPicture: Sendable {
  /// In pixels.
  public let width, height: Int
  let tiles: GroundTiles

  /// What `Painting` made.
  public init(_ painting: consuming Painting) {
    (width, height) = (painting.width, painting.height)
    tiles = painting.tiles
  }

  /// The colour of a pixel, 0xFFRRGGBB; nil where nothing was painted.
  public subscript(x: Int, y: Int) -> UInt32? {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return tiles.lent.pixel(x, y)
  }

  /// A picture that is being made.
  public struct Painting: ~Copyable {
    /// In pixels.
    public let width, height: Int
    /// The ground's colour, 0xFFRRGGBB.
    private let plain: UInt32
    fileprivate let tiles: GroundTiles

    /// Nothing on a ground of one colour, 0xRRGGBB.
    public init(width: Int, height: Int, ground: UInt32) {
      precondition(width > 0 && height > 0)
      (self.width, self.height) = (width, height)
      plain = ground | 0xFF00_0000
      tiles = GroundTiles(width: width, height: height)
    }

    /// Lays a row over what is there. What lies beyond the picture is left out.
    ///
    /// - Parameters:
    ///   - pixels: Red, green, blue, 0…255, each times the opacity; and the opacity, 0…1.
    ///   - x: Where the row starts.
    public mutating func lay(_ pixels: Span<SIMD4<Float>>, x: Int, y: Int) {
      guard y >= 0, y < height else { return }
      let lent = tiles.lent
      for index in pixels.indices where x + index >= 0 && x + index < width {
        let above = pixels[index]
        if above.w <= 0 { continue }
        let below = lent.pixel(x + index, y) ?? plain
        lent.set(x + index, y, Painting.blend(above, below), plain: plain)
      }
    }

    private static func blend(_ above: SIMD4<Float>, _ below: UInt32) -> UInt32 {
      let under = SIMD4(
        Float(below >> 16 & 255), Float(below >> 8 & 255), Float(below & 255), 0)
      let sum = above + under * (1 - above.w)
      let half = (sum + 0.5).clamped(
        lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
      return 0xFF00_0000 | UInt32(half.x) << 16 | UInt32(half.y) << 8 | UInt32(half.z)
    }
  }
}

extension GroundTiles.Lent {
  fileprivate func pixel(_ x: Int, _ y: Int) -> UInt32? {
    guard let tile = self[y / 32 * columns + x / 32] else { return nil }
    return unsafe tile.colours[y % 32 * 32 + x % 32]
  }

  fileprivate func set(_ x: Int, _ y: Int, _ colour: UInt32, plain: UInt32) {
    let tile = prepared(y / 32 * columns + x / 32, below: nil, plain: plain)
    unsafe tile.colours[y % 32 * 32 + x % 32] = colour
  }
}

/// The memory is owned alone, and written only before anybody shares it.
extension GroundTiles: @unchecked Sendable {}
