internal import CLibnettle

/// Base64 (RFC 4648, 4), by nettle.
public enum Base64 {
  /// Encodes bytes as ASCII letters.
  public static func letters(of bytes: [UInt8]) -> [UInt8] {
    // Three bytes make four letters. BASE64_ENCODE_RAW_LENGTH is a function-like macro.
    var letters = [CChar](repeating: 0, count: (bytes.count + 2) / 3 * 4)
    unsafe nettle_base64_encode_raw(&letters, bytes.count, bytes)
    return letters.map { UInt8(bitPattern: $0) }
  }

  /// Decodes a text; nil: it is not Base64.
  public static func bytes(of text: String) -> [UInt8]? {
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
