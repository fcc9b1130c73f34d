import CLibcrypto

/// A certificate signing request or a self-signed certificate for a pad's key, in PEM.
struct KeyCertificate {
  private let key: PrivateKey
  private let subject: Subject

  /// - Parameter subject: As "/CN=counter-3/O=Post".
  init(_ key: PrivateKey, subject: String) throws(SealError) {
    try key.checkSigning()
    self.key = key
    self.subject = try Subject(subject)
  }

  /// A certificate signing request (PKCS #10).
  func request() throws(SealError) -> [UInt8] {
    guard let request = unsafe X509_REQ_new_ex(nil, key.properties) else {
      throw SealError(of: "there is no memory")
    }
    defer { unsafe X509_REQ_free(request) }
    guard unsafe X509_REQ_set_version(request, Int(X509_REQ_VERSION_1)) == 1,
      unsafe X509_REQ_set_subject_name(request, subject.name) == 1,
      unsafe X509_REQ_set_pubkey(request, key.key) == 1,
      unsafe X509_REQ_sign(request, key.key, EVP_sha256()) > 0
    else { throw SealError(of: "cannot make the request") }
    return unsafe try Self.text { unsafe PEM_write_bio_X509_REQ($0, request) }
  }

  /// A certificate that the key itself has signed, valid from now.
  func selfSigned(days: Int32) throws(SealError) -> [UInt8] {
    guard let certificate = unsafe X509_new_ex(nil, key.properties) else {
      throw SealError(of: "there is no memory")
    }
    defer { unsafe X509_free(certificate) }
    guard unsafe X509_set_version(certificate, Int(X509_VERSION_3)) == 1,
      unsafe Self.setSerialNumber(certificate),
      unsafe X509_set_subject_name(certificate, subject.name) == 1,
      unsafe X509_set_issuer_name(certificate, subject.name) == 1,
      unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != nil,
      unsafe X509_time_adj_ex(X509_getm_notAfter(certificate), days, 0, nil) != nil,
      unsafe X509_set_pubkey(certificate, key.key) == 1,
      Self.extensions.allSatisfy({ unsafe Self.add($0.0, $0.1, to: certificate) }),
      unsafe X509_sign(certificate, key.key, EVP_sha256()) > 0
    else { throw SealError(of: "cannot make the certificate") }
    return unsafe try Self.text { unsafe PEM_write_bio_X509($0, certificate) }
  }

  /// Allows only signatures of manifests, neither sealing nor issuing certificates.
  private static let extensions = [
    (NID_basic_constraints, "critical,CA:FALSE"),
    (NID_key_usage, "critical,digitalSignature,nonRepudiation"),
    (NID_subject_key_identifier, "hash"),
  ]

  private static func add(_ nid: Int32, _ value: String, to certificate: OpaquePointer) -> Bool {
    var context = unsafe X509V3_CTX()
    unsafe X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
    guard let field = unsafe X509V3_EXT_conf_nid(nil, &context, nid, value) else { return false }
    defer { unsafe X509_EXTENSION_free(field) }
    return unsafe X509_add_ext(certificate, field, -1) == 1
  }

  /// A random one: no two certificates of one name may share theirs (RFC 5280, 4.1.2.2).
  private static func setSerialNumber(_ certificate: OpaquePointer) -> Bool {
    guard let number = unsafe BN_new() else { return false }
    defer { unsafe BN_free(number) }
    return unsafe BN_rand(number, 159, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1
      && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
  }

  private static func text(_ write: (OpaquePointer) -> Int32) throws(SealError) -> [UInt8] {
    let output = try MemoryBIO()
    guard unsafe output.withBIO({ unsafe write($0) }) == 1 else {
      throw SealError(of: "cannot write PEM")
    }
    return output.bytes
  }
}

/// A distinguished name in OpenSSL's form: "/CN=counter-3/O=Post". A backslash makes the next character part of a value.
@safe private final class Subject {
  let name: OpaquePointer

  init(_ text: String) throws(SealError) {
    guard let name = unsafe X509_NAME_new() else { throw SealError(of: "there is no memory") }
    unsafe self.name = name
    for part in try Self.parts(text) {
      let count = Int32(clamping: part.value.count)
      let isAdded = unsafe part.value.withUnsafeBufferPointer {
        unsafe X509_NAME_add_entry_by_txt(
          name, part.type, Int32(MBSTRING_UTF8), $0.baseAddress, count, -1, 0) == 1
      }
      if !isAdded { throw SealError(of: "the subject's \(part.type) is not valid") }
    }
  }

  deinit { unsafe X509_NAME_free(name) }

  private static func parts(_ text: String) throws(SealError) -> [(type: String, value: [UInt8])] {
    var parts: [(type: String, value: [UInt8])] = []
    var (part, equals, isEscaped): ([UInt8], Int?, Bool) = ([], nil, false)
    let wrong = SealError("the subject must be like /CN=counter-3/O=Post")
    guard text.utf8.first == UInt8(ascii: "/") else { throw wrong }
    for byte in Array(text.utf8.dropFirst()) + [UInt8(ascii: "/")] {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      if !isEscaped, byte == UInt8(ascii: "/") {
        guard let place = equals, place > 0, place < part.count else { throw wrong }
        parts.append((String(decoding: part[..<place], as: UTF8.self), Array(part[place...])))
        (part, equals) = ([], nil)
        continue
      }
      if byte == UInt8(ascii: "="), equals == nil, !isEscaped {
        equals = part.count
      } else {
        part.append(byte)
      }
      isEscaped = false
    }
    return parts
  }
}
