import Foundation
import Linux
import Testing

@testable import paraph

@Suite struct ServiceUnitTests {
  let folder: Folder
  let file: String
  let changed: Int64

  init() throws {
    folder = try Folder()
    file = try folder.file("conf", "[pad]\n")
    changed = try FileStatus(of: file).modified
  }

  /// A service as systemctl shows it, which started and was reloaded some seconds after the file changed.
  func unit(_ state: String, started: Int64, reloaded: Int64) -> ServiceUnit {
    ServiceUnit(
      "paraphd.service",
      shown: """
        LoadState=loaded
        ActiveState=\(state)
        ActiveEnterTimestamp=@\(changed + started)
        StateChangeTimestamp=@\(changed + reloaded)

        """)
  }

  @Test func `a configuration newer than its running service is a note`() {
    let found = unit("active", started: -5, reloaded: 5).newer(file, reloads: false)
    #expect(found.map(\.verdict) == [.note])
    #expect(found.map(\.text) == ["\(file) has changed since paraphd.service read it"])
    #expect(found.map(\.advice) == ["systemctl restart paraphd"])
    #expect(unit("active", started: 0, reloaded: 0).newer(file, reloads: false).isEmpty)
    #expect(unit("inactive", started: -5, reloaded: -5).newer(file, reloads: false).isEmpty)
    let none = unit("active", started: -5, reloaded: -5).newer(file + ".none", reloads: false)
    #expect(none.isEmpty)
  }

  @Test func `a drop-in newer than its running service is a note`() throws {
    let folder = file + ".d"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: URL(fileURLWithPath: folder + "/site.conf"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(changed + 10))],
      ofItemAtPath: folder + "/site.conf")
    let found = unit("active", started: 5, reloaded: 5).newer(file, reloads: false)
    #expect(found.map(\.text) == ["\(folder)/site.conf has changed since paraphd.service read it"])
  }

  private func canWrite(into folder: String, _ sandbox: String...) -> Bool {
    ServiceUnit("paraph-handoff.service", shown: sandbox.joined(separator: "\n") + "\n")
      .canWrite(into: folder)
  }

  @Test func `a folder that the sandbox hides cannot be written, whatever ReadWritePaths= has`() {
    let strict = "ProtectSystem=strict\nReadWritePaths=/home/pi/s /srv/s -/tmp/s /run/user/1/s"
    for folder in ["/home/pi/s", "/srv/s", "/tmp/s/below", "/run/user/1/s"] {
      #expect(canWrite(into: folder, strict, "ProtectHome=no", "PrivateTmp=no"), "\(folder)")
    }
    #expect(!canWrite(into: "/srv/s2", strict))
    for folder in ["/home/pi/s", "/run/user/1/s"] {
      #expect(!canWrite(into: folder, strict, "ProtectHome=yes"), "\(folder)")
    }
    #expect(canWrite(into: "/srv/s", strict, "ProtectHome=yes", "PrivateTmp=yes"))
    #expect(!canWrite(into: "/tmp/s", strict, "PrivateTmp=yes"))
    #expect(!canWrite(into: "/var/tmp/s", "PrivateTmp=yes"))
    #expect(!canWrite(into: "/srv/s", strict, "InaccessiblePaths=/boot -/srv"))
    #expect(canWrite(into: "/srv/s", strict, "InaccessiblePaths=/boot -/sr"))
    #expect(!canWrite(into: "/home/pi", "ProtectHome=read-only"))
    #expect(canWrite(into: "/home/pi/s", strict, "ProtectHome=read-only"))
  }

  @Test func `a folder that is mounted over what the sandbox hides can be written`() {
    let bound = "BindPaths=/home/pi/s:/home/pi/s:rbind /data:/tmp/s"
    #expect(!canWrite(into: "/home/pi/s", "ProtectHome=tmpfs"))
    #expect(canWrite(into: "/home/pi/s", "ProtectHome=tmpfs", "ProtectSystem=strict", bound))
    #expect(canWrite(into: "/tmp/s", "PrivateTmp=yes", bound))
    #expect(!canWrite(into: "/home/pi/s", "ProtectHome=yes", bound))
  }

  @Test func `a link into a folder that the sandbox hides is hidden too`() throws {
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    func hides(_ hidden: String) -> Bool {
      ServiceUnit("paraphd.service", shown: "InaccessiblePaths=\(hidden)\n").hides(link)
    }
    #expect(hides(file) && hides(link))
    #expect(!hides(folder.path("other")))
  }

  @Test func `a reload after the change counts where a reload takes the file over`() {
    #expect(unit("active", started: -5, reloaded: 5).newer(file, reloads: true).isEmpty)
    let found = unit("active", started: -9, reloaded: -5).newer(file, reloads: true)
    #expect(found.map(\.advice) == ["systemctl reload paraphd"])
  }
}
