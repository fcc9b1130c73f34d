internal import CLibnettle
internal import Configuration

/// Decides which requests are answered.
///
/// CORS alone protects neither simple requests nor a page that another name leads to (DNS rebinding). So Host and
/// Origin are compared byte by byte with lists, before anything else is looked at.
struct AccessPolicy {
  private let configuration: WebConfiguration
  /// Hosts of clients on this machine, in lower case.
  private let localHosts: [String]

  /// - Parameter ports: The ports of loopback sockets.
  init(_ configuration: WebConfiguration, ports: [UInt16]) {
    self.configuration = configuration
    localHosts = ports.flatMap { port in
      ["localhost", "127.0.0.1", "[::1]"].map { port == 80 ? $0 : "\($0):\(port)" }
    }
  }

  /// An accepted request.
  struct Admission: Equatable {
    let permissions: Permissions
    /// The origin of the page that may read the response; nil: there is none.
    let origin: String?
  }

  /// Throws for a request of a page or a name that is not in the lists.
  ///
  /// - Returns: The origin that the client states; nil: none.
  func checkOrigin(_ request: WebRequest, isPage: Bool) throws(Problem) -> String? {
    guard let host = try request.header("host").map({ $0.asciiLowercase }) else {
      throw .malformed("there is no header Host")
    }
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
    // A GET for an image or a script carries no Origin, but browsers say where it comes from (Fetch Metadata).
    // A link may lead to a page.
    switch try request.header("sec-fetch-site") {
    case nil, "same-origin", "none": return nil
    default:
      if isPage, try request.header("sec-fetch-mode") == "navigate" { return nil }
      throw .forbidden("a page of another origin asks without saying which")
    }
  }

  /// Throws for a client without the permission.
  func permissions(
    of request: WebRequest, for needed: Permission?
  ) throws(Problem) -> Permissions {
    let all = try granted(request)
    let offered = all.allowed.filter { isOffered($0) }
    let permissions = Permissions(allowed: offered)
    guard let needed, !permissions.has(needed) else { return permissions }
    throw all.has(needed)
      ? .forbidden("the configuration allows no client to \(needed.rawValue)")
      : .forbidden("this client may not \(needed.rawValue)")
  }

  /// Whether the configuration offers anything that needs the permission.
  private func isOffered(_ permission: Permission) -> Bool {
    switch permission {
    case .ask: true
    case .mirror: configuration.mirror
    case .press: configuration.press
    }
  }

  private func granted(_ request: WebRequest) throws(Problem) -> Permissions {
    guard let authorization = try request.header("authorization") else {
      if request.channel == .network || configuration.localTokens {
        throw Problem("Unauthorized", 401, "a bearer token is needed")
      }
      return Permissions(allowed: Permission.allCases)
    }
    let scheme = "bearer "
    let text = authorization.utf8
    guard String(Substring(text.prefix(scheme.utf8.count))).asciiLowercase == scheme else {
      throw Problem("Unauthorized", 401, "the scheme of Authorization must be Bearer")
    }
    let hash = SHA256.hash(Array(text.dropFirst(scheme.utf8.count)))
    guard let token = configuration.tokens.first(where: { SHA256.areEqual($0.hash, hash) }) else {
      throw Problem("Unauthorized", 401, "the token is unknown")
    }
    return Permissions(allowed: token.permissions)
  }

  private func hosts(of channel: WebRequest.Channel) -> [String] {
    switch channel {
    case .loopback: localHosts + configuration.hosts
    case .unix: ["localhost"] + configuration.hosts
    case .network: configuration.hosts
    }
  }
}

/// SHA-256 by nettle.
enum SHA256 {
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var context = sha256_ctx()
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe nettle_sha256_init(&context)
    unsafe nettle_sha256_update(&context, bytes.count, bytes)
    unsafe nettle_sha256_digest(&context, 32, &digest)
    return digest
  }

  /// Compares in a time that does not depend on the bytes.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    var difference: UInt8 = a.count == b.count ? 0 : 1
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return difference == 0
  }
}

extension String {
  /// The text with its ASCII capitals in lower case.
  var asciiLowercase: String {
    String(
      decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }

  /// At most 100 printable ASCII characters of the text, in quotation marks.
  var quotable: String {
    let bytes = utf8.prefix(100).map { $0 > 0x20 && $0 < 0x7f ? $0 : UInt8(ascii: "?") }
    return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
  }
}
