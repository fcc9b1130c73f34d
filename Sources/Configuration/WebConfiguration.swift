internal import Nettle

/// The configuration of paraph-web: /etc/paraph/paraph-web.conf.
public struct WebConfiguration: Equatable, Sendable {
  /// A socket to listen on.
  public enum Listener: Equatable, Sendable {
    /// An address in digits, with its port.
    case address(String, UInt16)
    /// The path of a Unix socket.
    case path(String)
  }

  /// The sockets; those that systemd passes take precedence.
  public var listeners: [Listener]
  /// The pad's Varlink socket.
  public var pad: String
  /// The folder of the pages.
  public var pages: String
  /// Names that clients may use for this server, besides those of loopback: in lower case, with the port.
  public var hosts: [String]
  /// Origins of pages that may ask, besides this server's own.
  public var origins: [String]
  /// Whether ink is mirrored.
  public var mirror: Bool
  /// The file that paraph-handoff writes its metrics to; nil: clients get none.
  public var metrics: String?
  /// Whether clients may press the pad's buttons.
  public var press: Bool
  /// Whether clients on this machine need a token too.
  public var localTokens: Bool
  /// The certificate and the key, PEM files, for sockets beyond loopback; nil: there are none.
  public var tls: TLSFiles?
  /// The tokens.
  public var tokens: [WebToken]

  /// Files for TLS.
  public struct TLSFiles: Equatable, Sendable {
    /// The path of the certificate with its chain.
    public var certificate: String
    /// The path of the key.
    public var key: String
  }

  /// The default path of the file.
  public static let defaultPath = "/etc/paraph/paraph-web.conf"
  /// The default port.
  public static let defaultPort: UInt16 = 8420

  /// Reads a file.
  public init(reading path: String) throws(ConfigurationError) {
    try self.init(ConfigurationReader(try Document.read(path)))
  }

  /// Parses a text. `file` is the name for problems.
  public init(_ text: String, file: String) throws(ConfigurationError) {
    try self.init(ConfigurationReader(Document.parse([UInt8](text.utf8), file: file)))
  }

  init(_ reader: ConfigurationReader) throws(ConfigurationError) {
    let web = reader.section("web")
    let port = WebConfiguration.defaultPort
    listeners = web.value(
      "listen", .listeners, default: [.address("127.0.0.1", port)])
    pad = web.value("pad", .path, default: "/run/paraph/org.paraph.Pad")
    pages = web.value("pages", .path, default: "/usr/share/paraph/web")
    hosts = web.value("hosts", .hosts, default: [])
    origins = web.value("origins", .origins, default: [])
    mirror = web.value("mirror", .flag, default: false)
    metrics = web.value("metrics", .path)
    press = web.value("press", .flag, default: false)
    localTokens = web.value("local-tokens", .flag, default: false)
    let certificate = web.value("certificate", .path)
    let key = web.value("key", .path)
    if let certificate, let key {
      tls = TLSFiles(certificate: certificate, key: key)
    } else {
      tls = nil
      if certificate != nil { web.refuse("key", "is missing: certificate needs it") }
      if key != nil { web.refuse("certificate", "is missing: key needs it") }
    }
    let named = reader.sections("token")
    for (index, token) in named.enumerated()
    where named[..<index].contains(where: { $0.name == token.name }) {
      token.section.refuse("", "duplicate token name")
    }
    tokens = named.compactMap { WebToken($0.name, $0.section) }
    if localTokens && named.isEmpty {
      web.refuse("local-tokens", "needs a section [token NAME]")
    }
    for case .address(let address, _) in listeners where !address.isLoopbackHost {
      if tls == nil {
        web.refuse("listen", "\(address) is beyond this machine: it needs certificate and key")
      }
      if named.isEmpty {
        web.refuse("listen", "\(address) is beyond this machine: it needs a section [token NAME]")
      }
      if hosts.isEmpty {
        web.refuse("listen", "\(address) is beyond this machine: it needs hosts")
      }
    }
    try reader.finish()
  }
}

