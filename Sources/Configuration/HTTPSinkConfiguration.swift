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
  /// For a whole request, in nanoseconds.
  public var timeLimit: Int64

  /// A line of HTTP.
  public struct Header: Equatable, Sendable {
    /// For example "X-Site".
    public var name: String
    /// For example "17".
    public var value: String
  }

  static let headerPrefix = "header-"

  init?(_ section: Section) {
    let url = section.required("url", .address)
    method = section.value("method", .choice(["POST", "PUT"]), default: "POST")
    body = section.value(
      "body", .choice(["multipart", "png"], [.multipart, .png]), default: .multipart)
    headers = section.values(after: Self.headerPrefix, .headerValue).map {
      Header(name: $0.name, value: $0.value)
    }
    token = section.value("token-file", .secret)
    signingKey = section.value("hmac-key-file", .secret)
    signatureHeader = section.value(
      "hmac-header", .name("_", limit: 64), default: "X-Paraph-Signature")
    tls = TLSConfiguration(section)
    proxy = section.value("proxy", .address(["http", "https", "socks5h"]))
    followsRedirects = section.value("follow-redirects", .flag, default: false)
    timeLimit = section.value("time-limit", .timeLimit, default: 60_000_000_000)
    guard let url else { return nil }
    self.url = url
  }
}

extension ValueType where Value == Int64 {
  /// How long one attempt may take.
  static var timeLimit: ValueType { .duration(1_000_000_000...86_400_000_000_000) }
}
