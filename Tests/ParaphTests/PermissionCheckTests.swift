import CLinux
import Foundation
import Testing

@testable import paraph

/// What the doctor says of services that run as `nobody`, who owns no file of the test.
@Suite struct PermissionCheckTests {
  let folder: Folder
  let spool: String

  init() throws {
    folder = try Folder()
    spool = folder.path("spool")
    try permit(0o755, URL(fileURLWithPath: spool).deletingLastPathComponent().path)
    try make(spool, 0o777)
  }

  private func permit(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func make(_ path: String, _ mode: Int) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try permit(mode, path)
  }

  private func file(_ name: String, _ mode: Int, _ text: String = "") throws -> String {
    let path = try folder.file(name, text)
    try permit(mode, path)
    return path
  }

  private func texts(
    _ verdict: Finding.Verdict = .wrong, pad: String = "", sinks: String = "",
    user: String = "nobody", sandbox: String = ""
  ) throws -> [String] {
    let place = "[spool]\npath = \(spool)\n"
    let settings = DoctorSettings(
      pad: try folder.file("pad.conf", place + pad),
      handoff: try folder.file(
        "handoff.conf", place + "[sink far]\ntype = http\nurl = http://192.0.2.1/\n" + sinks))
    let shown = "LoadState=loaded\nUser=\(user)\n" + sandbox
    let check = PermissionCheck(
      settings, pad: ServiceUnit("paraphd.service", shown: shown),
      handoff: ServiceUnit("paraph-handoff.service", shown: shown), devices: [])
    return check.findings.filter { $0.verdict == verdict }.map(\.text)
  }

  @Test func `a logo that the pad's user may not read is wrong`() throws {
    let logo = try file("logo.png", 0o600)
    let theme = "[theme]\nlogo = \(logo)\n"
    #expect(try texts(pad: theme).contains { $0.contains("nobody may not open \(logo): ") })
    #expect(try texts(pad: theme, user: "root").isEmpty)
  }

  @Test func `a font and slides that the pad's user may not read are notes, a missing logo is not`()
    throws
  {
    let (font, slides) = (try file("font.ttc", 0o600), folder.path("slides"))
    try make(slides, 0o711)
    let pad = "[text]\nfallback-fonts = \(font)#2\n[pad]\nslides = \(slides)\n"
    let notes = try texts(.note, pad: pad + "[theme]\nlogo = \(folder.path("none"))\n")
    for path in [font, slides] {
      #expect(notes.contains { $0.contains("nobody may not open \(path): ") }, "\(notes)")
    }
    #expect(notes.count == 2)
  }

  @Test func `a writable folder in one that the service's user may not search is wrong`() throws {
    let (closed, inner) = (folder.path("closed"), folder.path("closed/inner"))
    try make(inner, 0o777)
    let sink = "[sink near]\ntype = directory\npath = \(inner)\n"
    let refusal = "nobody may not write into \(inner): \(closed) is "
    try permit(0o755, closed)
    #expect(try !texts(sinks: sink).contains { $0.contains(refusal) })
    try permit(0o700, closed)
    #expect(try texts(sinks: sink).contains { $0.contains(refusal) })
  }

