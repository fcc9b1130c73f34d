import CLinux
import Configuration
import Linux
import SealClient
import SpoolFixtures
import Testing

@testable import Pad

/// Signing by the built paraph-seal, with keys that openssl makes.
@Suite struct SigningTests {
  let folder = TemporaryFolder()
  private let manifest = Array("{\"id\": \"0190\"}\n".utf8)

  /// What is added to the last failure of a token.
  private static let end =
    "; the token is not tried again before a reload: "
    + "systemctl kill --kill-whom=main -s HUP paraphd"

  private func configuration(_ keys: SealKeys, key: String? = nil) throws -> PadConfiguration {
    try PadConfiguration(
      """
      [sign]
      certificate = \(keys.certificate)
      key = \(key ?? keys.key)
      [seal]
      service = \(Programs.path("paraph-seal"))
      """, file: "", models: Appliance.modelNames)
  }

  private func signing(
    _ keys: SealKeys, key: String? = nil, time: Int64? = nil
  ) throws -> (signing: Signing, problem: String?, warnings: [String]) {
    var signing = Signing(try configuration(keys, key: key))
    var warnings: [String] = []
    let problem = signing.check(at: 0, time: time) { warnings.append($0) }
    return (signing, problem, warnings)
  }

  private func verify(_ signature: [UInt8], _ bytes: [UInt8], _ keys: SealKeys) throws -> Bool {
    try keys.verify(signature, bytes, in: folder)
  }

