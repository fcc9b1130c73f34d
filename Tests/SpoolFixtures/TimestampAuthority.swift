import CLinux
import Linux

/// A time stamp authority (RFC 3161) by `openssl ts`, with a throwaway root.
public struct TimestampAuthority: Sendable {
  /// The folder with the files of the authority, which `Servers/tsa.py` reads too.
  public let folder: String
  /// The certificate of the root.
  public var root: String { folder + "/root.pem" }
  /// The certificate of the authority itself.
  public var certificate: String { folder + "/tsa.pem" }
  /// The configuration of `openssl ts -reply`.
  public var configuration: String { folder + "/tsa.cnf" }

  /// Makes the keys and certificates. `days`: how long the authority's is valid.
  public init(_ name: String, in parent: TemporaryFolder, days: Int = 30) throws {
    folder = "\(parent.path)/\(name)"
    mkdir(folder, 0o755)
    try Fixtures.write(folder + "/serial", Array("01\n".utf8))
    try Fixtures.write(
      folder + "/tsa.ext",
      Array("extendedKeyUsage=critical,timeStamping\nkeyUsage=digitalSignature\n".utf8))
    try Fixtures.write(
      configuration,
      Array(
        """
        [tsa]
        default_tsa = test
        [test]
        serial = \(folder)/serial
        signer_cert = \(certificate)
        certs = \(root)
        signer_key = \(folder)/tsa.key
        signer_digest = sha256
        default_policy = 1.2.3.4.1
        digests = sha256
        tsa_name = yes
        ess_cert_id_alg = sha256

        """.utf8))
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    try openssl(
      ["req", "-x509"] + curve + [
        "-keyout", folder + "/root.key", "-out", root, "-subj", "/CN=\(name) root", "-days", "3650",
      ])
    try openssl(
      ["req"] + curve + [
        "-keyout", folder + "/tsa.key", "-out", folder + "/tsa.csr", "-subj", "/CN=\(name)",
      ])
    try openssl([
      "x509", "-req", "-in", folder + "/tsa.csr", "-CA", root, "-CAkey", folder + "/root.key",
      "-CAcreateserial", "-days", "\(days)", "-extfile", folder + "/tsa.ext", "-out", certificate,
    ])
  }

  /// The response to a request: TimeStampResp in DER.
  public func reply(to query: [UInt8]) throws -> [UInt8] {
    let (input, output) = (folder + "/query.tsq", folder + "/reply.tsr")
    try Fixtures.write(input, query)
    try openssl([
      "ts", "-reply", "-config", configuration, "-queryfile", input, "-out", output,
    ])
    return try Fixtures.read(output)
  }

  /// A request by openssl for a time stamp of these bytes.
  public func query(_ bytes: [UInt8], digest: String = "sha256") throws -> [UInt8] {
    let (input, output) = (folder + "/data", folder + "/data.tsq")
    try Fixtures.write(input, bytes)
    try openssl(["ts", "-query", "-data", input, "-\(digest)", "-cert", "-out", output])
    return try Fixtures.read(output)
  }

  /// Another certificate of the authority's key, for an extended key usage.
  public func certificate(usage: String) throws -> String {
    let name = usage.filter { $0.isLetter }
    let (extensions, path) = (folder + "/\(name).ext", folder + "/\(name).pem")
    try Fixtures.write(
      extensions, Array("extendedKeyUsage=\(usage)\nkeyUsage=digitalSignature\n".utf8))
    try openssl([
      "x509", "-req", "-in", folder + "/tsa.csr", "-CA", root, "-CAkey", folder + "/root.key",
      "-CAcreateserial", "-days", "30", "-extfile", extensions, "-out", path,
    ])
    return path
  }

  /// A response with the content of another one, signed anew, whether or not the certificate is for time stamps.
  public func resign(
    _ response: [UInt8], with certificate: String, _ key: String
  ) throws -> [UInt8] {
    let paths = ["/old.tsr", "/old.der", "/info.der", "/new.der"].map { folder + $0 }
    try Fixtures.write(paths[0], response)
    try openssl(["ts", "-reply", "-in", paths[0], "-token_out", "-out", paths[1]])
    try openssl([
      "cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", paths[1], "-out",
      paths[2],
    ])
    try openssl([
      "cms", "-sign", "-binary", "-nodetach", "-cades", "-md", "sha256", "-econtent_type",
      "1.2.840.113549.1.9.16.1.4", "-in", paths[2], "-signer", certificate, "-inkey", key,
      "-outform", "DER", "-out", paths[3],
    ])
    // SEQUENCE of the status "granted" and the token.
    let content = [0x30, 0x03, 0x02, 0x01, 0x00] + (try Fixtures.read(paths[3]))
    return [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
  }

  /// Whether openssl verifies a response by the command of the documentation. `options`: instead of those for the root.
  public func verifies(
    _ response: [UInt8], of bytes: [UInt8], options: [String] = []
  ) throws -> Bool {
    let (input, content) = (folder + "/verify.tsr", folder + "/verify.data")
    try Fixtures.write(input, response)
    try Fixtures.write(content, bytes)
    let result = try Programs.run(
      path: "/usr/bin/openssl",
      ["ts", "-verify", "-in", input, "-data", content]
        + (options.isEmpty ? ["-CAfile", root] : options))
    return result.end == .exit(0)
  }

  private func openssl(_ arguments: [String]) throws {
    let result = try Programs.run(path: "/usr/bin/openssl", arguments)
    if result.end != .exit(0) {
      print(result.text)
      throw Errno(EINVAL)
    }
  }
}