/// A bearer token: a section `[token NAME]`.
public struct WebToken: Equatable, Sendable {
  /// A right of a client.
  public enum Permission: String, CaseIterable, Sendable {
    /// Ask for signatures, show messages, and watch the pad's state.
    case ask
    /// Watch ink.
    case mirror
    /// Press the pad's buttons.
    case press
    /// Read the metrics.
    case scrape
  }

  /// Its name in the configuration, which manifests have.
  public var name: String
  /// The SHA-256 of the token.
  public var hash: [UInt8]
  /// The rights of a client with the token.
  public var permissions: [Permission]

  /// Nil if a required key is missing or invalid.
  init?(_ name: String, _ section: Section) {
    self.name = name
    permissions = section.value("permissions", .permissions, default: [.ask])
    guard let hash = section.required("hash", .sha256) else { return nil }
    self.hash = hash
  }
}

extension ValueType where Value == [WebToken.Permission] {
  fileprivate static var permissions: ValueType {
    let words = ValueType<[String]>.list(of: WebToken.Permission.allCases.map { $0.rawValue })
    return ValueType { text throws(Refusal) in
      try words.read(text).compactMap { WebToken.Permission(rawValue: $0) }
    }
  }
}

extension ValueType where Value == [UInt8] {
  /// A SHA-256 as sha256sum(1) prints it.
  fileprivate static var sha256: ValueType {
    ValueType { text throws(Refusal) in
      guard SHA256.isDigest(text), let bytes = Hexadecimal.bytes(text) else {
        throw Refusal("must be a SHA-256 of 64 hexadecimal digits in lower case")
      }
      return bytes
    }
  }
}

extension ValueType where Value == [String] {
  /// Hosts with their ports, separated by blanks.
  fileprivate static var hosts: ValueType {
    ValueType { text throws(Refusal) in
      let words = Words.split(text)
      for word in words {
        let fits = word.utf8.allSatisfy {
          $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") && !$0.isCapital
        }
        if !fits {
          throw Refusal("must be host names in lower case, with the port, not \"\(word)\"")
        }
      }
      return words
    }
  }

  /// Origins of pages (RFC 6454), separated by blanks.
  fileprivate static var origins: ValueType {
    ValueType { text throws(Refusal) in
      let words = Words.split(text)
      for word in words {
        _ = try ValueType<String>.address(["https", "http"]).read(word)
        let slashes = word.utf8.count { $0 == UInt8(ascii: "/") }
        if slashes != 2 || word.utf8.contains(where: { $0.isCapital }) {
          throw Refusal("must be origins such as https://example.org, not \"\(word)\"")
        }
      }
      return words
    }
  }
}

extension ValueType where Value == [WebConfiguration.Listener] {
  /// Addresses with ports, and absolute paths, separated by blanks.
  fileprivate static var listeners: ValueType {
    ValueType { text throws(Refusal) in
      var listeners: [WebConfiguration.Listener] = []
      for word in Words.split(text) {
        guard let listener = WebConfiguration.Listener(word) else {
          throw Refusal(
            "must be ADDRESS:PORT, [ADDRESS]:PORT or an absolute path below 108 bytes, "
              + "not \"\(word)\"")
        }
        if listeners.contains(listener) { throw Refusal("names \"\(word)\" twice") }
        listeners.append(listener)
      }
      return listeners
    }
  }
}

extension WebConfiguration.Listener {
  fileprivate init?(_ text: String) {
    if let path = text.absolutePath {
      guard path.utf8.count < 108 else { return nil }
      self = .path(path)
      return
    }
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
      let port = try? Number.integer(
        String(Substring(text.utf8[colon...].dropFirst())), in: 1...Int(UInt16.max))
    else { return nil }
    var address = text.utf8[..<colon]
    let isSix = address.first == UInt8(ascii: "[")
    if isSix {
      guard address.last == UInt8(ascii: "]") else { return nil }
      address = address.dropFirst().dropLast()
    }
    let fits = address.allSatisfy {
      $0.isDigit || $0 == (isSix ? UInt8(ascii: ":") : UInt8(ascii: "."))
        || isSix && $0.isHexadecimalLetter
    }
    guard fits, !address.isEmpty else { return nil }
    self = .address(String(Substring(address)), UInt16(port))
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  fileprivate var isHexadecimalLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
