/// The section `[sign]`: the pad's signature of manifests.
public struct SignConfiguration: Equatable, Sendable {
  /// The file with the pad's certificate; nil: manifests are not signed.
  public var certificate: String?
  /// The pad's key, which only paraph-seal reads: a file, or the URI of a key in a TPM or token; nil: a credential of its
  /// service.
  public var key: String?

  init(_ section: Section) {
    certificate = section.value("certificate", .path)
    key = section.value("key", .key)
    if key != nil, certificate == nil { section.refuse("key", "needs a certificate") }
  }

  /// The key's file; nil: it is none.
  public var keyFile: String? { key.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } }
}
