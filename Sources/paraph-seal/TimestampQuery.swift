import CLibcrypto

/// Writes requests for time stamps: TimeStampReq (RFC 3161) in DER, with SHA-256, a nonce and the wish for certificates.
enum TimestampQuery {
  static func of(_ bytes: [UInt8]) throws(SealError) -> [UInt8] {
    guard let query = unsafe TS_REQ_new() else { throw SealError(of: "there is no memory") }
    defer { unsafe TS_REQ_free(query) }
    let nonce = unsafe ASN1_INTEGER_new()
    defer { unsafe ASN1_INTEGER_free(nonce) }
    var random: UInt64 = 0
    let isRandom = unsafe withUnsafeMutableBytes(of: &random) { bytes in
      unsafe RAND_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), 8) == 1
    }
    guard isRandom, unsafe ASN1_INTEGER_set_uint64(nonce, random) == 1,
      unsafe TS_REQ_set_version(query, 1) == 1, try unsafe setImprint(of: bytes, in: query),
      unsafe TS_REQ_set_nonce(query, nonce) == 1, unsafe TS_REQ_set_cert_req(query, 1) == 1
    else { throw SealError(of: "cannot write a request for a time stamp") }
    let output = try MemoryBIO()
    guard unsafe output.withBIO({ unsafe i2d_TS_REQ_bio($0, query) }) == 1 else {
      throw SealError(of: "cannot encode a request for a time stamp")
    }
    return output.bytes
  }

  /// Each setter copies its value.
  private static func setImprint(
    of bytes: [UInt8], in query: OpaquePointer
  ) throws(SealError) -> Bool {
    guard let imprint = unsafe TS_MSG_IMPRINT_new(), let algorithm = unsafe X509_ALGOR_new() else {
      throw SealError(of: "there is no memory")
    }
    defer {
      unsafe TS_MSG_IMPRINT_free(imprint)
      unsafe X509_ALGOR_free(algorithm)
    }
    var digest = [UInt8](repeating: 0, count: 32)
    return unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1
      && X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, nil) == 1
      && TS_MSG_IMPRINT_set_algo(imprint, algorithm) == 1
      && TS_MSG_IMPRINT_set_msg(imprint, &digest, Int32(digest.count)) == 1
      && TS_REQ_set_msg_imprint(query, imprint) == 1
  }
}
