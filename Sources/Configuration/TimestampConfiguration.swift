internal import CLinux
public import Linux

/// The section `[timestamp]`: time stamps of an authority (RFC 3161) over the manifest's signature.
public struct TimestampConfiguration: Equatable, Sendable {
  /// The authority's address.
  public var url: String
  /// The file with the certificates (PEM) that a time stamp is checked against: of authorities above its signer, or the
  /// signer's own.
  public var authority: String
  /// How long sinks wait for a time stamp after the signature was published, in nanoseconds.
  public var wait: Int64
  /// The headers of every request whose values are secrets.
  public var secretHeaders: [HTTPSinkConfiguration.SecretHeader]
  /// The certificates of the connection.
  public var tls: TLSConfiguration
  /// The proxy's URL; nil: as in the environment.
  public var proxy: String?
  /// The time limit of a request, in nanoseconds.
  public var timeLimit: Int64
  /// The path of paraph-seal or of a socket of its own; nil: the program beside this one.
  public var service: String?

  /// Nil without an address: no time stamps are fetched.
  init?(_ section: Section) {
    let url = section.value("url", .address(["https", "http"]))
    let authority = section.value("ca", .path)
    let second: Int64 = 1_000_000_000
    wait = section.value("wait", .duration(0...604_800 * second), default: 3600 * second)
    secretHeaders = section.values(after: HTTPSinkConfiguration.secretHeaderPrefix, .secret).map {
      HTTPSinkConfiguration.SecretHeader(name: $0.name, value: $0.value)
    }
    tls = TLSConfiguration(section)
    proxy = section.value("proxy", .address(["http", "https", "socks5h"]))
    timeLimit = section.value("time-limit", .timeLimit, default: 30 * second)
    service = section.value("service", .path, unless: "auto")
    let mayBePlain = section.value("plaintext-secrets", .flag, default: false)
    if url?.isPlainHTTP == true && !mayBePlain {
      for header in secretHeaders {
        section.refuse(
          HTTPSinkConfiguration.secretHeaderPrefix + header.name, Section.plainSecret)
      }
    }
    guard let url else {
      if authority != nil && !section.has("url") {
        section.refuse("ca", "needs url: without it there are no time stamps")
      }
      return nil
    }
    guard let authority else {
      section.refuse("ca", "is missing: time stamps are checked against it")
      return nil
    }
    (self.url, self.authority) = (url, authority)
  }
}

extension TimestampConfiguration {
  /// The limit of the file of `authority`, in bytes.
  public static let authorityLimit = 64 << 10

  /// Reads the certificates that time stamps are checked against. They are read for each one, so that the file can
  /// change.
  public func readAuthority() throws(Errno) -> [UInt8] { try Self.read(authority) }

  private static func read(_ path: String) throws(Errno) -> [UInt8] {
    let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard let text = try file.readAll(limit: authorityLimit) else { throw Errno(EFBIG) }
    return text
  }

  /// Why a file is not that of an authority, as far as its text tells; nil: it is.
  static func flaw(ofAuthority path: String) -> String? {
    do throws(Errno) {
      let mark = Array("-----BEGIN CERTIFICATE-----".utf8)
      let lines = try read(path).split(separator: UInt8(ascii: "\n"))
      return lines.contains { $0.starts(with: mark) }
        ? nil : "\(path): contains no certificate in PEM"
    } catch { return "\(path): \(error.text)" }
  }
}
