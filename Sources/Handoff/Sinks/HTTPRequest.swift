internal import Configuration

/// An HTTP request with its body.
struct HTTPRequest {
  var url: String
  var method: String
  /// Lines "Name: value".
  var headers: [String] = []
  var body: [UInt8] = []
  /// The bearer token. curl does not send it to other servers after a redirect.
  var token: String?
  /// The parameters of AWS Signature Version 4, if the request is signed.
  var signing: Signing?

  /// The server, with its port if the URL contains one.
  var host: String {
    let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
    let rest = url.utf8.dropFirst(scheme.count + 3)
    return String(
      decoding: rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }, as: UTF8.self)
  }

  /// Parameters of AWS Signature Version 4.
  struct Signing {
    /// For example "aws:amz:eu-central-1:s3".
    var scope: String
    /// ACCESS:SECRET.
    var user: String
  }

  /// Settings of all requests.
  struct Options {
    var tls: TLSConfiguration
    var proxy: String?
    /// Whether 301, 307 and 308 are followed: the request has moved.
    var followsRedirects = false
    var timeLimit: Int64
    /// The limit of the response's body, in bytes, beyond which the request fails; nil: only its beginning matters.
    var responseLimit: Int?
  }
}

/// The response of a server.
struct HTTPReply {
  var status: Int
  /// The requested delay, in nanoseconds.
  var retryAfter: Int64?
  /// The first `bodyLimit` bytes at most, unless the request has a limit.
  var body: [UInt8]
  /// Whether it has an ETag, as a store's answer to an upload has.
  var hasEntityTag = false

  /// The limit of `body` for a request without one, in bytes: enough for an error message.
  static let bodyLimit = 4096

  /// The beginning of the first line of the body that is not blank, without `texts`, which a server
  /// may repeat. Nil if it is markup, or as with `ReceiverLine`.
  func firstLine(without secrets: [String], _ texts: [String] = []) -> String? {
    var lines = body.split(whereSeparator: { $0 == 10 || $0 == 13 })[...]
    while let line = lines.first, line.allSatisfy({ $0 <= 0x20 }) { lines = lines.dropFirst() }
    guard let line = lines.first, line.first != UInt8(ascii: "<") else { return nil }
    let isCut = body.count >= Self.bodyLimit && line.endIndex == body.endIndex
    return ReceiverLine(bytes: Array(line), isCut: isCut).text(without: secrets, texts)
  }
}

/// Why there is no response.
struct HTTPError: Error {
  let text: String
  var kind = FailureKind.network
}
