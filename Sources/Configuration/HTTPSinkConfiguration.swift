/// `type = http`: a request for each signature.
public struct HTTPSinkConfiguration: Equatable, Sendable {
  /// What a request carries.
  public enum Body: Equatable, Sendable {
    /// All files of the item, as multipart/form-data.
    case multipart
    /// The picture.
    case png
  }

  /// Where to.
  public var url: Template
  /// "POST" or "PUT".
  public var method: String
  /// What a request carries.
  public var body: Body
  /// Names and values that go with every request.
  public var headers: [Header]
  /// Names, and where their values are, that go with every request.
  public var secretHeaders: [SecretHeader]
  /// Sent as "Authorization: Bearer".
  public var token: Secret?
  /// The key of an HMAC-SHA256 over the body.
  public var signingKey: Secret?
  /// The header that the HMAC is sent in.
  public var signatureHeader: String
  /// Certificates.
  public var tls: TLSConfiguration
  /// A proxy's address; nil: as the environment says.
  public var proxy: String?
  /// Whether a redirect is followed.
  public var followsRedirects: Bool
  /// Status codes by which the server says that it has the signature already.
  public var duplicateStatuses: [Int]
  /// For a whole request, in nanoseconds.
  public var timeLimit: Int64

  /// A line of HTTP.
  public struct Header: Equatable, Sendable {
    /// For example "X-Site".
    public var name: String
    /// For example "17".
    public var value: String
  }

  /// A line of HTTP whose value is a secret.
  public struct SecretHeader: Equatable, Sendable {
    /// For example "X-API-Key".
    public var name: String
    /// Where its value is.
    public var value: Secret
  }

  static let headerPrefix = "header-"
  static let secretHeaderPrefix = "secret-header-"

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
      // curl takes the token away from a redirected request, and leaves the other headers.
      if followsRedirects { section.refuse(key, "cannot be used with follow-redirects = yes") }
    }
    guard let url else { return nil }
    self.url = url
  }
}

extension Section {
  static let plainSecret =
    "would be sent unencrypted: use https:, or set plaintext-secrets = yes"
}

extension String {
  /// Whether this URL is of plain HTTP.
  var isPlainHTTP: Bool { utf8.starts(with: "http:".utf8) }

  /// Whether what is sent to this host stays on the machine.
  var isLoopbackHost: Bool {
    if self == "localhost" || self == "::1" { return true }
    let isAddress = utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    return isAddress && utf8.starts(with: "127.".utf8)
  }
}

extension Template {
  /// Whether this URL is of plain HTTP.
  fileprivate var isPlainHTTP: Bool {
    if case .text(let text)? = parts.first { return text.isPlainHTTP }
    return false
  }
}

extension ValueType where Value == [Int] {
  /// Status codes of RFC 9110, section 15.5.
  fileprivate static var clientErrors: ValueType {
    ValueType { text throws(Refusal) in
      var codes: [Int] = []
      for word in Words.cut(text) {
        codes.append(try ValueType<Int>.integer(400...499).read(word))
      }
      return codes
    }
  }
}

extension ValueType where Value == Int64 {
  /// How long one attempt may take.
  static var timeLimit: ValueType { .duration(1_000_000_000...86_400_000_000_000) }
}
