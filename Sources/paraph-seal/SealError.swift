import CLibcrypto

/// Why something could not be sealed or opened: one line.
struct SealError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// Adds the reason of OpenSSL's first error.
  init(of failed: String) {
    let code = ERR_peek_error()
    ERR_clear_error()
    if let text = unsafe ERR_reason_error_string(code) {
      let detail = unsafe String(cString: text)
      reason = "\(failed) (\(detail))"
    } else {
      reason = failed
    }
  }
}
