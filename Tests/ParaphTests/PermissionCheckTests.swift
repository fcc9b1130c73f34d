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

  private func file(_ name: String, _ mode: Int) throws -> String {
    let path = try folder.file(name, "")
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
