import Configuration
import Linux
import Seal
import SealClient
import SpoolFixtures
import Testing

@testable import Pad

/// Signing by a key in a TPM, which swtpm emulates, through OpenSSL's provider tpm2.
@Suite struct TPMTests {
  let folder = TemporaryFolder()
  private let manifest = Array("{\"id\": \"0190\"}\n".utf8)

  private func openssl(_ arguments: String...) throws -> Programs.Result {
    try Programs.run(path: "/usr/bin/openssl", arguments)
  }

  private func signing(
    _ certificate: String, _ key: String, _ tpm: TestTPM
  ) throws -> Signing {
    Signing(
      try PadConfiguration(
        "[sign]\ncertificate = \(certificate)\nkey = \(key)\n[seal]\nservice = \(tpm.program("paraph-seal"))",
        file: "", models: Appliance.modelNames))
  }

  /// Signs by the key, and verifies by openssl.
  private func expectSignature(_ certificate: String, _ key: String, _ tpm: TestTPM)
    throws
  {
    var signing = try signing(certificate, key, tpm)
    #expect(signing.check(at: 0, time: nil) { _ in } == nil)
    try Fixtures.write(folder.path + "/content", manifest)
    try Fixtures.write(folder.path + "/p7s", try signing.sign(manifest))
    let verified = try openssl(
      "cms", "-verify", "-binary", "-inform", "DER", "-in", folder.path + "/p7s", "-content",
      folder.path + "/content", "-CAfile", certificate, "-out", "/dev/null")
    #expect(verified.end == .exit(0), "\(verified.text)")
  }

  @Test(arguments: ["handle", "file"])
  func `a key in a TPM makes its request and certificate, and signs`(_ kind: String) throws {
    let tpm = try TestTPM(in: folder)
    let paraph = try tpm.program("paraph")
    var key = tpm.uri
    if kind == "file" {
      // What the TPM has wrapped: only this TPM can use the file.
      key = folder.path + "/wrapped.pem"
      let command = try DocumentedExamples(of: "sealing.md").command("genpkey -provider tpm2")
      try tpm.run("umask 077; " + command.replacing("pad.key", with: key))
      #expect(try Fixtures.text(key).contains("TSS2 PRIVATE KEY"))
    }
    let (request, certificate) = (folder.path + "/pad.csr", folder.path + "/pad.pem")
    let asked = try Programs.run(
      path: paraph, ["seal", "request", "--key", key, "--subject", "/CN=tpm", "-o", request])
    #expect(asked.end == .exit(0), "\(asked.text)")
    #expect(try openssl("req", "-in", request, "-verify", "-noout").end == .exit(0))
    let made = try Programs.run(
      path: paraph, ["seal", "self-sign", "--key", key, "--subject", "/CN=tpm", "-o", certificate])
    #expect(made.end == .exit(0), "\(made.text)")
    try expectSignature(certificate, key, tpm)
  }

  @Test(arguments: [true, false])
  func `one process seals for a recipient and signs by a key in a TPM`(
    _ isPrepared: Bool
  ) throws {
    let (tpm, certificate) = (try TestTPM(in: folder), folder.path + "/pad.pem")
    let made = try Programs.run(
      path: tpm.program("paraph"),
      ["seal", "self-sign", "--key", tpm.uri, "--subject", "/CN=tpm", "-o", certificate])
    #expect(made.end == .exit(0), "\(made.text)")
    let recipient = try SealKeys(.ellipticCurve, "notary", in: folder)
    let (signer, notary) = (
      Array(try Fixtures.text(certificate).utf8),
      Array(try Fixtures.text(recipient.certificate).utf8)
    )
    var exchange = SealExchange(with: SealProgram(try tpm.program("paraph-seal"), key: tpm.uri))
    if isPrepared { exchange.prepare(.prepare([notary], by: signer)) }
    guard
      case .sealed(let sealed) = try exchange.ask(.seal([manifest], for: [notary]), isLast: false),
      case .signed(let signature) = try exchange.ask(.sign(manifest, by: signer), isLast: true)
    else {
      Issue.record("paraph-seal has sealed or signed nothing")
      return
    }
    exchange.end()
    #expect(try recipient.open(sealed[0], in: folder) == manifest)
    try Fixtures.write(folder.path + "/content", manifest)
    try Fixtures.write(folder.path + "/p7s", signature)
    let verified = try openssl(
      "cms", "-verify", "-binary", "-inform", "DER", "-in", folder.path + "/p7s", "-content",
      folder.path + "/content", "-CAfile", certificate, "-out", "/dev/null")
    #expect(verified.end == .exit(0), "\(verified.text)")
  }

  @Test func `a TPM that is gone or has another key puts the pad out of service in one line`()
    throws
  {
    let (other, certificate) = (TemporaryFolder(), folder.path + "/pad.pem")
    var program = ""
    do {
      let tpm = try TestTPM(in: folder)
      program = try tpm.program("paraph-seal")
      let made = try Programs.run(
        path: tpm.program("paraph"),
        ["seal", "self-sign", "--key", tpm.uri, "--subject", "/CN=tpm", "-o", certificate])
      #expect(made.end == .exit(0), "\(made.text)")
      func problem(_ uri: String, _ tpm: TestTPM) throws -> String? {
        var signing = try signing(certificate, uri, tpm)
        return signing.check(at: 0, time: nil) { _ in }
      }
      let line = "config: [sign] certificate: \(certificate): "
      #expect(
        try problem("handle:0x81000002", tpm)?
          .hasPrefix(line + "there is no key at handle:0x81000002") == true)
      let second = try TestTPM(in: other)
      #expect(try problem(second.uri, second)?.hasPrefix(line + "cannot sign (") == true)
    }
    var lost = Signing(
      try PadConfiguration(
        "[sign]\ncertificate = \(certificate)\nkey = handle:0x81000001\n[seal]\nservice = \(program)",
        file: "", models: Appliance.modelNames))
    let problem = lost.check(at: 0, time: nil) { _ in }
    #expect(problem?.contains("OpenSSL cannot use its provider tpm2") == true, "\(problem ?? "")")
  }
}
