public import Ink
public import Spool

/// A signature as it was saved.
public struct SavedSignature: Equatable, Sendable {
  /// The identity of its item in the spool.
  public var id: String
  /// The SHA-256 of the PNG, in hexadecimal digits.
  public var digest: String
  /// When it was saved, in nanoseconds since 1970.
  public var time: Int64
  /// The client's reference.
  public var reference: String?
  /// The size of the picture in pixels.
  public var width: Int, height: Int
  /// The picture's dots per inch.
  public var dpi: Double
  /// The bytes of the PNG file.
  public var png: [UInt8]
  /// The size of the glass in millimetres.
  public var glass: Point
  /// The strokes as the panel reported them.
  public var strokes: [Stroke]
  /// The document that was shown before signing.
  public var document: ShownDocument?

  /// Creates a signature from its parts.
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

/// A form of a signature that a reply can carry. The raw value is its name in the interface.
public enum SignatureFormat: String, Sendable {
  /// The PNG file of the spool.
  case png
  /// The outlines of the ink.
  case svg
  /// The samples as W3C Ink Markup Language.
  case inkml
  /// The samples as values of the interface.
  case strokes
}
