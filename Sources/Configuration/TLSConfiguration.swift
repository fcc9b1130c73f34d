/// Whom a sink trusts, and how it shows who it is.
public struct TLSConfiguration: Equatable, Sendable {
  /// A file of PEM certificates to trust instead of the system's.
  public var authority: String?
  /// A PEM certificate to show.
  public var certificate: String?
  /// Its PEM key.
  public var key: String?

  /// By default the system's certificates, and none of its own.
  public init(authority: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authority = authority
    self.certificate = certificate
    self.key = key
  }

  init(_ section: Section) {
    authority = section.value("ca-file", .path)
    certificate = section.value("client-certificate", .path)
    key = section.value("client-key", .path)
    if section.has("client-key") != section.has("client-certificate") {
      section.refuse(
        section.has("client-key") ? "client-key" : "client-certificate",
        "client-certificate and client-key go together")
    }
  }
}
