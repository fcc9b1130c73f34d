internal import CLibnettle

/// SHA-256 by nettle.
enum SHA256 {
  /// 64 lower-case hexadecimal digits.
  static func text(of bytes: [UInt8]) -> String {
    var context = sha256_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe nettle_sha256_init(&context)
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe nettle_sha256_update(
        &context, buffer.count, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
    unsafe nettle_sha256_digest(&context, digest.count, &digest)
    return Hexadecimal.text(digest)
  }

  /// Whether a text has the shape of a digest.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && Array(text.utf8).allSatisfy { Hexadecimal.value(of: $0) != nil }
  }
}
