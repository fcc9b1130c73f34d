import CLinux
import Linux

/// A recipient's key and certificate, made by openssl.
public struct SealKeys: Sendable {
  /// The paths of the private key and the certificate.
  public let key: String, certificate: String

  /// The kinds of keys that openssl makes here.
  public enum Kind: String, CaseIterable, Sendable {
    case rsa = "rsa:2048"
    case ellipticCurve = "ec -pkeyopt ec_paramgen_curve:P-256"
    case shortRSA = "rsa:1024"
    case edwards = "ed25519"
    case weakCurve = "ec -pkeyopt ec_paramgen_curve:prime192v1"
    case signingRSA = "rsa:2048 -addext keyUsage=digitalSignature"
    case signingCurve =
      "ec -pkeyopt ec_paramgen_curve:P-256 -addext keyUsage=digitalSignature"
  }

  /// Makes a key and a certificate that begins now.
  public init(_ kind: Kind, _ name: String, in folder: TemporaryFolder, days: Int = 365) throws {
    key = "\(folder.path)/\(name).key"
    certificate = "\(folder.path)/\(name).pem"
    let words = kind.rawValue.split(separator: " ").map { String($0) }
    let result = try Programs.run(
      path: "/usr/bin/openssl",
      ["req", "-x509", "-newkey"] + words + [
        "-nodes", "-keyout", key, "-out", certificate, "-subj", "/CN=\(name)", "-days", "\(days)",
      ])
    if result.end != .exit(0) { throw Errno(EINVAL) }
  }

  /// Opens a sealed file by the command of the documentation.
  public func open(_ sealed: [UInt8], in folder: TemporaryFolder) throws -> [UInt8]? {
    let (input, output) = (folder.path + "/openssl.cms", folder.path + "/openssl.out")
    try Fixtures.write(input, sealed)
    let result = try Programs.run(
      path: "/usr/bin/openssl",
      [
        "cms", "-decrypt", "-inform", "DER", "-binary", "-in", input, "-inkey", key, "-recip",
        certificate, "-out", output,
      ])
    return result.end == .exit(0) ? try Fixtures.read(output) : nil
  }

  /// Whether this key has signed the bytes, by the command of the documentation.
  public func verify(
    _ signature: [UInt8], _ bytes: [UInt8], in folder: TemporaryFolder
  ) throws -> Bool {
    let (path, content) = (folder.path + "/openssl.p7s", folder.path + "/openssl.content")
    try Fixtures.write(path, signature)
    try Fixtures.write(content, bytes)
    let result = try Programs.run(
      path: "/usr/bin/openssl",
      [
        "cms", "-verify", "-inform", "DER", "-binary", "-in", path, "-content", content,
        "-certfile", certificate, "-nointern", "-noverify", "-out", "/dev/null",
      ])
    return result.end == .exit(0)
  }

  /// Seals by openssl, to be opened by Paraph.
  public func seal(_ plain: [UInt8], in folder: TemporaryFolder) throws -> [UInt8] {
    let (input, output) = (folder.path + "/openssl.in", folder.path + "/openssl.cms")
    try Fixtures.write(input, plain)
    let result = try Programs.run(
      path: "/usr/bin/openssl",
      [
        "cms", "-encrypt", "-aes-256-gcm", "-binary", "-outform", "DER", "-in", input, "-out",
        output, certificate,
      ])
    if result.end != .exit(0) { throw Errno(EINVAL) }
    return try Fixtures.read(output)
  }
}
