import CLibcrypto
import Seal

/// Checks responses of time stamp authorities (RFC 3161).
enum TimestampCheck {
  /// What the response proves; a rejection of the authority is a reply too.
  ///
  /// Certificates are checked as of the time that the token states: a token outlives its signer's
  /// certificate, and a pad need not have a clock.
  static func reply(to stamp: SealStamp) throws(SealError) -> SealReply {
    let authorities = try Authorities(stamp.authorities)
    let input = try MemoryBIO(stamp.response)
    guard stamp.response.count <= SealStamp.responseLimit,
      let response = unsafe input.withBIO({ unsafe d2i_TS_RESP_bio($0, nil) })
    else {
      ERR_clear_error()
      throw SealError("the response is no time stamp")
    }
    defer { unsafe TS_RESP_free(response) }
    if unsafe input.withBIO({ unsafe BIO_ctrl_pending($0) }) > 0 {
      throw SealError("bytes follow the response")
    }
    if let reason = try unsafe rejection(in: response) { return .rejected(reason) }
    guard let info = unsafe TS_RESP_get_tst_info(response) else {
      throw SealError("the response has no token")
    }
    if let query = stamp.query { try unsafe checkNonce(info, query) }
    if unsafe CLibcrypto_digestSize(info) < 32 {
      throw SealError("the token is of a digest that is too short")
    }
    let time = try unsafe Certificate.seconds(TS_TST_INFO_get_time(info))
    let isStamped = unsafe CLibcrypto_isStamped(
      response, authorities.store, time, stamp.bytes, Int32(clamping: stamp.bytes.count))
    if isStamped == 0 { throw SealError(of: "the token does not prove the time of this") }
    guard let signer = unsafe CLibcrypto_stampSigner(response) else {
      throw SealError("the token has several signers")
    }
    if unsafe CLibcrypto_stampDigestSize(response) < 32 {
      throw SealError("the token is signed with a digest that is too short")
    }
    return .stamped(SealTimestamp(time: time, authority: unsafe Certificate.subject(of: signer)))
  }

  /// Why the authority rejects this request; nil: it has issued a token. Throws if the authority
  /// may serve the next request.
  private static func rejection(in response: OpaquePointer) throws(SealError) -> String? {
    let status = unsafe CLibcrypto_status(response)
    // Granted, and granted with modifications.
    if status == 0 || status == 1 { return nil }
    var count: Int32 = 0
    var text = ""
    if let start = unsafe CLibcrypto_statusText(response, &count), count > 0 {
      let bytes = unsafe UnsafeBufferPointer(start: start, count: min(200, Int(count)))
      text = ": " + String(decoding: unsafe Array(bytes), as: UTF8.self)
    }
    let names = [
      (0, "unknown algorithm"), (2, "bad request"), (5, "bad data format"),
      (timeNotAvailable, "no time source"), (15, "policy not accepted"),
      (16, "extension not accepted"), (17, "information not available"),
      (systemFailure, "system failure"),
    ]
    let name = names.first { unsafe CLibcrypto_hasFailure(response, Int32($0.0)) != 0 }
    let reason = "status \(status)\(name.map { ", \($0.1)" } ?? "")\(text)"
    // 2 is a rejection; others concern the authority.
    if status == 2, name?.0 != timeNotAvailable, name?.0 != systemFailure { return reason }
    throw SealError("the authority issued no time stamp (\(reason))")
  }

  private static let timeNotAvailable = 14
  private static let systemFailure = 25

  private static func checkNonce(_ info: OpaquePointer, _ bytes: [UInt8]) throws(SealError) {
    guard let query = unsafe try MemoryBIO(bytes).withBIO({ unsafe d2i_TS_REQ_bio($0, nil) }) else {
      throw SealError(of: "the request for the time stamp is damaged")
    }
    defer { unsafe TS_REQ_free(query) }
    let (sent, received) = unsafe (TS_REQ_get_nonce(query), TS_TST_INFO_get_nonce(info))
    guard let sent = unsafe sent, let received = unsafe received,
      unsafe ASN1_INTEGER_cmp(sent, received) == 0
    else { throw SealError("the token is the answer to another request (its nonce differs)") }
  }

  /// The certificates to trust.
  @safe private final class Authorities {
    let store: OpaquePointer

    init(_ text: [UInt8]) throws(SealError) {
      guard let store = unsafe X509_STORE_new() else { throw SealError(of: "there is no memory") }
      unsafe self.store = store
      let count = unsafe try MemoryBIO(text).withBIO {
        unsafe CLibcrypto_readAuthorities($0, store)
      }
      if count < 1 {
        throw count == 0
          ? SealError("the file of the authority contains no certificate in PEM")
          : SealError(of: "a certificate of the authority is damaged")
      }
    }

    deinit { unsafe X509_STORE_free(store) }
  }
}
