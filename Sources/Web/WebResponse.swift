internal import JSON

/// An HTTP response. The server adds date and length.
public struct WebResponse: Equatable, Sendable {
  /// The status code.
  public var status: Int
  /// The headers.
  public var headers: [WebRequest.Field]
  /// The body.
  public var body: [UInt8]

  init(_ status: Int, _ type: String? = nil, _ body: [UInt8] = []) {
    self.status = status
    self.body = body
    headers = []
    if let type { add("Content-Type", type) }
  }

  /// A JSON value. Nine digits are exact for a Float.
  static func json(_ value: JSONValue) -> WebResponse {
    WebResponse(200, "application/json", value.bytes(digits: 9))
  }

  /// Success without a body.
  static var noContent: WebResponse { WebResponse(204) }

  mutating func add(_ name: String, _ value: String) {
    headers.append(WebRequest.Field(name: name, value: value))
  }

  /// The response with the headers by which browsers let the page of an origin read it; nil: only this server's own.
  func shared(with origin: String?) -> WebResponse {
    var response = self
    response.add("X-Content-Type-Options", "nosniff")
    response.add("Vary", "Origin")
    if let origin {
      response.add("Access-Control-Allow-Origin", origin)
    } else {
      response.add("Cross-Origin-Resource-Policy", "same-origin")
    }
    return response
  }

  /// The value of a header; nil: it is missing.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
