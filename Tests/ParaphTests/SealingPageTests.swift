import CLinux
import Foundation
import Linux
import Spool
import SpoolFixtures
import Testing

/// The commands of config/sealing.md by openssl, each beside what paraph does.
@Suite struct SealingPageTests {
  let signed = SignedItems()
  let page: DocumentedExamples
  var folder: TemporaryFolder { signed.folder }

  init() throws { page = try DocumentedExamples(of: "sealing.md") }

  /// Runs a command in the folder, which must succeed; returns its output.
  @discardableResult
  private func run(_ command: String, in path: String? = nil) throws -> String {
    let result = try DocumentedExamples.run(command, in: path ?? folder.path)
    #expect(result.end == .exit(0), "\(command): \(result.text)")
    return result.output
  }

  private func copy(_ path: String, to name: String) throws {
    try Fixtures.write(name, try Fixtures.read(path))
  }

  // MARK: - Keys

  @Test(arguments: ["paraph seal", "openssl"])
  func `a key, its certificate and its request are the same by paraph and by openssl`(
    _ program: String
  ) throws {
    let isOwn = program == "paraph seal"
    let commands = [
      isOwn
        ? try page.command("paraph seal new-key")
        : try page.command("openssl genpkey", "ec_paramgen_curve:P-256"),
      isOwn
        ? try page.command("paraph seal self-sign", "/etc/paraph/pad.key")
        : try page.command("openssl req -x509 -new -key"),
      isOwn ? try page.command("paraph seal request") : try page.command("openssl req -new -key"),
    ]
    for command in commands { try run(command.replacing("/etc/paraph/", with: "")) }
    #expect(try FileStatus(of: folder.path + "/pad.key").mode & 0o777 == 0o600)
    #expect(try run("openssl pkey -in pad.key -noout -text").contains("ASN1 OID: prime256v1"))
    let key = try run("openssl pkey -in pad.key -pubout")
    let request = try run(
      """
      openssl req -in pad.csr -verify -noout -subject -nameopt oneline -pubkey &&
      openssl req -in pad.csr -noout -text
      """)
    #expect(request.contains(key) && request.contains("subject=CN = counter-3, O = Post\n"))
    #expect(request.contains("Signature Algorithm: ecdsa-with-SHA256"))
    let certificate = try run(
      """
      openssl x509 -in pad.pem -noout -subject -issuer -nameopt oneline -pubkey \
        -checkend \(3649 * 86_400)
      """)
    #expect(certificate.contains(key) && certificate.contains("subject=CN = counter-3\n"))
    #expect(certificate.contains("issuer=CN = counter-3\n"))
    let uses = try run("openssl x509 -in pad.pem -noout -ext basicConstraints,keyUsage")
    #expect(uses.contains("X509v3 Basic Constraints: critical") && uses.contains("CA:FALSE"))
    #expect(uses.contains("X509v3 Key Usage: critical"))
    #expect(uses.contains("Digital Signature, Non Repudiation\n"))
  }

  // MARK: - Opening

  @Test
  func `a sealed file is opened by both, names its recipient, and leaves nothing if changed`()
    throws
  {
    try run(page.command("openssl req -x509 -newkey rsa:3072"))
    let ink = Array("{\"strokes\":[]}".utf8)
    try Fixtures.write(folder.path + "/ink", ink)
    try signed.openssl(
      "cms", "-encrypt", "-aes-256-gcm", "-binary", "-outform", "DER", "-in", folder.path + "/ink",
      "-out", folder.path + "/cms", folder.path + "/notary.pem")
    let sealed = try Fixtures.read(folder.path + "/cms")
    let pad = try SealKeys(.ellipticCurve, "pad", in: folder)
    let item = try signed.item(
      certificate: pad.certificate, key: pad.key, files: [(.sealedStrokes, sealed)]
    ).manifest.id.text
    let (new, path) = (signed.spool + "/new", "\(signed.spool)/new/\(item)")
    for file in ["notary.key", "notary.pem"] {
      for place in [new, path] { try copy("\(folder.path)/\(file)", to: "\(place)/\(file)") }
    }
    mkdir(new + "/opened", 0o700)
    let decrypt = try page.command("openssl cms -decrypt")
    let unseal = try page.command("paraph unseal").split(separator: " ")
      .map { $0.count == 36 ? item : String($0) }.joined(separator: " ")
    try run(decrypt, in: path)
    try run(unseal, in: new)
    for opened in [path + "/strokes.json", new + "/opened/strokes.json"] {
      #expect(try Fixtures.read(opened) == ink)
      unlink(opened)
    }
    let recipients = try run(page.command("openssl cms -cmsout -print"), in: path)
    #expect(recipients.split(separator: "\n").count == 2 && recipients.contains("CN=Notary"))
    let serial = try run("openssl x509 -in notary.pem -noout -serial").drop { $0 != "=" }
    let number = serial.dropFirst().split(separator: "\n").first.map { String($0) } ?? ""
    #expect(recipients.contains("serialNumber: 0x\(number)"), "\(recipients)")
    // The code of the whole file is at its end.
    var changed = sealed
    changed[changed.count - 20] ^= 1
    try Fixtures.write(path + "/strokes.json.cms", changed)
    _ = try DocumentedExamples.run(decrypt, in: path)
    #expect(try DocumentedExamples.run(unseal, in: new).end == .exit(65))
    #expect(!Fixtures.exists(path + "/strokes.json"))
    #expect(try Linux.Folder.names(of: new + "/opened").isEmpty)
    // Without "|| rm", openssl leaves a part, and its exit status decides.
    let alone = try #require(decrypt.split(separator: "||").first).replacing("\\\n", with: "")
    #expect(try DocumentedExamples.run(String(alone), in: path).end != .exit(0))
  }

