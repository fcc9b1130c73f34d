internal import CLibnettle

/// HMAC-SHA256 and base64, by nettle.
enum HMAC {
  /// 64 lower-case hexadecimal digits.
  static func text(of bytes: [UInt8], key: [UInt8]) -> String {
    var context = hmac_sha256_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe nettle_hmac_sha256_set_key(&context, key.count, key)
    unsafe nettle_hmac_sha256_update(&context, bytes.count, bytes)
    unsafe nettle_hmac_sha256_digest(&context, digest.count, &digest)
    let digits = Array("0123456789abcdef".utf8)
    let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
