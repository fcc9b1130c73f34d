import CLibcrypto
import Seal

/// Seals files to certificates: CMS AuthEnvelopedData (RFC 5083) with AES-256-GCM, in DER.
struct Sealer {
  let certificates: [Certificate]

  /// Parses certificates in PEM. An error names the certificate's place in the request if there are several.
  init(_ texts: [[UInt8]]) throws(SealError) {
    var certificates: [Certificate] = []
    for text in texts {
      do throws(SealError) {
        certificates.append(try Certificate(text))
      } catch { throw Self.error(error, certificates.count, of: texts.count) }
    }
    self.certificates = certificates
  }

  private static func error(_ error: SealError, _ place: Int, of count: Int) -> SealError {
    count == 1 ? error : SealError(SealReply.reason(error.reason, ofRecipient: place))
  }

  func seal(_ bytes: [UInt8]) throws(SealError) -> [UInt8] {
    let flags = UInt32(CMS_BINARY | CMS_PARTIAL)
    guard let message = unsafe CMS_encrypt(nil, nil, EVP_aes_256_gcm(), flags) else {
      throw SealError(of: "cannot begin to seal")
    }
    defer { unsafe CMS_ContentInfo_free(message) }
    for place in certificates.indices {
      do throws(SealError) {
        try unsafe add(certificates[place], to: message)
      } catch { throw Self.error(error, place, of: certificates.count) }
    }
    let input = try MemoryBIO(bytes)
    guard unsafe input.withBIO({ unsafe CMS_final(message, $0, nil, flags) }) == 1 else {
      throw SealError(of: "cannot seal")
    }
    let output = try MemoryBIO()
    guard unsafe output.withBIO({ unsafe i2d_CMS_bio($0, message) }) == 1 else {
      throw SealError(of: "cannot encode what is sealed")
    }
    let sealed = output.bytes
    // OpenSSL's copy of the input may end early without an error.
    if sealed.count <= bytes.count { throw SealError("what was sealed is cut") }
    return sealed
  }

  /// Adds a recipient. OpenSSL's defaults are PKCS #1 1.5 and SHA-1, for readers of the last century.
  private func add(_ certificate: Certificate, to message: OpaquePointer) throws(SealError) {
    let key = try certificate.key
    try certificate.checkUsage(for: key)
    guard
      let recipient = unsafe CMS_add1_recipient_cert(
        message, certificate.x509, UInt32(CMS_KEY_PARAM)),
      let context = unsafe CMS_RecipientInfo_get0_pkey_ctx(recipient)
    else {
      throw SealError(of: "cannot seal to this certificate")
    }
    let isSet =
      switch key {
      case .rsa:
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
          && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
      case .ellipticCurve: unsafe EVP_PKEY_CTX_set_ecdh_kdf_md(context, EVP_sha256()) == 1
      }
    if !isSet { throw SealError(of: "cannot seal to this certificate") }
  }
}
