import CLibcrypto
import Seal

/// Signs with the pad's key: detached CMS SignedData (RFC 5652) with SHA-256, in DER.
struct Signer {
  private let key: PrivateKey
  private let certificate: Certificate

  /// Takes the key, and its certificate in PEM.
  init(key: PrivateKey, certificate: [UInt8]) throws(SealError) {
    self.certificate = try Certificate(certificate)
    // OpenSSL 3.0 signs CMS with these only.
    _ = try self.certificate.key
    self.key = key
  }

  func sign(_ bytes: [UInt8]) throws(SealError) -> [UInt8] {
    let flags = UInt32(CMS_BINARY | CMS_DETACHED | CMS_NOSMIMECAP | CMS_PARTIAL)
    let signature = unsafe CMS_sign_ex(nil, nil, nil, nil, flags, nil, key.properties)
    guard let signature = unsafe signature else { throw SealError(of: "cannot begin to sign") }
    defer { unsafe CMS_ContentInfo_free(signature) }
    // Keys in a TPM may have no default digest.
    guard
      unsafe CMS_add1_signer(signature, certificate.x509, key.key, EVP_sha256(), flags) != nil,
      unsafe try MemoryBIO(bytes).withBIO({ unsafe CMS_final(signature, $0, nil, flags) }) == 1
    else { throw SealError(of: "cannot sign") }
    let output = try MemoryBIO()
    guard unsafe output.withBIO({ unsafe i2d_CMS_bio($0, signature) }) == 1 else {
      throw SealError(of: "cannot encode the signature")
    }
    return output.bytes
  }

  /// Whether the owner of one of these certificates (PEM) has signed these bytes.
  /// `checkCertificates` has accepted the certificates.
  static func isValid(
    _ signature: [UInt8], of bytes: [UInt8], by certificates: [UInt8]
  ) throws(SealError) -> Bool {
    guard let message = unsafe try MemoryBIO(signature).withBIO({ unsafe d2i_CMS_bio($0, nil) })
    else { throw SealError(of: "the signature is damaged") }
    defer { unsafe CMS_ContentInfo_free(message) }
    let (certificates, content) = (try MemoryBIO(certificates), try MemoryBIO(bytes))
    let isValid = unsafe certificates.withBIO { certificates in
      unsafe content.withBIO { unsafe CLibcrypto_isSignedBy(message, certificates, $0) == 1 }
    }
    ERR_clear_error()
    return isValid
  }

  /// The signer of these bytes, whose certificate leads to one of these authorities (PEM) at a time.
  /// `areAuthorities` has accepted the authorities.
  ///
  /// - Parameter time: In seconds since 1970.
  static func certified(
    _ signature: [UInt8], of bytes: [UInt8], by authorities: [UInt8], at time: Int64
  ) throws(SealError) -> SealCertificate {
    guard let message = unsafe try MemoryBIO(signature).withBIO({ unsafe d2i_CMS_bio($0, nil) })
    else { throw SealError(of: "the signature is damaged") }
    defer { unsafe CMS_ContentInfo_free(message) }
    let (authorities, content) = (try MemoryBIO(authorities), try MemoryBIO(bytes))
    var count: Int32 = 0
    let signer = unsafe authorities.withBIO { authorities in
      unsafe content.withBIO { content in
        unsafe CLibcrypto_certifiedSigner(message, authorities, time_t(time), content, &count)
      }
    }
    guard let signer = unsafe signer else {
      defer { ERR_clear_error() }
      guard let detail = unsafe CLibcrypto_lastDetail() else {
        throw SealError(of: "no signer is certified by this authority")
      }
      let text = unsafe String(cString: detail)
      throw SealError("no signer is certified by this authority (\(text))")
    }
    let certificate = unsafe Certificate(owning: signer)
    try certificate.checkSigning()
    if unsafe CLibcrypto_mayBeUsedToSign(certificate.x509) != 1 {
      throw SealError("the certificate of the signer is for other purposes than signatures")
    }
    return try certificate.description
  }

  /// Throws if the text is not that of the certificates of a pad's keys: all in PEM, and no private key.
  static func checkCertificates(_ text: [UInt8]) throws(SealError) {
    if let flaw = CertificateText.flaw(ofSeveral: text) { throw SealError("the file " + flaw) }
    let reader = try MemoryBIO(text)
    for _ in 0..<CertificateText.number(in: text) {
      // Each one is counted: what follows a damaged one would be ignored.
      guard let x509 = unsafe reader.withBIO({ unsafe CLibcrypto_readCertificate($0) }) else {
        throw SealError(of: "a certificate is damaged")
      }
      unsafe X509_free(x509)
    }
  }

  /// Whether this is at least one certificate in PEM. Throws if one is damaged: what follows it
  /// would be ignored.
  static func areAuthorities(_ text: [UInt8]) throws(SealError) -> Bool {
    guard let store = unsafe X509_STORE_new() else { throw SealError(of: "there is no memory") }
    defer { unsafe X509_STORE_free(store) }
    let count = unsafe try MemoryBIO(text).withBIO {
      unsafe CLibcrypto_readAuthorities($0, store)
    }
    if count < 0 { throw SealError(of: "a certificate is damaged") }
    return count > 0
  }
}
