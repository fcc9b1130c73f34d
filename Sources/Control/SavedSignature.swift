public import Ink

/// A signature as it was saved.
public struct SavedSignature: Equatable, Sendable {
  /// That of the item in the spool.
  public var id: String
  /// SHA-256 of the PNG, in hexadecimal digits.
  public var digest: String
  /// RFC 3339 in UTC.
  public var time: String
  /// What was signed for.
  public var reference: String?
  /// The picture, in pixels.
  public var width: Int, height: Int
  /// The picture's dots per inch.
  public var dpi: Double
  /// The file's bytes.
  public var png: [UInt8]
  /// The file's bytes, where it was written.
  public var svg: [UInt8]?
  /// The file's bytes, where it was written.
  public var inkml: [UInt8]?
  /// As the panel reported them.
  public var strokes: [Stroke]

  /// All that is known of a signature.
  public init(
    id: String, digest: String, time: String, reference: String?, width: Int, height: Int,
    dpi: Double, png: [UInt8], svg: [UInt8]? = nil, inkml: [UInt8]? = nil, strokes: [Stroke]
  ) {
    self.id = id
    self.digest = digest
    self.time = time
    self.reference = reference
    self.width = width
    self.height = height
    self.dpi = dpi
    self.png = png
    self.svg = svg
    self.inkml = inkml
    self.strokes = strokes
  }
}
