/// Messages for TLS errors that name the setting to change.
enum TLSError {
  /// Translates a line that ends with OpenSSL's error.
  static func text(_ line: String) -> String {
    let bytes = Array(line.utf8)
    if let detail = bytes.rest(after: "certificate problem: ") {
      return "the server's certificate is not trusted (\(detail)); check ca-file and the clock"
    }
    for (part, message) in messages where bytes.contains(part) { return message }
    // "error:0A000086:SSL routines::certificate verify failed"
    let reason = bytes.suffix(while: { $0 != UInt8(ascii: ":") })
    return reason.isEmpty || reason.count == bytes.count
      ? line : "TLS failed: " + String(decoding: reason, as: UTF8.self)
  }

  /// Whether a line with OpenSSL's error is about the end of the connection only.
  static func isEnd(_ line: String) -> Bool { Array(line.utf8).contains(end) }

  private static let end = "unexpected eof"

  private static var messages: [(String, String)] {
    let noTLS = "the server does not speak TLS on this port"
    let ownCertificate =
      "the server rejects the client certificate; check client-certificate and client-key"
    return [
      ("wrong version number", noTLS), ("packet length too long", noTLS),
      ("http request", noTLS), ("record layer failure", noTLS),
      ("host name verification failed", "the server's certificate does not name this host"),
      ("certificate verify failed", "the server's certificate is not trusted; check ca-file"),
      ("certificate required", "the server requires a client certificate; set client-certificate"),
      ("alert bad certificate", ownCertificate), ("alert unknown ca", ownCertificate),
      ("alert certificate", ownCertificate),
      ("subject name matches", "the server's certificate does not name this host"),
      ("certificate verify locations", "ca-file cannot be read"),
      ("certificate file", "ca-file cannot be read"),
      ("load PEM client certificate", "client-certificate cannot be read"),
      ("unable to set private key file", "client-key cannot be read"),
      ("Unable to load CA", "ca-file cannot be read"),
      ("load client certificate", "client-certificate cannot be read"),
      ("load client key", "client-key cannot be read"),
      (end, "the connection was lost"),
    ]
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: String) -> Bool { rest(after: part) != nil }

  fileprivate func rest(after part: String) -> String? {
    let part = Array(part.utf8)
    guard let start = indices.first(where: { self[$0...].starts(with: part) }) else { return nil }
    return String(decoding: self[(start + part.count)...], as: UTF8.self)
  }

  fileprivate func suffix(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex && isPart(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
