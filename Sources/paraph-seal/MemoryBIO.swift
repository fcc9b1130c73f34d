import CLibcrypto

/// Bytes in memory, which OpenSSL reads or writes.
@safe final class MemoryBIO {
  private let bio: OpaquePointer

  /// Empty.
  init() throws(SealError) {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw SealError(of: "there is no memory") }
    unsafe self.bio = bio
  }

  /// With a copy of these bytes.
  convenience init(_ bytes: [UInt8]) throws(SealError) {
    try self.init()
    // The spool's limit of a file is far below 2 GiB.
    let count = Int32(clamping: bytes.count)
    let written = unsafe bytes.withUnsafeBytes { unsafe BIO_write(bio, $0.baseAddress, count) }
    if count > 0, written != count { throw SealError(of: "there is no memory") }
    // Else the end of no bytes is an error.
    unsafe _ = BIO_ctrl(bio, BIO_C_SET_BUF_MEM_EOF_RETURN, 0, nil)
  }

  deinit { unsafe BIO_free(bio) }

  /// Calls `body` with the BIO, which must not be used later.
  func withBIO<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { unsafe body(bio) }
  }

  /// A copy of what was written.
  var bytes: [UInt8] {
    var start: UnsafePointer<UInt8>?
    let count = unsafe CLibcrypto_content(bio, &start)
    return unsafe Array(UnsafeBufferPointer(start: start, count: max(0, Int(count))))
  }
}
