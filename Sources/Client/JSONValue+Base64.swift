internal import CLibnettle
public import JSON

extension JSONValue {
  /// The bytes of a text in Base64; nil: it is none.
  public var base64Bytes: [UInt8]? {
    guard let letters = text?.utf8.map({ CChar(bitPattern: $0) }) else { return nil }
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
