internal import CLibnettle

/// Base64 by nettle (RFC 4648, 4).
enum Base64 {
  /// The letters, as ASCII.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    // Three bytes make four letters.
    var letters = [CChar](repeating: 0, count: (bytes.count + 2) / 3 * 4)
    unsafe nettle_base64_encode_raw(&letters, bytes.count, bytes)
    return letters.map { UInt8(bitPattern: $0) }
  }
}
