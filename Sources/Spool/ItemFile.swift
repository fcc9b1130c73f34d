/// The files that a signature can have beside its manifest.
public enum ItemFile: String, CaseIterable, Sendable {
  /// The picture; every item has it.
  case png = "signature.png"
  /// The ink as outlines.
  case svg = "signature.svg"
  /// The strokes as W3C Ink Markup Language.
  case inkml = "signature.inkml"
  /// The samples as the panel reported them.
  case strokes = "strokes.json"

  /// The file's name in the item's folder.
  public var name: String { rawValue }

  /// The media type for transports that name one.
  public var mediaType: String {
    switch self {
    case .png: "image/png"
    case .svg: "image/svg+xml"
    case .inkml: "application/inkml+xml"
    case .strokes: "application/json"
    }
  }

  /// More than any signature needs, in bytes: ten minutes at 240 Hz are 9 MB of samples.
  public static let sizeLimit = 32 << 20
}
