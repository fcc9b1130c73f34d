internal import CLibnettle

/// SHA-256 and HMAC-SHA256, by nettle.
public enum SHA256 {
  /// The digest, of 32 bytes.
  public static func digest(of bytes: [UInt8]) -> [UInt8] {
    var context = sha256_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe nettle_sha256_init(&context)
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe nettle_sha256_update(
        &context, buffer.count, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
    unsafe nettle_sha256_digest(&context, digest.count, &digest)
    return digest
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public static func text(of bytes: [UInt8]) -> String { Hexadecimal.text(digest(of: bytes)) }

  /// Computes the digest of bytes that arrive in parts.
  public struct Stream {
    private var context = sha256_ctx()

    /// A stream without bytes.
    public init() { unsafe nettle_sha256_init(&context) }

    /// Adds the next bytes.
    public mutating func add(_ bytes: [UInt8]) {
      unsafe nettle_sha256_update(&context, bytes.count, bytes)
    }

    /// The digest of all bytes so far, as 64 lower-case hexadecimal digits.
    public var text: String {
      var context = context
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
      unsafe nettle_sha256_digest(&context, digest.count, &digest)
      return Hexadecimal.text(digest)
    }
  }

  /// The message authentication code (HMAC) as 64 lower-case hexadecimal digits.
  public static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> String {
    var context = hmac_sha256_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe nettle_hmac_sha256_set_key(&context, key.count, key)
    unsafe nettle_hmac_sha256_update(&context, bytes.count, bytes)
    unsafe nettle_hmac_sha256_digest(&context, digest.count, &digest)
    return Hexadecimal.text(digest)
  }

  /// Whether a text has the form of a digest.
  public static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil }
  }

  /// Compares digests in a time that does not depend on their bytes.
  public static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe nettle_memeql_sec(a, b, a.count) == 1
  }
}
