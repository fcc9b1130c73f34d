import CLibcrypto
import Linux
import Seal

/// Opens sealed files with a recipient's private key.
struct Opener {
  private let key: PrivateKey
  private let certificate: Certificate?

  /// Takes a key, and its certificate in PEM. Without the certificate, every recipient of a file is tried.
  init(key: PrivateKey, certificate: [UInt8]?) throws(SealError) {
    self.key = key
    do throws(SealError) {
      self.certificate = try certificate.map { (text) throws(SealError) in try Certificate(text) }
    } catch { throw SealError("the certificate cannot be read: \(error.reason)") }
  }

  func open(_ bytes: [UInt8]) throws(SealError) -> [UInt8] {
    guard SealedForm.matches(bytes) else { throw SealError("it is not sealed, or cut") }
    guard SealedForm.isAuthenticated(bytes) else {
      throw SealError("it was changed, or not sealed by AES-256-GCM with a code of 16 bytes")
    }
    guard let message = unsafe try MemoryBIO(bytes).withBIO({ unsafe d2i_CMS_bio($0, nil) }) else {
      throw SealError(of: "what is sealed is damaged")
    }
    defer { unsafe CMS_ContentInfo_free(message) }
    let output = try MemoryBIO()
    // Nothing of the output is used before its authentication code is checked.
    let isOpen = unsafe output.withBIO {
      unsafe CMS_decrypt(message, key.key, certificate?.x509, nil, $0, 0) == 1
    }
    guard isOpen else {
      throw SealError("it is damaged, or not sealed to this key")
    }
    return output.bytes
  }
}