  private func failure(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? SealFailure)?.text ?? "\(error)" }
    return nil
  }

  @Test(arguments: [SealKeys.Kind.rsa, .ellipticCurve, .signingRSA, .signingCurve])
  func `openssl verifies what the pad's key has signed`(_ kind: SealKeys.Kind) throws {
    let keys = try SealKeys(kind, "pad", in: folder)
    let (signing, problem, warnings) = try signing(keys)
    #expect(problem == nil && warnings.isEmpty && signing.isActive)
    let signature = try signing.sign(manifest)
    #expect(try verify(signature, manifest, keys))
    #expect(try !verify(signature, manifest + [0], keys))
    #expect(try !verify(signature, manifest, SealKeys(kind, "other", in: folder)))
  }

  @Test func `without a certificate nothing is signed or checked`() throws {
    var signing = Signing(try PadConfiguration("", file: "", models: Appliance.modelNames))
    #expect(!signing.isActive && signing.check(at: 0, time: 0) { _ in } == nil)
  }

  @Test
  func `a key that is missing, foreign, open to all or unsuitable puts the pad out of service`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let other = try SealKeys(.ellipticCurve, "other", in: folder)
    func problem(_ keys: SealKeys, _ key: String? = nil) throws -> String? {
      try signing(keys, key: key).problem
    }
    func line(_ reason: String) -> String {
      "config: [sign] certificate: \(keys.certificate): \(reason)"
    }
    #expect(
      try problem(keys, folder.path + "/none")
        == line("\(folder.path)/none: No such file or directory"))
    #expect(try problem(keys, other.key)?.hasPrefix(line("cannot sign (")) == true)
    #expect(try problem(keys, keys.certificate)?.hasPrefix(line("")) == true)
    chmod(keys.key, 0o644)
    #expect(try problem(keys) == line("\(keys.key) is readable by all users: run chmod o-r"))
    let edwards = try SealKeys(.edwards, "edwards", in: folder)
    #expect(
      try problem(edwards)
        == "config: [sign] certificate: \(edwards.certificate): the certificate's key is neither RSA nor EC"
    )
    unlink(other.certificate)
    #expect(
      try problem(other)
        == "config: [sign] certificate: \(other.certificate): No such file or directory")
  }

  @Test func `the check of a configuration tries a key that is in no token`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let other = try SealKeys(.ellipticCurve, "other", in: folder)
    #expect(try Signing.trial(configuration(keys)) == nil)
    let problem = try #require(try Signing.trial(configuration(keys, key: other.key)))
    #expect(problem.hasPrefix("\(keys.certificate): cannot sign ("))
    #expect(problem.hasSuffix(": the pad is out of service"))
  }

  @Test func `a check says that a paraph-seal of another version has not tried the key`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let service = folder.path + "/service"
    try Fixtures.write(
      service,
      Array(
        """
        #!/usr/bin/python3
        import os, struct
        os.read(0, struct.unpack(">I", os.read(0, 8)[4:])[0])
        reason = b"the request is invalid: are all programs of the same version?"
        content = b"\\x03" + struct.pack(">I", len(reason)) + reason
        os.write(1, b"PSL1" + struct.pack(">I", len(content)) + content)
        os.execv("\(Programs.path("paraph-seal"))", ["paraph-seal"])
        """.utf8))
    chmod(service, 0o755)
    let text = "[sign]\ncertificate = \(keys.certificate)\n[seal]\nservice = \(service)\n"
    let configuration = try PadConfiguration(text, file: "", models: Appliance.modelNames)
    #expect(
      Signing.trial(configuration)
        == "\(keys.certificate): the key was not tried, because paraph-seal is of another version")
  }

  @Test func `a key with a passphrase is refused with the command that removes it`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    let locked = folder.path + "/locked.key"
    for cipher in [["pkcs8", "-topk8"], ["ec", "-aes256"]] {
      let made = try Programs.run(
        path: "/usr/bin/openssl",
        cipher + ["-in", keys.key, "-out", locked, "-passout", "pass:secret"])
      try #require(made.end == .exit(0), "\(made.text)")
      #expect(
        try signing(keys, key: locked).problem
          == "config: [sign] certificate: \(keys.certificate): the key has a passphrase, which nobody can enter here: "
          + "openssl pkey -in KEY -out NEW writes it without one")
    }
  }

  @Test func `the end of the pad's certificate is a warning`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder, days: 10)
    let now = WallClock.now / 1_000_000_000
    let (_, problem, warnings) = try signing(keys, time: now + 60)
    #expect(problem == nil)
    #expect(warnings == ["config: [sign] certificate: \(keys.certificate) expires in 9 days"])
    #expect(try signing(keys, time: now + 11 * 86_400).problem == nil)
  }

  @Test func `a failure is tested again, and signing works when the key is back`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var (signing, _, _) = try signing(keys)
    rename(keys.key, keys.key + ".away")
    #expect(failure { _ = try signing.sign(manifest) }?.contains("No such file") == true)
    signing.failed()
    #expect(signing.check(at: 5_000_000_000, time: nil) { _ in }?.contains("No such file") == true)
    rename(keys.key + ".away", keys.key)
    #expect(signing.check(at: 10_000_000_000, time: nil) { _ in } == nil)
    #expect(try verify(signing.sign(manifest), manifest, keys))
  }

  /// The next test is due 4 s after the last one at the earliest, and later if that one took long.
  @Test func `a failure of a token keeps the pad out of service, also while no test of it is due`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var (signing, _, _) = try signing(keys)
    let line = "config: [sign] certificate: \(keys.certificate): the card is gone"
    func fail() {
      signing.count(.token(keys.certificate, "the card is gone"))
      signing.failed()
    }
    func check(at second: Int64) -> String? {
      signing.check(at: second * 1_000_000_000, time: nil) { _ in }
    }
    #expect(check(at: 0) == nil)
    fail()
    #expect(check(at: 1) == line)
    // The card is back, and its success counts.
    #expect(check(at: 60) == nil)
    fail()
    #expect(check(at: 61) == line)
    // A second one without a test between, of a signature that was on the glass.
    fail()
    let last = line + Self.end
    #expect(check(at: 62) == last)
    #expect(check(at: 3600) == last)
    signing.reload { _, _ in }
    #expect(check(at: 3601) == nil)
  }

  /// A token may block itself after three wrong PINs; a program that is not there asks it for none.
  @Test func `a paraph-seal that cannot be reached costs a token's key none of its tries`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var signing = Signing(
      try configuration(keys, key: "pkcs11:object=pad"), program: SealProgram("/nowhere"))
    for second in 0..<4 {
      #expect(
        signing.check(at: Int64(second) * 60_000_000_000, time: nil) { _ in }
          == "paraph-seal: /nowhere: No such file or directory")
    }
    signing.program = SealProgram(Programs.path("paraph-seal"), key: keys.key)
    #expect(signing.check(at: 300_000_000_000, time: nil) { _ in } == nil)
    #expect(try verify(signing.sign(manifest), manifest, keys))
  }

  @Test func `a paraph-seal that ends without a reply counts as a try of a token's key`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var signing = Signing(
      try configuration(keys, key: "pkcs11:object=pad"), program: SealProgram("/bin/false"))
    let line = "paraph-seal: ended without a reply (exit code 1)"
    #expect(signing.check(at: 0, time: nil) { _ in } == line)
    let last = line + Self.end
    #expect(signing.check(at: 60_000_000_000, time: nil) { _ in } == last)
    signing.program = SealProgram(Programs.path("paraph-seal"), key: keys.key)
    #expect(signing.check(at: 120_000_000_000, time: nil) { _ in } == last)
  }

  @Test func `a signature that fails before the certificate is known costs the token no try`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var signing = Signing(
      try configuration(keys, key: "pkcs11:object=pad"), program: SealProgram("/bin/false"))
    #expect(signing.check(at: 0, time: nil) { _ in } != nil)
    do throws(SealFailure) {
      _ = try signing.sign(manifest)
      Issue.record("something was signed")
    } catch { signing.publishingFailed(error) }
    signing.program = SealProgram(Programs.path("paraph-seal"), key: keys.key)
    #expect(signing.check(at: 60_000_000_000, time: nil) { _ in } == nil)
  }

  @Test func `a reload takes a renewed certificate, and keeps the former one if it is unusable`()
    throws
  {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var (signing, _, _) = try signing(keys)
    var lines: [String] = []
    try Fixtures.write(keys.certificate + ".good", Fixtures.read(keys.certificate))
    try Fixtures.write(keys.certificate, [])
    signing.reload { lines.append($1) }
    #expect(
      lines.first?.hasSuffix("; the pad tries its former certificate with the present key") == true)
    #expect(signing.check(at: 5_000_000_000, time: nil) { _ in } == nil)
    #expect(throws: Never.self) { try signing.sign(manifest) }
    rename(keys.certificate + ".good", keys.certificate)
    signing.reload { lines.append($1) }
    #expect(lines.last == "config: [sign] certificate: read again")
  }

  @Test func `after a failed reload with another key nobody signs`() throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var (signing, _, _) = try signing(keys)
    try Fixtures.write(keys.certificate, [])
    try Fixtures.write(
      keys.key, Fixtures.read(SealKeys(.ellipticCurve, "other", in: folder).key))
    signing.reload { _, _ in }
    #expect(signing.check(at: 5_000_000_000, time: nil) { _ in } != nil)
  }

  @Test(arguments: ["{}", "0\\000"])
  func `a garbled signature is refused`(_ reply: String) throws {
    let keys = try SealKeys(.ellipticCurve, "pad", in: folder)
    var (signing, _, _) = try signing(keys)
    let path = folder.path + "/program"
    try Fixtures.write(
      path,
      Array(
        "#!/bin/sh\ncat >/dev/null; printf 'PSL1\\000\\000\\000\\007\\004\\000\\000\\000\\002\(reply)'\n"
          .utf8))
    chmod(path, 0o755)
    signing.program = SealProgram(path)
    #expect(
      failure { _ = try signing.sign(manifest) }
        == "paraph-seal: its signature is invalid or too large")
  }
}
