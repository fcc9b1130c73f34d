import CLibnettle
import JSON

/// A file that `paraph sign` writes.
struct SignatureOutput {
  /// As the pad's interface names it.
  enum Format: String {
    case png, svg, inkml, strokes
  }

  let format: Format

  /// Nil where the suffix says nothing.
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

  /// What a reply carries of it; nil if it does not.
  func bytes(of signature: JSONValue) -> [UInt8]? {
    guard let value = signature[format.rawValue] else { return nil }
    if format == .strokes { return value.bytes(.lines, digits: 9) + [UInt8(ascii: "\n")] }
    return value.text.flatMap { SignatureOutput.decoded($0) }
  }

  /// Base64 by nettle.
  private static func decoded(_ text: String) -> [UInt8]? {
    let letters = text.utf8.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: letters.count / 4 * 3 + 3)
    var context = unsafe base64_decode_ctx()
    var count = bytes.count
    unsafe nettle_base64_decode_init(&context)
    guard
      unsafe nettle_base64_decode_update(&context, &count, &bytes, letters.count, letters) == 1,
      unsafe nettle_base64_decode_final(&context) == 1
    else { return nil }
    return Array(bytes[..<count])
  }
}
