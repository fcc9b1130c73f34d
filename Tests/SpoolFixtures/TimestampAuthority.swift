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
