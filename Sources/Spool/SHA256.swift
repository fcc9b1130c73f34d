internal import CLibnettle

/// SHA-256 and HMAC-SHA256, by nettle.
public enum SHA256 {
  /// The digest as 64 lower-case hexadecimal digits.
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
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil }
  }
}

/// Lower-case hexadecimal digits.
public enum Hexadecimal {
  /// Decodes pairs of digits. Returns nil for any other text.
  public static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text.utf8 {
      guard let value = value(of: digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  static func text(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 0xf))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
