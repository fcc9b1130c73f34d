/// The form of a sealed file or a signature: CMS (RFC 5652) in DER.
public enum SealedForm {
  /// The type of the content, by the outermost layer.
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
    var file = DERReader(bytes[...])
    guard var message = file.next(sequence), file.isAtEnd else { return false }
    return message.skip(content.identifier)
  }

  /// Whether these bytes are a sealed file whose cipher reveals each change: AES-256-GCM (RFC 5084, 3.2) with a nonce of
  /// 12 bytes and a code of 16, as paraph-seal and openssl write it.
  ///
  /// OpenSSL takes the cipher from the file, where no code protects it. If a file is relabelled as
  /// AES-256-OFB or AES-256-CFB, with the first counter of GCM (NIST SP 800-38D, 7.1) as the
  /// initialisation vector, OpenSSL decrypts it without a check. If the code was cut, OpenSSL
  /// checks only the rest of it.
  public static func isAuthenticated(_ bytes: [UInt8]) -> Bool {
    // ContentInfo (RFC 5652, 3), AuthEnvelopedData (RFC 5083, 2.1). It has no attributes: OpenSSL does not check them.
    var file = DERReader(bytes[...])
    guard var message = file.next(sequence), file.isAtEnd,
      message.skip(Content.authEnvelopedData.identifier),
      var explicit = message.next(0xa0), message.isAtEnd,
      var data = explicit.next(sequence), explicit.isAtEnd,
      data.skip(version), data.next(recipients) != nil, var content = data.next(sequence),
      let code = data.next(octets), code.rest.count == 16, data.isAtEnd
    else { return false }
    // EncryptedContentInfo (RFC 5652, 6.1): the content's type, the cipher, the content in one piece.
    guard content.next(identifier) != nil, var cipher = content.next(sequence),
      content.next(0x80) != nil, content.isAtEnd,
      cipher.skip(aes256GCM), var parameters = cipher.next(sequence), cipher.isAtEnd,
      let nonce = parameters.next(octets), nonce.rest.count == 12
    else { return false }
    // Without a size, the code would have 12 bytes.
    return parameters.skip(codeSize) && parameters.isAtEnd
  }

  // Tags.
  private static let octets: UInt8 = 0x04
  private static let identifier: UInt8 = 0x06
  private static let sequence: UInt8 = 0x30
  private static let recipients: UInt8 = 0x31
  // Elements: INTEGER 0, 2.16.840.1.101.3.4.1.46, INTEGER 16.
  private static let version: [UInt8] = [0x02, 0x01, 0x00]
  private static let aes256GCM: [UInt8] = [
    0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2e,
  ]
  private static let codeSize: [UInt8] = [0x02, 0x01, 0x10]
}
