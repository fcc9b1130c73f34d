import Control
import Foundation
import Testing

/// Output files and standard output of the built tool.
@Suite struct OutputTests {
  private let folder: Folder
  private let conf: String
  private let manager = FileManager.default

  init() throws {
    folder = try Folder()
    conf = try folder.file("conf", Folder.smallPanel)
  }

  private func preview(to path: String) throws -> Tool.Result {
    try Tool.run("preview", "-c", conf, "-o", path)
  }

  private func isPNG(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) }

  private func mode(_ name: String) throws -> Int? {
    try manager.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
  }

  @Test func `a file is replaced as a whole, and keeps its mode`() throws {
    let path = try folder.file("out.png", "old")
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try preview(to: path).status == 0)
    #expect(isPNG(try folder.bytes("out.png")))
    #expect(try mode("out.png") == 0o600)
    #expect(try Set(folder.names()) == ["conf", "out.png"])
  }

  @Test func `a link is followed, also one to nothing`() throws {
    _ = try folder.file("out.png", "old")
    for target in ["out.png", "new.png"] {
      let link = folder.path("link to " + target)
      try manager.createSymbolicLink(atPath: link, withDestinationPath: target)
      #expect(try preview(to: link).status == 0)
      #expect(try manager.destinationOfSymbolicLink(atPath: link) == target)
      #expect(isPNG(try folder.bytes(target)))
    }
  }

  @Test func `a link to nothing passes the check before a signature is asked for`() throws {
    let link = folder.path("link.png")
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "none.png")
    let result = try Tool.run("sign", "--socket", folder.path("none"), "-o", link)
    #expect(result.isMistake(69), "\(result)")
    #expect(try Set(folder.names()) == ["conf", "link.png"])
  }

  @Test func `what standard output has, and what follows, stays beside a picture`() throws {
    let log = try folder.file("log", "precious\n")
    let line = "(echo before; \"$0\" preview -c '\(conf)' -o /dev/stdout; echo after) >>'\(log)'"
    #expect(try Tool.shell(line).status == 0)
    let bytes = try folder.bytes("log")
    #expect(bytes.starts(with: Array("precious\nbefore\n".utf8)))
    #expect(isPNG(Array(bytes.dropFirst(16))) && bytes.suffix(6) == Array("after\n".utf8)[...])
  }

  @Test func `a device is written, and stays a device`() throws {
    #expect(try preview(to: "/dev/full").isMistake(74))
    #expect(try preview(to: "/dev/null").status == 0)
    for path in ["/dev/null", "/dev/full"] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFCHR))
    }
  }

  @Test func `a FIFO is written, and stays a FIFO`() throws {
    let path = folder.path("fifo")
    try #require(mkfifo(path, 0o600) == 0)
    let result = try Tool.shell("cat '\(path)' & \"$0\" preview -c '\(conf)' -o '\(path)'; wait")
    #expect(result.status == 0 && result.output.contains("PNG"))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFIFO))
  }

  @Test func `a folder, and what is below a file, cannot be written`() throws {
    #expect(try preview(to: folder.path("")).isMistake(73))
    #expect(try preview(to: conf + "/out.png").isMistake(73))
    #expect(try preview(to: folder.path("none/out.png")).isMistake(73))
    #expect(try folder.names() == ["conf"])
  }

  @Test(arguments: [">&-", ">/dev/full"])
  func `help that cannot be written is an error of every program`(_ output: String) throws {
    for name in ["paraph", "paraphd", "paraph-handoff", "paraph-seal", "paraph-web"] {
      for option in ["--help", "--version"] {
        let result = try Tool.shell("\"$(dirname \"$0\")/\(name)\" \(option) \(output)")
        #expect(result.status == 74 && !result.error.isEmpty, "\(name) \(option): \(result)")
      }
    }
  }

  /// The connection to the pad would take the number of standard output, and the pad receive what is printed.
  @Test func `with a closed standard output or error the pad receives nothing but calls`() throws {
    for closed in [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
      let pad = try ScriptedPad { asked in
        if case .open(let request) = asked {
          [.messageGone(request.number, acknowledged: true)]
        } else {
          []
        }
      }
      let result = try Tool.shell("\"$0\" status --json --socket '\(pad.socket)' \(closed)")
      #expect(result.status == (closed.contains(">&- ") || closed == ">&-" ? 74 : 0), "\(closed)")
      let show = try Tool.shell("\"$0\" show --socket '\(pad.socket)' x \(closed)")
      #expect(show.status == 0, "\(closed): \(show)")
    }
  }

  @Test func `an argument that is not UTF-8 is refused, and no file is written`() throws {
    let path = folder.path("caf")
    let result = try Tool.shell(
      "\"$0\" preview -c '\(conf)' -o \"$(printf '%s\\351.png' '\(path)')\"")
    #expect(result.isMistake(64))
    #expect(try folder.names() == ["conf"])
  }
}
