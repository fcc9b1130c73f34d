/// An HTTP request, decoded by the server.
public struct WebRequest: Equatable, Sendable {
  /// How the client is connected.
  public enum Channel: Equatable, Sendable {
    /// From this machine, over TCP.
    case loopback
    /// Over a Unix socket, whose permissions have decided who may connect.
    case unix
    /// Over TLS.
    case network
  }

  /// A header or an argument of the query.
  public struct Field: Equatable, Sendable {
    /// The name; of headers, in lower case.
    public let name: String
    /// The value.
    public let value: String

    /// A field. Headers' names are in lower case.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// "GET" or another method.
  public var method: String
  /// The path without the query, with its escapes decoded.
  public var path: String
  /// The arguments of the query.
  public var query: [Field]
  /// The headers, in their order.
  public var headers: [Field]
  /// The body.
  public var body: [UInt8]
  /// How the client is connected.
  public var channel: Channel

  /// A request.
  public init(
    _ method: String, _ path: String, query: [Field] = [], headers: [Field] = [],
    body: [UInt8] = [], channel: Channel
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.channel = channel
  }

  /// The value of a header that may occur once; nil: it is missing. Throws if it is repeated: proxies and
  /// applications would choose different ones.
  func header(_ name: String) throws(Problem) -> String? {
    let values = headers.filter { $0.name == name }
    if values.count > 1 { throw .malformed("the header \(name) is repeated") }
    return values.first?.value
  }

  /// Throws if a proxy could see another end of the request, or other headers (RFC 9112, 6.3 and 11.2).
  func checkFraming() throws(Problem) {
    guard headers.allSatisfy({ $0.name.isToken }) else {
      throw .malformed("the name of a header is not a token")
    }
    let length = try header("content-length")
    guard let encoding = try header("transfer-encoding") else { return }
    guard length == nil else {
      throw .malformed("there are both Content-Length and Transfer-Encoding")
    }
    guard encoding.asciiLowercase == "chunked" else {
      throw .malformed("the only transfer encoding is chunked")
    }
  }

  /// The value of an argument of the query; nil: it is missing.
  func argument(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// HEAD is answered as GET; the server leaves the body out.
  var isGet: Bool { method == "GET" || method == "HEAD" }

  /// Whether the path is below the interface's, and not that of a page.
  var isCall: Bool { path.utf8.starts(with: WebRequest.calls.utf8) }
  /// Whether the request is for a page or its files.
  var isPage: Bool { isGet && !isCall }

  /// The start of the interface's paths.
  static let calls = "/v1/"
}

extension String {
  /// The text with its ASCII capitals in lower case.
  public var asciiLowercase: String {
    String(
      decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }

  /// Whether the text is a token (RFC 9110, 5.6.2).
  fileprivate var isToken: Bool {
    !utf8.isEmpty
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}
