internal import Configuration
internal import Nettle

/// Decides which requests are answered.
///
/// CORS alone protects neither simple requests nor a page that another name leads to (DNS
/// rebinding). So Host and Origin are compared exactly with lists before anything else is checked.
/// Hosts are compared in lower case, because names ignore case, and without their scheme's own
/// port, which browsers leave out.
struct AccessPolicy {
  private let configuration: WebConfiguration
  /// Hosts of clients on this machine.
  private let localHosts: [String]

  /// - Parameter ports: The ports of loopback sockets.
  init(_ configuration: WebConfiguration, ports: [UInt16]) {
    self.configuration = configuration
    localHosts = ports.flatMap { port in
      ["localhost", "127.0.0.1", "[::1]"].map { "\($0):\(port)".host(over: .loopback) }
    }
  }

  /// Throws if the request's Host or Origin is not in the lists.
  ///
  /// - Returns: The origin that the client states; nil: none.
  func checkOrigin(_ request: WebRequest) throws(Problem) -> String? {
    guard let name = try request.header("host") else {
      throw .malformed("there is no header Host")
    }
    let host = name.host(over: request.channel)
    guard hosts(of: request.channel).contains(host) else {
      throw .forbidden("the host \(host.quotable) is not among the configured ones")
    }
    if let origin = try request.header("origin") {
      let own = (request.channel == .network ? "https://" : "http://") + host
      guard origin == own || configuration.origins.contains(origin) else {
        throw .forbidden("the origin \(origin.quotable) is not among the configured ones")
      }
      return origin
    }
    // A GET for an image or a script carries no Origin, but browsers state where it comes from
    // (Fetch Metadata). A link from another origin may lead to a page.
    switch try request.header("sec-fetch-site") {
    case nil, "same-origin", "none": return nil
    default:
      if request.isPage, try request.header("sec-fetch-mode") == "navigate" { return nil }
      throw .forbidden("a page of another origin asks without saying which")
    }
  }

  /// Returns the client's permissions. Throws if some are needed and the client has none of them.
  func permissions(
    of request: WebRequest, for needed: [Permission]
  ) throws(Problem) -> [Permission] {
    let all = try granted(request)
    let permissions = all.filter { isOffered($0) }
    guard let first = needed.first, !needed.contains(where: permissions.contains) else {
      return permissions
    }
    throw needed.contains(where: all.contains)
      ? .forbidden("the configuration allows no client to \(first.rawValue)")
      : .forbidden("this client may not \(first.rawValue)")
  }

  /// The owner of the documents that a client uploads, and of its requests. Its permissions have been checked.
  func owner(of request: WebRequest) throws(Problem) -> Owner {
    Owner(token: try token(of: request), origin: try request.header("origin"))
  }

  /// The name of the token that a client has sent; nil: none. Its permissions have been checked.
  func tokenName(of request: WebRequest) throws(Problem) -> String? {
    try token(of: request).map { configuration.tokens[$0].name }
  }

  /// Whether the configuration offers anything that needs the permission.
  private func isOffered(_ permission: Permission) -> Bool {
    switch permission {
    case .ask: true
    case .mirror: configuration.mirror
    case .press: configuration.press
    case .scrape: configuration.metrics != nil
    }
  }

  private func granted(_ request: WebRequest) throws(Problem) -> [Permission] {
    guard let token = try token(of: request) else {
      if request.channel == .network || configuration.localTokens {
        throw Problem("Unauthorized", 401, "a bearer token is needed")
      }
      return Permission.allCases
    }
    return configuration.tokens[token].permissions
  }

  /// The place of the bearer token in the configuration; nil: none was sent. Throws for an unknown one.
  private func token(of request: WebRequest) throws(Problem) -> Int? {
    guard let authorization = try request.header("authorization") else { return nil }
    let scheme = "bearer "
    let text = authorization.utf8
    guard String(Substring(text.prefix(scheme.utf8.count))).asciiLowercase == scheme else {
      throw Problem("Unauthorized", 401, "the scheme of Authorization must be Bearer")
    }
    let hash = SHA256.digest(of: Array(text.dropFirst(scheme.utf8.count)))
    guard let token = configuration.tokens.firstIndex(where: { SHA256.areEqual($0.hash, hash) })
    else { throw Problem("Unauthorized", 401, "the token is unknown") }
    return token
  }

  private func hosts(of channel: WebRequest.Channel) -> [String] {
    let configured = configuration.hosts.map { $0.host(over: channel) }
    // To a name that is not this machine's own, browsers send no Sec-Fetch-Site over plain HTTP. A token stands in:
    // pages of other origins cannot send it without a preflight.
    let others = configuration.localTokens ? configured : []
    return switch channel {
    case .loopback: localHosts + others
    case .unix: ["localhost"] + others
    case .network: configured
    }
  }
}

extension String {
  /// The header Host without capitals, and without the port that is the scheme's own.
  ///
  /// A web server on this machine passes on the Host that its client has sent by TLS.
  fileprivate func host(over channel: WebRequest.Channel) -> String {
    let name = asciiLowercase
    for port in channel == .network ? [":443"] : [":80", ":443"] {
      let end = name.utf8.suffix(port.utf8.count)
      if end.startIndex > name.startIndex, end.elementsEqual(port.utf8) {
        return String(Substring(name.utf8.dropLast(port.utf8.count)))
      }
    }
    return name
  }

  /// At most 100 printable ASCII characters of the text, in quotation marks.
  var quotable: String {
    let bytes = utf8.prefix(100).map { $0 > 0x20 && $0 < 0x7f ? $0 : UInt8(ascii: "?") }
    return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
  }
}
