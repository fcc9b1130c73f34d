import Client
import JSON

/// An output file of `paraph sign`.
struct SignatureOutput {
  /// A format by its name in the pad's interface.
  enum Format: String {
    case png, svg, inkml, strokes
  }

  let format: Format

  /// Nil for an unknown suffix.
  init?(_ path: String) {
    if path.hasASCIISuffix(".json") {
      format = .strokes
    } else if path.hasASCIISuffix(".png") {
      format = .png
    } else if path.hasASCIISuffix(".svg") {
      format = .svg
    } else if path.hasASCIISuffix(".inkml") {
      format = .inkml
    } else {
      return nil
    }
  }

  /// The file's content in a reply; nil if it is missing.
  func bytes(of signature: JSONValue) -> [UInt8]? {
    guard let value = signature[format.rawValue] else { return nil }
    if format == .strokes { return value.bytes(.lines, digits: 9) + [UInt8(ascii: "\n")] }
    return value.base64Bytes
  }
}
