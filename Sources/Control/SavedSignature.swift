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
  /// The bytes of the PNG file; empty if clients receive the picture sealed only.
  public var png: [UInt8]
  /// The size of the glass in millimetres.
  public var glass: Point
  /// The strokes as the panel reported them.
  public var strokes: [Stroke]
  /// The document that was shown before signing.
  public var document: ShownDocument?
  /// The sealed files, which clients receive instead of the ink; nil: they receive the ink.
  public var sealed: [SealedFile]?

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

extension SavedSignature {
  /// A sealed file of the item: its name there, and its content.
  public struct SealedFile: Equatable, Sendable {
    /// The name.
    public var name: String
    /// The content.
    public var bytes: [UInt8]

    /// A file.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Removes the ink: clients receive the sealed files instead.
  ///
  /// - Parameter picture: Whether the picture is removed too.
  public mutating func hideInk(besides files: [(name: String, bytes: [UInt8])], picture: Bool) {
    sealed = files.map { SealedFile(name: $0.name, bytes: $0.bytes) }
    strokes = []
    if picture { png = [] }
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

  /// The item's file that has this form when it is opened.
  var file: ItemFile {
    switch self {
    case .png: .png
    case .svg: .svg
    case .inkml: .inkml
    case .strokes: .strokes
    }
  }
}
