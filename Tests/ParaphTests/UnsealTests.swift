import Foundation
import Linux
import Spool
import SpoolFixtures
import Testing

/// `paraph unseal` on what openssl has sealed, and on items.
@Suite struct UnsealTests {
  let folder = TemporaryFolder()
  let ink = Array("{\"strokes\":[]}".utf8)

  /// A delivered item with these sealed files.
  private func item(_ files: [(ItemFile, [UInt8])]) throws -> String {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    for (file, bytes) in files { try draft.write(file, bytes) }
    return "\(folder.path)/spool/new/\(try draft.publish(Fixtures.description).id.text)"
  }

  private func output() throws -> String {
    let path = folder.path + "/opened"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test(arguments: [SealKeys.Kind.rsa, .ellipticCurve])
  func `an item is opened with the key, with or without the certificate`(
    _ kind: SealKeys.Kind
  ) throws {
    let keys = try SealKeys(kind, "notary", in: folder)
    let svg = Array("<svg/>".utf8)
    let item = try item([
      (.sealedSVG, try keys.seal(svg, in: folder)),
      (.sealedStrokes, try keys.seal(ink, in: folder)),
    ])
    let output = try output()
    for certificate in [[], ["--certificate", keys.certificate]] {
      let result = try Tool.run(["unseal", item, "--key", keys.key, "-o", output] + certificate)
      #expect(result.status == 0 && result.error.isEmpty, "\(result)")
      #expect(result.output == "\(output)/signature.svg\n\(output)/strokes.json\n")
      #expect(try Fixtures.read(output + "/signature.svg") == svg)
      #expect(try Fixtures.read(output + "/strokes.json") == ink)
      #expect(try FileStatus(of: output + "/strokes.json").mode & 0o077 == 0)
      for name in try Linux.Folder.names(of: output) { unlink("\(output)/\(name)") }
    }
  }

  @Test func `one sealed file is opened`() throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    let path = folder.path + "/received.json.cms"
    try Fixtures.write(path, try keys.seal(ink, in: folder))
    let output = try output()
    #expect(try Tool.run("unseal", path, "--key", keys.key, "-o", output).status == 0)
    #expect(try Fixtures.read(output + "/received.json") == ink)
  }

  @Test func `nothing is written if a file cannot be opened, was changed, or exists`() throws {
    let keys = try SealKeys(.rsa, "notary", in: folder)
    let stranger = try SealKeys(.rsa, "stranger", in: folder)
    let sealed = try keys.seal(ink, in: folder)
    let item = try item([
      (.sealedSVG, sealed), (.sealedStrokes, try stranger.seal(ink, in: folder)),
    ])
    let output = try output()
    func run(_ key: String) throws -> Tool.Result {
      try Tool.run("unseal", item, "--key", key, "-o", output)
    }
    let foreign = try run(keys.key)
    #expect(foreign.isMistake(65), "\(foreign)")
    #expect(
      foreign.error
        == "paraph: \(item)/strokes.json.cms: it is damaged, or not sealed to this key\n")
    #expect(try Linux.Folder.names(of: output).isEmpty)
    var changed = sealed
    changed[changed.count - 20] ^= 1
    try Fixtures.write(item + "/signature.svg.cms", changed)
    let result = try run(keys.key)
    #expect(result.isMistake(65) && result.error.contains("does not match its digest"), "\(result)")
    #expect(try Linux.Folder.names(of: output).isEmpty)
    // Without a manifest, the authentication code tells.
    unlink(item + "/signature.json")
    unlink(item + "/strokes.json.cms")
    #expect(try run(keys.key).isMistake(65))
    try Fixtures.write(item + "/signature.svg.cms", sealed)
    try Fixtures.write(output + "/signature.svg", [1])
    #expect(try run(keys.key).isMistake(73))
    #expect(try Fixtures.read(output + "/signature.svg") == [1])
  }

  @Test func `a sealed file that the manifest names and the item lacks is an error`() throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    let item = try item([
      (.sealedSVG, try keys.seal(ink, in: folder)),
      (.sealedStrokes, try keys.seal(ink, in: folder)),
    ])
    unlink(item + "/strokes.json.cms")
    let output = try output()
    let words = ["unseal", item, "--key", keys.key, "-o", output]
    let result = try Tool.run(words)
    #expect(result.isMistake(65), "\(result)")
    #expect(
      result.error
        == "paraph: \(item)/strokes.json.cms: missing, but signature.json names it\n")
    #expect(try Linux.Folder.names(of: output).isEmpty)
    // Without a manifest this cannot be known.
    unlink(item + "/signature.json")
    let unknown = try Tool.run(words)
    #expect(unknown.status == 0)
    #expect(
      unknown.error == "paraph: \(item): no signature.json: whether files are missing is unknown\n")
  }

  @Test func `mistakes are one line`() throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    let item = try item([])
    #expect(try Tool.run("unseal", item, "--key", keys.key).isMistake(65))
    #expect(try Tool.run("unseal", folder.path + "/none", "--key", keys.key).isMistake(66))
    #expect(try Tool.run("unseal", item).isMistake(64))
    let path = folder.path + "/a.cms"
    try Fixtures.write(path, try keys.seal(ink, in: folder))
    let none = try Tool.run("unseal", path, "--key", folder.path + "/none")
    #expect(none.isMistake(66), "\(none)")
    let wrong = try Tool.run("unseal", path, "--key", keys.certificate)
    #expect(wrong.isMistake(65), "\(wrong)")
    #expect(try Tool.run("unseal", keys.certificate, "--key", keys.key).isMistake(65))
    let locked = folder.path + "/locked.key"
    let made = try Programs.run(
      path: "/usr/bin/openssl",
      ["pkcs8", "-topk8", "-in", keys.key, "-out", locked, "-passout", "pass:secret"])
    try #require(made.end == .exit(0), "\(made.text)")
    let passphrase = try Tool.run("unseal", path, "--key", locked)
    #expect(passphrase.isMistake(65), "\(passphrase)")
    #expect(passphrase.error.contains("openssl pkey -in KEY -out NEW"), "\(passphrase)")
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `a full disk leaves no file, also none of those that were written before`() throws {
    let keys = try SealKeys(.ellipticCurve, "notary", in: folder)
    let large = [UInt8](repeating: 0x20, count: 200_000)
    let item = try item([
      (.sealedSVG, try keys.seal(Array("<svg/>".utf8), in: folder)),
      (.sealedStrokes, try keys.seal(large, in: folder)),
    ])
    let disk = try Disk(tmpfs: "64k")
    let result = try Tool.run("unseal", item, "--key", keys.key, "-o", disk.path)
    #expect(result.isMistake(74) && result.error.contains("No space left on device"), "\(result)")
    #expect(try Linux.Folder.names(of: disk.path).isEmpty)
    // The same files fit where there is room.
    #expect(try Tool.run("unseal", item, "--key", keys.key, "-o", try output()).status == 0)
  }
}
