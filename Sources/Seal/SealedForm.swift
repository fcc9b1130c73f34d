/// The outermost layer of a sealed file or a signature: CMS (RFC 5652) in DER.
public enum SealedForm {
  /// What the layer says that it contains.
  public enum Content: Sendable {
    /// A sealed file (RFC 5083).
    case authEnvelopedData
    /// A signature.
    case signedData

    /// The object identifier: 1.2.840.113549.1.9.16.1.23, or 1.2.840.113549.1.7.2.
    fileprivate var identifier: [UInt8] {
      switch self {
      case .authEnvelopedData:
        [0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01, 0x17]
      case .signedData: [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
      }
    }
  }

  /// Whether these bytes have this content as far as the outermost layer tells, rather than ink or something that is cut.
  public static func matches(_ bytes: [UInt8], _ content: Content = .authEnvelopedData) -> Bool {
    // SEQUENCE, a length of 1 to 5 bytes, and the identifier.
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    var (start, size) = (2, Int(bytes[1]))
    if bytes[1] >= 0x80 {
      let count = Int(bytes[1] & 0x7f)
      guard (1...4).contains(count), bytes.count > 2 + count,
        let length = Int(exactly: bytes[2..<2 + count].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      else { return false }
      (start, size) = (2 + count, length)
    }
    return size == bytes.count - start && bytes[start...].starts(with: content.identifier)
  }
}
