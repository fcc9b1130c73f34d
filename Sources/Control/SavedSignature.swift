public import Ink

/// A signature as it was saved.
public struct SavedSignature: Equatable, Sendable {
  /// That of the item in the spool.
  public var id: String
  /// SHA-256 of the PNG, in hexadecimal digits.
  public var digest: String
  /// By the pad's clock, in nanoseconds since 1970.
  public var time: Int64
  /// What was signed for.
  public var reference: String?
  /// The picture, in pixels.
  public var width: Int, height: Int
  /// The picture's dots per inch.
  public var dpi: Double
  /// The file's bytes.
  public var png: [UInt8]
  /// Width and height of the glass, in millimetres.
  public var glass: Point
  /// As the panel reported them.
  public var strokes: [Stroke]

  /// All that is known of a signature.
  public init(
    id: String, digest: String, time: Int64, reference: String?, width: Int, height: Int,
    dpi: Double, png: [UInt8], glass: Point, strokes: [Stroke]
  ) {
    self.id = id
    self.digest = digest
    self.time = time
    self.reference = reference
    self.width = width
    self.height = height
    self.dpi = dpi
    self.png = png
    self.glass = glass
    self.strokes = strokes
  }
}
