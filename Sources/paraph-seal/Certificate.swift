import CLibcrypto
import Seal

/// An X.509 certificate.
@safe final class Certificate {
  let x509: OpaquePointer

  /// Parses a certificate in PEM.
  init(_ text: [UInt8]) throws(SealError) {
    if let flaw = CertificateText.flaw(text) { throw SealError("the file " + flaw) }
    guard let x509 = unsafe try MemoryBIO(text).withBIO({ unsafe CLibcrypto_readCertificate($0) })
    else {
      throw SealError(of: "the certificate is damaged")
    }
    unsafe self.x509 = x509
  }

  /// Takes over a reference.
  init(owning x509: OpaquePointer) { unsafe self.x509 = x509 }

  deinit { unsafe X509_free(x509) }

  /// The subject on one line, and the dates.
  var description: SealCertificate {
    get throws(SealError) {
      SealCertificate(
        subject: unsafe Self.subject(of: x509),
        notBefore: try unsafe Self.seconds(X509_get0_notBefore(x509)),
        notAfter: try unsafe Self.seconds(X509_get0_notAfter(x509)))
    }
  }

  /// The subject on one line.
  static func subject(of x509: OpaquePointer) -> String {
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe X509_NAME_oneline(X509_get_subject_name(x509), &line, 256) != nil else {
      return ""
    }
    return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A time in seconds since 1970.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws(SealError) -> Int64 {
    let epoch = unsafe ASN1_TIME_set(nil, 0)
    defer { unsafe ASN1_STRING_free(epoch) }
    var (days, seconds): (Int32, Int32) = (0, 0)
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
      throw SealError(of: "a date is invalid")
    }
    return Int64(days) * 86_400 + Int64(seconds)
  }

  /// A kind of public key to which files can be sealed.
  enum Key { case rsa, ellipticCurve }

  var key: Key {
    get throws(SealError) {
      guard let key = unsafe X509_get0_pubkey(x509) else {
        throw SealError(of: "the certificate's key is damaged")
      }
      if unsafe EVP_PKEY_is_a(key, "EC") == 1 {
        if unsafe EVP_PKEY_get_security_bits(key) < 112 {
          throw SealError("the certificate's EC key has a strength below 112 bits")
        }
        return .ellipticCurve
      }
      guard unsafe EVP_PKEY_is_a(key, "RSA") == 1 else {
        throw SealError("the certificate's key is neither RSA nor EC")
      }
      if unsafe EVP_PKEY_get_bits(key) < 2048 {
        throw SealError("the certificate's RSA key has fewer than 2048 bits")
      }
      return .rsa
    }
  }

  /// Throws if the certificate does not allow to seal to its key: tokens refuse to open that.
  func checkUsage(for key: Key) throws(SealError) {
    // All bits are set without the extension.
    let usage = unsafe X509_get_key_usage(x509)
    let (bit, name) =
      switch key {
      case .rsa: (UInt32(KU_KEY_ENCIPHERMENT), "keyEncipherment")
      case .ellipticCurve: (UInt32(KU_KEY_AGREEMENT), "keyAgreement")
      }
    if usage & bit == 0 { throw SealError("the certificate's key usage has no \(name)") }
  }

  /// Throws if the certificate does not allow to sign with its key.
  func checkSigning() throws(SealError) {
    let usage = unsafe X509_get_key_usage(x509)
    guard usage & UInt32(KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION) == 0 else { return }
    throw SealError("the certificate's key usage has neither digitalSignature nor nonRepudiation")
  }
}
