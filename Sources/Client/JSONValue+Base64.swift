public import JSON
internal import Nettle

extension JSONValue {
  /// The bytes of a text in Base64; nil for any other value.
  public var base64Bytes: [UInt8]? { text.flatMap { Base64.bytes(of: $0) } }
}
