/// The section `[sign]`: the pad's signature of manifests.
public struct SignConfiguration: Equatable, Sendable {
  /// The file with the pad's certificate; nil: manifests are not signed.
  public var certificate: String?
  /// The file with the pad's key, which only paraph-seal reads; nil: the key is a credential of its service.
  public var key: String?

  init(_ section: Section) {
    certificate = section.value("certificate", .path)
    key = section.value("key", .path)
    if key != nil, certificate == nil { section.refuse("key", "needs a certificate") }
  }
}
