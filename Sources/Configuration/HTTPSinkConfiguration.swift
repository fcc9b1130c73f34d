/// `type = http`: sends a request for each signature.
public struct HTTPSinkConfiguration: Equatable, Sendable {
  /// The body of a request.
  public enum Body: Equatable, Sendable {
    /// All files of the item as multipart/form-data.
    case multipart
    /// The picture.
    case png
  }

  /// The URL of the request.
  public var url: Template
  /// The value of {device}; nil: the manifest's.
  public var deviceName: Template?
  /// The method: "POST" or "PUT".
  public var method: String
  /// The body of a request.
  public var body: Body
  /// The headers of every request.
  public var headers: [Header]
  /// The headers of every request whose values are secrets.
  public var secretHeaders: [SecretHeader]
  /// The bearer token of the header Authorization.
  public var token: Secret?
  /// The key of the body's HMAC-SHA256.
  public var signingKey: Secret?
  /// The name of the header with the HMAC.
  public var signatureHeader: String
  /// The certificates.
  public var tls: TLSConfiguration
  /// The proxy's URL; nil: as in the environment.
  public var proxy: String?
  /// Whether redirects are followed.
  public var followsRedirects: Bool
  /// Status codes that report an already delivered signature.
  public var duplicateStatuses: [Int]
  /// The time limit of a request in nanoseconds.
  public var timeLimit: Int64

  /// An HTTP header.
  public struct Header: Equatable, Sendable {
    /// The name, such as "X-Site".
    public var name: String
    /// The value, such as "17".
    public var value: Template
  }

  /// An HTTP header with a secret value.
  public struct SecretHeader: Equatable, Sendable {
    /// The name, such as "X-API-Key".
    public var name: String
    /// The location of the value.
    public var value: Secret
  }

  /// Headers that frame the request or that the sink sets itself. With another value, the server
  /// might accept a part of the signature as the whole, or treat a repeated request as a new one.
  private static let ownHeaders = [
    "connection", "content-length", "content-type", "expect", "idempotency-key", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  static let headerPrefix = "header-"
  /// The prefix of keys for secret headers.
  public static let secretHeaderPrefix = "secret-header-"

  init?(_ section: Section) {
    let url = section.required("url", .address)
    method = section.value("method", .choice(["POST", "PUT"]), default: "POST")
    body = section.value(
      "body", .choice(["multipart", "png"], [.multipart, .png]), default: .multipart)
    headers = section.values(after: Self.headerPrefix, .headerValue).map {
      Header(name: $0.name, value: $0.value)
    }
    secretHeaders = section.values(after: Self.secretHeaderPrefix, .secret).map {
      SecretHeader(name: $0.name, value: $0.value)
    }
    token = section.value("token-file", .secret)
    signingKey = section.value("hmac-key-file", .secret)
    signatureHeader = section.value(
      "hmac-header", .name("_", limit: 64), default: "X-Paraph-Signature")
    tls = TLSConfiguration(section)
    proxy = section.value("proxy", .address(["http", "https", "socks5h"]))
    followsRedirects = section.value("follow-redirects", .flag, default: false)
    duplicateStatuses = section.value("duplicate-status", .clientErrors, default: [])
    timeLimit = section.value("time-limit", .timeLimit, default: 60_000_000_000)
    let mayBePlain = section.value("plaintext-secrets", .flag, default: false)
    let isPlain = url?.isPlainHTTP == true && !mayBePlain
    if isPlain && token != nil { section.refuse("token-file", Section.plainSecret) }
    for header in secretHeaders {
      let key = Self.secretHeaderPrefix + header.name
      if isPlain { section.refuse(key, Section.plainSecret) }
      // curl removes the token from a redirected request, but not other headers.
      if followsRedirects { section.refuse(key, "cannot be used with follow-redirects = yes") }
    }
    var own = Self.ownHeaders
    let signatureHeader = signatureHeader
    if body == .png { own += ["x-paraph-sequence", "x-paraph-time"] }
    if signingKey != nil, own.contains(where: { $0.isSameHeader(as: signatureHeader) }) {
      section.refuse("hmac-header", Section.ownHeader)
    }
    if signingKey != nil { own.append(signatureHeader) }
    if token != nil { own.append("Authorization") }
    let given =
      headers.map { (Self.headerPrefix + $0.name, $0.name) }
      + secretHeaders.map { (Self.secretHeaderPrefix + $0.name, $0.name) }
    for (key, name) in given where own.contains(where: { $0.isSameHeader(as: name) }) {
      section.refuse(key, Section.ownHeader)
    }
    guard let url else { return nil }
    self.url = url
  }
}

extension Section {
  static let plainSecret =
    "would be sent unencrypted: use https:, or set plaintext-secrets = yes"
  fileprivate static let ownHeader =
    "names a header that frames the request, or that the sink sends itself"
}

extension String {
  /// Whether both are names of the same header, whose case does not matter (RFC 9110, 5.1).
  fileprivate func isSameHeader(as other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }

  /// Whether the URL has the scheme http.
  var isPlainHTTP: Bool { utf8.starts(with: "http:".utf8) }

  /// Whether the host is this machine's loopback interface.
  var isLoopbackHost: Bool {
    if self == "localhost" || self == "::1" { return true }
    let isAddress = utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    return isAddress && utf8.starts(with: "127.".utf8)
  }
}

extension Template {
  /// Whether the URL has the scheme http.
  fileprivate var isPlainHTTP: Bool {
    if case .text(let text)? = parts.first { return text.isPlainHTTP }
    return false
  }
}

extension ValueType where Value == [Int] {
  /// Client error status codes (RFC 9110, section 15.5).
  fileprivate static var clientErrors: ValueType {
    ValueType { text throws(Refusal) in
      var codes: [Int] = []
      for word in Words.split(text) {
        codes.append(try ValueType<Int>.integer(400...499).read(word))
      }
      return codes
    }
  }
}

extension ValueType where Value == Int64 {
  /// The time limit of an attempt.
  static var timeLimit: ValueType { .duration(1_000_000_000...86_400_000_000_000) }
}
