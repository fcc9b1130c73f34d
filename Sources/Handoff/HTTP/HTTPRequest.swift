internal import Configuration

/// A request with its whole body.
struct HTTPRequest {
  var url: String
  var method: String
  /// Lines "Name: value".
  var headers: [String] = []
  var body: [UInt8] = []
  /// "Authorization: Bearer"; curl keeps it from other servers after a redirect.
  var token: String?
  /// Signed by AWS' Signature Version 4, where there is one.
  var signing: Signing?

  /// The server, with its port if the URL names one: what stands before a reason.
  var host: String {
    let bytes = Array(url.utf8)
    let start = (bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0) + 3
    let rest = bytes.dropFirst(start)
    return String(
      decoding: rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }, as: UTF8.self)
  }

  /// What curl needs to sign.
  struct Signing {
    /// For example "aws:amz:eu-central-1:s3".
    var scope: String
    /// ACCESS:SECRET.
    var user: String
  }

  /// What does not change between requests.
  struct Options {
    var tls: TLSConfiguration
    var proxy: String?
    var followsRedirects = false
    var timeLimit: Int64
  }
}

/// What a server answered.
struct HTTPReply {
  var status: Int
  /// In nanoseconds; nil where the server did not say.
  var retryAfter: Int64?
  /// At most the first 4096 bytes.
  var body: [UInt8]

  /// The first line of the body that is not blank, without markup; nil if it holds one of `secrets`, which
  /// a server may repeat.
  func firstLine(without secrets: [String]) -> String? {
    var lines = body.split(whereSeparator: { $0 == 10 || $0 == 13 })[...]
    while let line = lines.first, line.allSatisfy({ $0 <= 0x20 }) { lines = lines.dropFirst() }
    guard let line = lines.first, line.first != UInt8(ascii: "<") else { return nil }
    for secret in secrets {
      let bytes = Array(secret.utf8)
      if line.indices.contains(where: { line[$0...].starts(with: bytes) }) { return nil }
    }
    let plain = line.prefix(120).map { $0 >= 0x20 && $0 < 0x7f ? $0 : UInt8(ascii: "?") }
    return String(decoding: plain, as: UTF8.self)
  }
}

/// Why there is no answer.
struct HTTPError: Error {
  let text: String
}