  @Test func `a folder of records that the deliveries' user may not write into is wrong`() throws {
    let records = "\(spool)/state/.sinks/far"
    try make(records, 0o700)
    for folder in ["state", "state/.sinks"] { try permit(0o777, "\(spool)/\(folder)") }
    let found = try texts().filter { $0.contains("/state") }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("nobody may not write into \(records): it is ") == true)
    try permit(0o777, records)
    #expect(try !texts().contains { $0.contains("/state") })
    // Both daemons need this one.
    try permit(0o755, "\(spool)/state")
    #expect(try texts().count { $0.contains("write into \(spool)/state: it is ") } == 2)
  }

  /// An access control list (acl(5)) of version 2 that lets `nobody` search a folder of mode 0710.
  private static var list: [UInt8] {
    let all: [UInt8] = [255, 255, 255, 255]
    var list: [UInt8] = [2, 0, 0, 0]
    list += [1, 0, 7, 0] + all
    list += [2, 0, 1, 0, 254, 255, 0, 0]
    list += [4, 0, 0, 0] + all
    list += [16, 0, 1, 0] + all
    list += [32, 0, 0, 0] + all
    return list
  }

  private static func setList(_ path: String) -> Bool {
    setxattr(path, "system.posix_acl_access", list, list.count, 0) == 0
  }

  private static let hasLists: Bool = {
    guard let folder = try? Folder() else { return false }
    return PermissionCheckTests.setList(folder.path("."))
  }()

  @Test(.enabled(if: PermissionCheckTests.hasLists, "needs a filesystem with access control lists"))
  func `a folder whose access control list may permit the service's user is not wrong`() throws {
    let (closed, inner) = (folder.path("closed"), folder.path("closed/inner"))
    try make(inner, 0o777)
    try permit(0o700, closed)
    let sink = "[sink near]\ntype = directory\npath = \(inner)\n"
    let refusal = "nobody may not write into \(inner): \(closed) is "
    #expect(try texts(sinks: sink).contains { $0.contains(refusal) })
    #expect(Self.setList(closed))
    #expect(try !texts(sinks: sink).contains { $0.contains(refusal) })
  }

  @Test func `a secret, a certificate or a command that the sinks' user may not open is wrong`()
    throws
  {
    let (token, key) = (try file("token", 0o600), try file("s3-key", 0o600))
    let (authority, command) = (try file("ca.pem", 0o600), try file("command", 0o644))
    let sinks = """
      [sink web]
      type = http
      url = https://192.0.2.1/
      token-file = \(token)
      hmac-key-file = \(folder.path("none"))
      ca-file = \(authority)
      [sink store]
      type = s3
      endpoint = https://192.0.2.1/
      bucket = signatures
      access-key = pad
      secret-key-file = \(key)
      ca-file = \(authority)
      [sink program]
      type = command
      command = \(command) now

      """
    let found = try texts(sinks: sinks)
    for path in [token, key, authority, command] {
      let finding = "nobody may not open \(path): it is "
      #expect(found.count { $0.hasPrefix(finding) } == 1, "\(found)")
    }
    #expect(try texts(sinks: sinks, user: "root").isEmpty)
  }

  @Test func `a command that may be run but not read is wrong if an interpreter must read it`()
    throws
  {
    let script = try file("script", 0o711, "#!/bin/sh\n")
    let program = try file("program", 0o711, "\u{7F}ELF")
    let sinks = """
      [sink first]
      type = command
      command = \(script)
      [sink second]
      type = command
      command = \(program)

      """
    let found = try texts(sinks: sinks)
    #expect(found.count { $0.hasPrefix("nobody may not open \(script): it is ") } == 1)
    #expect(!found.contains { $0.contains(program) }, "\(found)")
    try permit(0o755, script)
    #expect(try texts(sinks: sinks).isEmpty)
  }

  @Test func `a certificate that a sink needs and whose expiry is reported is examined once`()
    throws
  {
    let (authority, other) = (try file("ca.pem", 0o600), try file("other.pem", 0o600))
    let sinks = "ca-file = \(authority)\n[handoff]\ncertificates = \(authority) \(other)\n"
    #expect(try texts(sinks: sinks).count { $0.contains(authority) } == 1)
    let notes = try texts(.note, sinks: sinks)
    #expect(!notes.contains { $0.contains(authority) }, "\(notes)")
    #expect(notes.count { $0.contains(other) } == 1)
  }

  @Test func `what the sandbox hides is wrong, whoever owns it`() throws {
    let (logo, outbox) = (try file("logo.png", 0o644), folder.path("outbox"))
    try make(outbox, 0o777)
    let found = try texts(
      pad: "[theme]\nlogo = \(logo)\n",
      sinks: "[sink near]\ntype = directory\npath = \(outbox)\n",
      user: "root", sandbox: "InaccessiblePaths=\(logo) -\(outbox)\n")
    #expect(
      found == [
        "paraphd.service does not see \(logo): its sandbox hides it",
        "paraph-handoff.service does not see \(outbox): its sandbox hides it",
      ])
  }
}
