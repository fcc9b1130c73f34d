import Linux
import Spool
import SpoolFixtures
import Testing

/// Items in a spool that openssl has signed, and authorities that certify their signers.
struct SignedItems {
  let folder = TemporaryFolder()
  var spool: String { folder.path + "/spool" }

  func openssl(_ words: String...) throws { try openssl(words) }

  func openssl(_ words: [String]) throws {
    let result = try Programs.run(path: "/usr/bin/openssl", words)
    try #require(result.end == .exit(0), "\(result.text)")
  }

  /// Publishes an item that openssl signs; returns its path and manifest.
  @discardableResult
  func item(
    certificate: String, key: String, document: ShownDocument? = nil,
    files: [(ItemFile, [UInt8])] = []
  ) throws -> (path: String, manifest: Manifest) {
    var publisher = Publisher(at: spool)
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    for (file, bytes) in files { try draft.write(file, bytes) }
    var description = Fixtures.description
    description.document = document
    description.requester = Requester(
      uid: 1000, user: "anna", program: "counter", token: "desk")
    let manifest = try draft.describe(description)
    try draft.sign(try signature(of: manifest.bytes, certificate: certificate, key: key))
    return ("\(spool)/new/\(try draft.publish().id.text)", manifest)
  }

  func item(_ keys: SealKeys) throws -> (path: String, manifest: Manifest) {
    try item(certificate: keys.certificate, key: keys.key)
  }

  /// Replaces an item's manifest, and signs it anew.
  func replace(
    _ manifest: Manifest, of item: String, certificate: String, key: String
  ) throws {
    try Fixtures.write(item + "/signature.json", manifest.bytes)
    try Fixtures.write(
      item + "/signature.json.p7s",
      try signature(of: manifest.bytes, certificate: certificate, key: key))
  }

  private func signature(of bytes: [UInt8], certificate: String, key: String) throws -> [UInt8] {
    let (content, signature) = (folder.path + "/content", folder.path + "/p7s")
    try Fixtures.write(content, bytes)
    try openssl(
      "cms", "-sign", "-binary", "-in", content, "-signer", certificate, "-inkey", key, "-outform",
      "DER", "-out", signature)
    return try Fixtures.read(signature)
  }

  /// A certificate of this authority, in the folder, and its key, NAME.key.
  func certify(
    _ name: String, by authority: SealKeys, subject: String? = nil, _ more: String...
  ) throws -> String {
    let certificate = "\(folder.path)/\(name).pem"
    try openssl(
      [
        "x509", "-req", "-in", try request(name, subject: subject ?? name), "-CA",
        authority.certificate, "-CAkey", authority.key, "-CAcreateserial", "-out", certificate,
      ] + more)
    return certificate
  }

  /// A new key in the folder, NAME.key, and the path of its request.
  func request(_ name: String, subject: String) throws -> String {
    let request = "\(folder.path)/\(name).csr"
    try openssl(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
      "\(folder.path)/\(name).key", "-subj", "/CN=\(subject)", "-out", request)
    return request
  }
}
