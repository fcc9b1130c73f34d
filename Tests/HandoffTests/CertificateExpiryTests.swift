import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Handoff

/// By the built paraph-seal, of certificates that openssl makes.
@Suite struct CertificateExpiryTests {
  let folder = TemporaryFolder()

  /// `key`: what openssl is told of the key and its usage; by default, an EC key for everything.
  func certificate(
    _ name: String, days: Int, key: String = "ec -pkeyopt ec_paramgen_curve:P-256"
  ) throws -> String {
    let log = try Programs.open(folder.path + "/log")
    var child = try ChildProcess(
      "/usr/bin/openssl",
      ["req", "-x509", "-newkey"] + key.split(separator: " ").map { String($0) } + [
        "-nodes", "-days", "\(days)", "-subj", "/CN=\(name)", "-keyout",
        "\(folder.path)/\(name).key", "-out", "\(folder.path)/\(name).pem",
      ], output: log.number, error: log.number)
    #expect(try child.wait(milliseconds: 60_000) == .exit(0))
    return "\(folder.path)/\(name).pem"
  }

  @Test func `the certificate that expires first counts`() throws {
    let paths = [try certificate("long", days: 300), try certificate("short", days: 20)]
    let now = WallClock.now / 1_000_000_000
    let expiry = CertificateExpiry(paths, program: Programs.path("paraph-seal"))
    #expect(expiry.earliest == nil)
    expiry.check()
    let left = try #require(expiry.earliest) - now
    #expect(left > 19 * 86_400 && left <= 20 * 86_400 + 60)
  }

  @Test(arguments: [
    "rsa:2048 -addext keyUsage=critical,keyEncipherment",
    "ec -pkeyopt ec_paramgen_curve:P-256 -addext keyUsage=critical,keyAgreement",
    "ec -pkeyopt ec_paramgen_curve:P-256 -addext keyUsage=critical,digitalSignature",
  ])
  func `a certificate counts that is for sealing alone, or for signing alone`(key: String) throws {
    let expiry = CertificateExpiry(
      [try certificate("one", days: 20, key: key)], program: Programs.path("paraph-seal"))
    expiry.check()
    #expect(expiry.earliest != nil && expiry.unreadableCount == 0)
  }

  @Test
  func
    `a certificate that cannot be read is counted and hides no other, and all are if no program runs`()
    throws
  {
    let valid = try certificate("valid", days: 20)
    try Fixtures.write(folder.path + "/text", Array("text".utf8))
    for paths in [[valid, folder.path + "/none"], [valid, folder.path + "/text"]] {
      let expiry = CertificateExpiry(paths, program: Programs.path("paraph-seal"))
      #expect(expiry.unreadableCount == nil)
      expiry.check()
      #expect(expiry.earliest != nil && expiry.unreadableCount == 1)
    }
    for program in ["/none", "/bin/true", "/bin/echo"] {
      let expiry = CertificateExpiry([valid], program: program)
      expiry.check()
      #expect(expiry.earliest == nil && expiry.unreadableCount == 1, "\(program)")
    }
  }

  @Test func `a failed check is repeated after five minutes, and on request`() throws {
    let path = folder.path + "/late.pem"
    let expiry = CertificateExpiry([path], program: Programs.path("paraph-seal"))
    expiry.work(at: 0)
    #expect(eventually { expiry.unreadableCount == 1 })
    _ = try certificate("late", days: 9)
    expiry.work(at: 299_000_000_000)
    #expect(expiry.unreadableCount == 1)
    // The thread stores when the next check is due after its result.
    #expect(
      eventually {
        expiry.work(at: 300_000_000_000)
        return expiry.unreadableCount == 0
      })
    try Fixtures.write(path, Array("text".utf8))
    expiry.requestCheck()
    expiry.work(at: 301_000_000_000)
    #expect(eventually { expiry.unreadableCount == 1 })
  }

  @Test func `a check runs on a thread of its own`() throws {
    let expiry = CertificateExpiry(
      [try certificate("one", days: 9)], program: Programs.path("paraph-seal"))
    expiry.work(at: 0)
    #expect(eventually { expiry.earliest != nil })
  }
}
