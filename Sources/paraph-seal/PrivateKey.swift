import CLibcrypto
import CLinux

/// A private key: of a file, or in a TPM or token by a provider of OpenSSL.
@safe final class PrivateKey {
  let key: OpaquePointer

  /// Parses a key in PEM without a passphrase, or one that a TPM has wrapped ("TSS2 PRIVATE KEY").
  init(_ text: [UInt8]) throws(SealError) {
    if Self.isWrapped(text) { try Provider.load("tpm2") }
    var isAsked: Int32 = 0
    let key = unsafe try MemoryBIO(text).withBIO { unsafe CLibcrypto_readKey($0, &isAsked) }
    guard let key = unsafe key else {
      ERR_clear_error()
      throw SealError(
        isAsked != 0
          ? "the key has a passphrase, which nobody can enter here: openssl pkey -in KEY -out NEW writes it without one"
          : "the key cannot be read: it is no private key in PEM, or damaged")
    }
    unsafe self.key = key
  }

  /// Finds a key by its URI, such as "handle:0x81000001" in a TPM or "pkcs11:object=pad" in a token.
  init(at uri: String) throws(SealError) {
    // Leaves out the query, which may contain a PIN, because messages go to the log.
    let name = String(decoding: uri.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    if Self.hasPIN(uri) {
      throw SealError(
        "the URI of the key must not contain a PIN, which everybody can read: name a file by pin-source=file:"
      )
    }
    // The provider does not pass on the token's own reason.
    let missing =
      "there is no key at \(name)"
      + (Self.isInToken(uri) ? ", or its PIN is wrong" : "")
    for (scheme, provider) in Self.schemes where uri.utf8.starts(with: scheme.utf8) {
      try Provider.load(provider)
    }
    // No user interface: nobody could enter a PIN.
    guard let store = unsafe OSSL_STORE_open(uri, UI_null(), nil, nil, nil) else {
      throw SealError(of: missing)
    }
    defer { unsafe OSSL_STORE_close(store) }
    unsafe OSSL_STORE_expect(store, OSSL_STORE_INFO_PKEY)
    var key: OpaquePointer?
    while unsafe key == nil, unsafe OSSL_STORE_eof(store) == 0 {
      guard let found = unsafe OSSL_STORE_load(store) else {
        if unsafe OSSL_STORE_error(store) != 0 { break }
        continue
      }
      unsafe key = OSSL_STORE_INFO_get1_PKEY(found)
      unsafe OSSL_STORE_INFO_free(found)
    }
    guard let key = unsafe key else { throw SealError(of: missing) }
    ERR_clear_error()
    unsafe self.key = key
  }

  /// Whether this has the attribute pin-value (RFC 7512, 2.4), in upper or lower case.
  private static func hasPIN(_ uri: String) -> Bool {
    let text = uri.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    let attribute = Array("pin-value".utf8)
    return text.indices.contains { text[$0...].starts(with: attribute) }
  }

  private static let schemes = [("handle:", "tpm2"), ("pkcs11:", "pkcs11")]

  /// Whether this names a key in a TPM or token, and not a file.
  static func isURI(_ name: String) -> Bool {
    schemes.contains { name.utf8.starts(with: $0.0.utf8) }
  }

  /// Whether this names a key in a token with a PIN.
  static func isInToken(_ name: String) -> Bool { name.utf8.starts(with: "pkcs11:".utf8) }

  private static func isWrapped(_ text: [UInt8]) -> Bool {
    let label = Array("-----BEGIN TSS2 PRIVATE KEY-----".utf8)
    return text.indices.contains { text[$0...].starts(with: label) }
  }

  /// Takes over a key.
  private init(owning key: OpaquePointer) { unsafe self.key = key }

  /// A kind of key that can be made.
  enum Kind {
    /// On the curve P-256.
    case ellipticCurve
    /// RSA of 3072 bits.
    case rsa
  }

  /// Makes a key.
  static func make(_ kind: Kind) throws(SealError) -> PrivateKey {
    let key =
      switch kind {
      case .ellipticCurve: unsafe CLibcrypto_makeCurveKey()
      case .rsa: unsafe CLibcrypto_makeRSAKey(3072)
      }
    guard let key = unsafe key else { throw SealError(of: "cannot make a key") }
    return unsafe PrivateKey(owning: key)
  }

  /// The key in PEM (PKCS #8), without a passphrase.
  var text: [UInt8] {
    get throws(SealError) {
      let output = try MemoryBIO()
      let isWritten = unsafe output.withBIO {
        unsafe PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) == 1
      }
      if !isWritten { throw SealError(of: "cannot write the key") }
      return output.bytes
    }
  }

  /// A query for the provider that has the key: any other would get only the public half, and could
  /// not sign.
  var properties: String {
    guard let provider = unsafe EVP_PKEY_get0_provider(key),
      let name = unsafe OSSL_PROVIDER_get0_name(provider)
    else { return "" }
    let text = unsafe String(cString: name)
    return "?provider=\(text)"
  }

  /// Throws if OpenSSL 3.0 cannot sign CMS with it.
  func checkSigning() throws(SealError) {
    if unsafe EVP_PKEY_is_a(key, "EC") != 1, unsafe EVP_PKEY_is_a(key, "RSA") != 1 {
      throw SealError("the key is neither RSA nor EC")
    }
  }

  deinit { unsafe EVP_PKEY_free(key) }
}

/// OpenSSL's providers of keys outside of files. They get their settings from OpenSSL's configuration (OPENSSL_CONF).
private enum Provider {
  /// Loads a provider beside the default one.
  static func load(_ name: String) throws(SealError) {
    // The TPM's library logs to standard error what the reason says, too.
    unsafe setenv("TSS2_LOG", "all+none", 0)
    guard unsafe OSSL_PROVIDER_try_load(nil, "default", 1) != nil,
      unsafe OSSL_PROVIDER_try_load(nil, name, 1) != nil
    else {
      ERR_clear_error()
      let package = name == "tpm2" ? "tpm2-openssl" : "pkcs11-provider"
      throw SealError(
        "OpenSSL cannot use its provider \(name): is \(package) installed, and may this user use the device?"
      )
    }
  }
}
