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
}

/// Why there is no answer.
struct HTTPError: Error {
  let text: String
}
