import CLinux
import Configuration
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

@Suite struct DirectorySinkTests {
  let folder = TemporaryFolder()

  func item(padding: Int = 0) throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png(padding: padding))
    let id = try draft.publish(Fixtures.description).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  @Test(arguments: TemporaryFolder.filesystems)
  func `an item arrives whole, and a repetition changes nothing`(filesystem: String) throws {
    let outbox = TemporaryFolder(on: filesystem)
    let sink = DirectorySink(configuration: .init(path: outbox.path))
    let item = try item()
    #expect(sink.deliver(item) == .delivered)
    let there = try Item(item.manifest.id, in: Folder(outbox.path))
    #expect(there.manifest == item.manifest)
    #expect(there.files.map { $0.bytes } == item.files.map { $0.bytes })
    let inode = try Folder(outbox.path).status(of: item.manifest.id.text).inode
    try Fixtures.write("\(outbox.path)/\(item.manifest.id.text)/seen", [])
    #expect(sink.deliver(item) == .delivered)
    #expect(try Folder(outbox.path).status(of: item.manifest.id.text).inode == inode)
    #expect(try Folder(outbox.path).names() == [item.manifest.id.text])
  }

  @Test func `different content under the same id is never overwritten`() throws {
    let outbox = TemporaryFolder()
    let sink = DirectorySink(configuration: .init(path: outbox.path))
    let item = try item()
    #expect(sink.deliver(item) == .delivered)
    let place = "\(outbox.path)/\(item.manifest.id.text)"
    try Fixtures.write(place + "/signature.png", [1, 2, 3])
    #expect(sink.deliver(item) == .permanentFailure("\(place) exists with other content"))
    #expect(try Fixtures.read(place + "/signature.png") == [1, 2, 3])
  }

  @Test func `a file or a link in the way is never replaced`() throws {
    let outbox = TemporaryFolder()
    let sink = DirectorySink(configuration: .init(path: outbox.path))
    let item = try item()
    let place = "\(outbox.path)/\(item.manifest.id.text)"
    symlink("/tmp", place)
    #expect(sink.deliver(item) == .permanentFailure("\(place) exists and is not a folder"))
  }

  @Test func `an item that a crash left incomplete is written anew`() throws {
    let outbox = TemporaryFolder()
    let item = try item()
    let part = "\(outbox.path)/.\(item.manifest.id.text).part"
    mkdir(part, 0o700)
    try Fixtures.write(part + "/signature.png", [1])
    #expect(DirectorySink(configuration: .init(path: outbox.path)).deliver(item) == .delivered)
    #expect(try Folder(outbox.path).names() == [item.manifest.id.text])
  }

  @Test(arguments: ["", ".0123456789abcdef"])
  func `what a crash left of another item is removed after a day`(middle: String) throws {
    let outbox = TemporaryFolder()
    let (erased, item) = (try item(), try item())
    let part = "\(outbox.path)/.\(erased.manifest.id.text)\(middle).part"
    mkdir(part, 0o700)
    let past = timespec(tv_sec: time(nil) - 90_000, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, part, [past, past], 0) == 0)
    #expect(DirectorySink(configuration: .init(path: outbox.path)).deliver(item) == .delivered)
    #expect(try Folder(outbox.path).names() == [item.manifest.id.text])
  }

  @Test func `what a crash left of an item is removed with that item, whichever is first`() throws {
    let outbox = TemporaryFolder()
    let (first, left) = (try item(), try item())
    let part = ".\(left.manifest.id.text).0123456789abcdef.part"
    mkdir("\(outbox.path)/\(part)", 0o700)
    let sink = DirectorySink(configuration: .init(path: outbox.path))
    #expect(sink.deliver(first) == .delivered)
    #expect(try Folder(outbox.path).contains(part))
    #expect(sink.deliver(left) == .delivered)
    #expect(try !Folder(outbox.path).contains(part))
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `a copy that does not fit leaves nothing, and the place to the next one`() throws {
    let disk = try Disk(tmpfs: "128k")
    let sink = DirectorySink(configuration: .init(path: disk.path))
    let answer = sink.deliver(try item(padding: 200 << 10))
    guard case .temporaryFailure(let reason, _, let kind) = answer else { throw Errno(EINVAL) }
    #expect(kind == .full)
    #expect(reason.hasSuffix("signature.png: No space left on device"))
    #expect(try Folder(disk.path).names().isEmpty)
    let small = try item(padding: 64 << 10)
    #expect(sink.deliver(small) == .delivered)
    #expect(try Folder(disk.path).names() == [small.manifest.id.text])
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `a copy that cannot get its name leaves nothing`() throws {
    let outbox = TemporaryFolder()
    _ = try item()
    let text =
      "[spool]\npath = \(folder.path)/spool\n[sink a]\ntype = directory\npath = \(outbox.path)\n"
    try Fixtures.write(folder.path + "/conf", Array(text.utf8))
    let result = try Programs.run(
      path: SystemCalls.tracer,
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:error=EIO",
        Programs.path("paraph-handoff"), "-c", folder.path + "/conf", "--once",
      ])
    #expect(result.end == .exit(EX_TEMPFAIL) && result.error.contains("Input/output error"))
    #expect(try Folder(outbox.path).names().isEmpty)
  }

  @Test func `a missing folder is retried later`() throws {
    let sink = DirectorySink(configuration: .init(path: folder.path + "/none"))
    #expect(
      sink.deliver(try item())
        == .temporaryFailure("open \(folder.path)/none: No such file or directory"))
  }

  @Test func `an item that is taken away meanwhile counts as delivered`() throws {
    let outbox = TemporaryFolder()
    let sink = DirectorySink(configuration: .init(path: outbox.path))
    let item = try item()
    let (there, taken) = ("\(outbox.path)/\(item.manifest.id.text)", "\(folder.path)/taken")
    let isDone = folder.path + "/done"
    mkdir(taken, 0o700)
    let consumer = try Thread(name: "consumer") {
      var count = 0
      while !Fixtures.exists(isDone) {
        if rename(there, "\(taken)/\(count)") == 0 { count += 1 }
      }
    }
    #expect(sink.deliver(item) == .delivered)
    // The consumer runs.
    #expect(eventually { Fixtures.exists("\(taken)/0") })
    var refusals: Set<String> = []
    for _ in 0..<Soak.rounds(1000, full: 20_000) {
      switch sink.deliver(item) {
      case .permanentFailure(let reason), .temporaryFailure(let reason, _, _):
        refusals.insert(reason)
      default: break
      }
    }
    mkdir(isDone, 0o700)
    consumer.join()
    #expect(refusals.isEmpty)
  }
}
