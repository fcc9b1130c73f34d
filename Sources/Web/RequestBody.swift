internal import JSON

/// Reads the body of a request as the parameters of a call.
enum RequestBody {
  /// The members of the JSON object.
  ///
  /// - Parameters:
  ///   - allowsText: Whether the type may be text/plain with an Origin, which `navigator.sendBeacon` sends while a page
  ///     closes: the policy has compared the origin.
  ///   - mayBeEmpty: Whether the body may be empty. Its type is needed nevertheless: without it, a page of another origin
  ///     could send the request without a preflight.
  static func parameters(
    _ request: WebRequest, allowsText: Bool = false, mayBeEmpty: Bool = false
  ) throws(Problem) -> [(String, JSONValue)] {
    let type = try mediaType(request)
    let isBeacon = type == "text/plain" ? try request.header("origin") != nil : false
    guard type == "application/json" || allowsText && isBeacon else {
      throw .unsupported("application/json")
    }
    if mayBeEmpty, request.body.isEmpty { return [] }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(request.body, limits: .init(size: WebLimits.body, depth: 8))
    } catch { throw .malformed("invalid JSON: \(error.text)") }
    guard let members = value.members else { throw .malformed("the body is not an object") }
    return members.map { ($0.name, $0.value) }
  }

  /// Whether the body of a page is a text, and not a PNG.
  static func isText(_ request: WebRequest) throws(Problem) -> Bool {
    switch try mediaType(request) {
    case "image/png": return false
    case "text/plain": return true
    default: throw .unsupported("image/png or text/plain")
    }
  }

  /// The media type without its parameters, in lower case.
  private static func mediaType(_ request: WebRequest) throws(Problem) -> String? {
    guard let type = try request.header("content-type") else { return nil }
    let bytes = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    return String(Substring(bytes)).asciiLowercase
  }
}
