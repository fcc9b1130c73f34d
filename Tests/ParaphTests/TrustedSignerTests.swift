import Foundation
import Linux
import Spool
import SpoolFixtures
import Testing

/// As of when `paraph verify` checks certificates, and which certificates it accepts.
@Suite struct TrustedSignerTests {
  let signed = SignedItems()
  var folder: TemporaryFolder { signed.folder }

  /// Certificates for a time: that of the authority from 2020 to 2040, and that of the pad, in pad.pem.
  private func certify(from start: String, to end: String) throws {
    let path = folder.path
    try Fixtures.write(
      path + "/ca.cnf",
      Array(
        """
        [ca]
        default_ca = test
        [test]
        database = \(path)/index
        new_certs_dir = \(path)
        rand_serial = yes
        default_md = sha256
        policy = names
        unique_subject = no
        [names]
        commonName = supplied
        [root]
        basicConstraints = critical,CA:TRUE
        [pad]
        keyUsage = critical,digitalSignature

        """.utf8))
    try Fixtures.write(path + "/index", [])
    let authority = try signed.request("authority", subject: "authority")
    let pad = try signed.request("pad", subject: "pad")
    let issue = ["ca", "-batch", "-notext", "-config", path + "/ca.cnf"]
    try signed.openssl(
      issue + [
        "-selfsign", "-keyfile", path + "/authority.key", "-in", authority, "-extensions",
        "root", "-startdate", "20200101000000Z", "-enddate", "20400101000000Z", "-out",
        path + "/authority.pem",
      ])
    try signed.openssl(
      issue + [
        "-cert", path + "/authority.pem", "-keyfile", path + "/authority.key", "-in",
        pad, "-extensions", "pad", "-startdate", start, "-enddate", end, "-out", path + "/pad.pem",
      ])
  }

  /// An item of a time, whose clock was set or not.
  private func item(_ time: String, isSet: Bool) throws -> String {
    let (certificate, key) = (folder.path + "/pad.pem", folder.path + "/pad.key")
    let item = try signed.item(certificate: certificate, key: key)
    var manifest = item.manifest
    manifest.time = time
    manifest.clockSynchronized = isSet
    try signed.replace(manifest, of: item.path, certificate: certificate, key: key)
    return item.path
  }

  /// What paraph says of an item, which openssl must confirm by the command of the documentation.
  private func verify(_ item: String, isSet: Bool) throws -> Tool.Result {
    var command = try DocumentedExamples(of: "sealing.md").command("-CAfile authority.pem")
    if !isSet {
      // The documentation: leave out -attime.
      let option = try #require(command.firstRange(of: "-attime"))
      command = String(command[..<option.lowerBound])
    }
    command.replace("authority.pem", with: folder.path + "/authority.pem")
    let result = try Tool.run("verify", "--ca", folder.path + "/authority.pem", item)
    let other = try DocumentedExamples.run(command, in: item)
    #expect((other.end == .exit(0)) == (result.status == 0), "\(result) \(other.text)")
    return result
  }

  @Test func `an expired certificate counts if a pad's clock that was set says that it was valid`()
    throws
  {
    try certify(from: "20200101000000Z", to: "20210101000000Z")
    let then = try item("2020-06-01T12:00:00.000Z", isSet: true)
    let good = try verify(then, isSet: true)
    #expect(good.status == 0 && good.output.contains("authority.pem\", valid then\n"), "\(good)")
    let unset = try item("2020-06-01T12:00:00.000Z", isSet: false)
    let now = try verify(unset, isSet: false)
    #expect(now.isMistake(1) && now.error.contains("certificate has expired"), "\(now)")
    let late = try verify(try item("2021-06-01T12:00:00.000Z", isSet: true), isSet: true)
    #expect(late.isMistake(1) && late.error.contains("certificate has expired"), "\(late)")
    // Those that the manifest's time precedes.
    let early = try verify(try item("2019-06-01T12:00:00.000Z", isSet: true), isSet: true)
    #expect(early.isMistake(1) && early.error.contains("not yet valid"), "\(early)")
  }

  @Test func `a certificate that is valid now counts whatever a clock says that was not set`()
    throws
  {
    try certify(from: "20210101000000Z", to: "20390101000000Z")
    let unset = try verify(try item("2020-06-01T12:00:00.000Z", isSet: false), isSet: false)
    #expect(unset.status == 0 && unset.output.contains("authority.pem\", valid now\n"), "\(unset)")
    let set = try verify(try item("2020-06-01T12:00:00.000Z", isSet: true), isSet: true)
    #expect(set.isMistake(1) && set.error.contains("not yet valid"), "\(set)")
  }

  @Test func `of several certificates in a file each one counts, and none may be damaged`() throws {
    let keys = try ["former", "new"].map { try SealKeys(.ellipticCurve, $0, in: folder) }
    let items = try keys.map { try signed.item($0).path }
    let stranger = try signed.item(SealKeys(.rsa, "stranger", in: folder)).path
    let both = folder.path + "/both.pem"
    let certificates = try keys.flatMap { try Fixtures.read($0.certificate) }
    try Fixtures.write(both, certificates)
    let good = try Tool.run(["verify", "--certificate", both] + items)
    #expect(good.status == 0 && good.error.isEmpty, "\(good)")
    // openssl says the same by the command of the documentation.
    let command = try DocumentedExamples(of: "sealing.md").command("-certfile pad.pem")
      .replacing("pad.pem", with: both)
    for item in items { #expect(try DocumentedExamples.run(command, in: item).end == .exit(0)) }
    let foreign = try Tool.run("verify", "--certificate", both, stranger)
    #expect(
      foreign.isMistake(1)
        && foreign.error.contains("p7s: no owner of these certificates has signed this"),
      "\(foreign)")
    #expect(try DocumentedExamples.run(command, in: stranger).end != .exit(0))
    let damaged = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"
    try Fixtures.write(both, certificates + Array(damaged.utf8))
    let refused = try Tool.run(["verify", "--certificate", both] + items)
    #expect(
      refused.isMistake(66) && refused.error.contains("a certificate is damaged"), "\(refused)")
    try Fixtures.write(both, try certificates + Fixtures.read(keys[0].key))
    let key = try Tool.run(["verify", "--certificate", both] + items)
    #expect(key.isMistake(66) && key.error.contains("contains a private key"), "\(key)")
  }

  @Test func `of several authorities in a file each one counts, and none may be damaged`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let pad = try signed.certify("pad", by: authority, "-days", "30")
    let item = try signed.item(certificate: pad, key: folder.path + "/pad.key").path
    let own = try Fixtures.read(authority.certificate)
    let other = try Fixtures.read(SealKeys(.rsa, "other", in: folder).certificate)
    let damaged = Array("-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n".utf8)
    let file = folder.path + "/authorities.pem"
    try Fixtures.write(file, other + own)
    let good = try Tool.run("verify", "--ca", file, item)
    #expect(good.status == 0 && good.error.isEmpty, "\(good)")
    for certificates in [own + damaged, other + damaged + own, damaged + own] {
      try Fixtures.write(file, certificates)
      let refused = try Tool.run("verify", "--ca", file, item)
      #expect(
        refused.isMistake(66) && refused.error.contains("a certificate is damaged"), "\(refused)")
    }
  }
}