  // MARK: - Verifying

  @Test func `the files, the signer and the document are verified by both`() throws {
    let authority = try SealKeys(.rsa, "authority", in: folder)
    let pad = try signed.certify("pad", by: authority, "-days", "30")
    try Fixtures.write(folder.path + "/contract.pdf", Array("%PDF-1.7 a contract".utf8))
    let sum = try run("sha256sum contract.pdf")
    let shown = ShownDocument.Page(digest: String(repeating: "a", count: 64), milliseconds: 900)
    let item = try signed.item(
      certificate: pad, key: folder.path + "/pad.key",
      document: ShownDocument(
        name: "contract.pdf", digest: String(sum.prefix(64)), pages: [shown])
    ).path
    func verify() throws -> Int32 {
      let options = ["--ca", authority.certificate, "--certificate", pad]
      return try Tool.run(
        ["verify"] + options + ["--document", folder.path + "/contract.pdf", item]
      ).status
    }
    #expect(try verify() == 0)
    for name in ["pad.pem", "authority.pem", "contract.pdf"] {
      try copy("\(folder.path)/\(name)", to: "\(item)/\(name)")
    }
    let commands = [
      try page.command("cms -verify", "-certfile pad.pem"),
      try page.command("cms -verify", "-CAfile authority.pem"),
      try page.command(".files", "sha256sum -c"),
      try page.command(".document.digest", "sha256sum -c"),
    ]
    for command in commands { try run(command, in: item) }
    for name in ["signature.json", "signature.png", "contract.pdf"] {
      try Fixtures.write("\(item)/\(name)", [1])
    }
    for command in commands {
      #expect(try DocumentedExamples.run(command, in: item).end != .exit(0), "\(command)")
    }
    #expect(try verify() == 1)
  }

  @Test func `the loop over the items shows the links that paraph verify checks`() throws {
    let pad = try SealKeys(.ellipticCurve, "pad", in: folder)
    let items = try (0..<4).map { _ in try signed.item(pad).path }
    let new = signed.spool + "/new"
    symlink(new, folder.path + "/outbox")
    let loop = try page.command("for item in $(jq")
    let verify = try page.command("paraph verify --certificate pad.pem --chain")
    /// The numbers that are named without their item, or whose digest is another one.
    func broken() throws -> [String] {
      var (digests, broken): ([String: Substring], [String]) = ([:], [])
      var number = ""
      for line in try run(loop, in: new).split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count == 4, words[1] == "follows" {
          number = String(words[0])
          let previous = String(words[2])
          if previous != "null", digests[previous] != words[3] { broken.append(previous) }
        } else {
          digests[number] = words.first
        }
      }
      #expect(digests.count == (try Linux.Folder.names(of: new)).count)
      return broken
    }
    #expect(try broken().isEmpty)
    try run(verify)
    rename(items[1], folder.path + "/removed")
    #expect(try broken() == ["2"])
    let missing = try DocumentedExamples.run(verify, in: folder.path)
    #expect(missing.end == .exit(1) && missing.error.contains("chain: number 2 is missing"))
    rename(folder.path + "/removed", items[1])
    try run(verify)
    // A changed manifest is no longer the one that the next item names.
    var manifest = try Manifest(Fixtures.read(items[2] + "/signature.json"))
    manifest.reference = "another parcel"
    try signed.replace(manifest, of: items[2], certificate: pad.certificate, key: pad.key)
    #expect(try broken() == ["3"])
    #expect(try DocumentedExamples.run(verify, in: folder.path).end == .exit(1))
  }

  // MARK: - Time stamps

  @Test func `a time stamp that was fetched by hand is verified by both, with the same time`()
    throws
  {
    let authority = try TimestampAuthority("tsa", in: folder)
    let pad = try SealKeys(.ellipticCurve, "pad", in: folder)
    let item = try signed.item(pad).path
    let port = folder.path + "/port"
    let server = Fixtures.root + "/Tests/HandoffTests/Servers/tsa.py"
    let log = try Programs.open(folder.path + "/tsa.log")
    let running = try ChildProcess(
      "/usr/bin/env", ["python3", server, folder.path, port, authority.folder], output: log.number,
      error: log.number)
    try #require(eventually { Fixtures.exists(port) }, "the server does not start")
    let url = "http://127.0.0.1:\(try Fixtures.text(port))/ok"
    try run(page.command("openssl ts -query"), in: item)
    try run(page.command("curl").replacing("http://tsa.example.org/", with: url), in: item)
    _ = consume running
    unlink(item + "/query.tsq")
    symlink(signed.spool + "/new", folder.path + "/outbox")
    try copy(authority.root, to: folder.path + "/tsa-ca.pem")
    let check = try page.command("openssl ts -verify").replacing(
      "tsa-ca.pem", with: authority.root)
    let verify = try page.command("paraph verify", "--timestamp-ca")
    try run(check, in: item)
    let text = try run(page.command("openssl ts -reply", "-text"), in: item)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Time stamp: ") })
    let date = "date -u -d '\(line.dropFirst(12))' +%Y-%m-%dT%H:%M:%SZ"
    let time = try run(date).prefix { $0 != "\n" }
    let found = try run(verify)
    #expect(found.contains("; existed at \(time), as /CN=tsa states\n"), "\(found)")
    // Of another signature.
    let manifest = try Manifest(Fixtures.read(item + "/signature.json"))
    try signed.replace(manifest, of: item, certificate: pad.certificate, key: pad.key)
    #expect(try DocumentedExamples.run(check, in: item).end != .exit(0))
    #expect(try DocumentedExamples.run(verify, in: folder.path).end == .exit(1))
  }
}
