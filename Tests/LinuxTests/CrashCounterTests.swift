import CLinux
import Linux
import SpoolFixtures
import Testing

@Suite struct CrashCounterTests {
  /// A folder of its own for each test.
  final class Place {
    private let folder = TemporaryFolder()
    var path: String { folder.path }

    func counter(boot: String = "this-boot") -> CrashCounter {
      CrashCounter(in: path, "starts", boot: boot)
    }

    /// A process that ends in the middle of the work.
    func crash(_ times: Int = 1, boot: String = "this-boot") {
      for _ in 0..<times {
        var counter = counter(boot: boot)
        counter.begin()
      }
    }
  }

  let place = Place()

  @Test func `the third crash exhausts the work, not the second`() {
    place.crash(2)
    #expect(place.counter().count == 2)
    #expect(!place.counter().isExhausted)
    place.crash()
    #expect(place.counter().isExhausted)
  }

  @Test func `an attempt that ended by itself clears all crashes before it`() {
    place.crash(2)
    var counter = place.counter()
    counter.begin()
    counter.clear()
    #expect(counter.count == 0)
    #expect(place.counter().count == 0)
  }

  @Test func `crashes of another boot count for nothing`() {
    place.crash(3)
    #expect(place.counter(boot: "next-boot").count == 0)
    place.crash(1, boot: "next-boot")
    #expect(place.counter(boot: "next-boot").count == 1)
    #expect(place.counter().count == 0)
  }

  @Test func `each kind of work has its own count`() {
    place.crash(3)
    #expect(CrashCounter(in: place.path, "other", boot: "this-boot").count == 0)
  }

  @Test func `the kernel names this boot`() {
    #expect(CrashCounter.currentBoot.utf8.count == 36)
  }

  @Test(arguments: ["", "x", String(repeating: "9", count: 40), "this-boot 3\n"])
  func `a foreign record counts as none and is replaced`(text: String) throws {
    let file = try FileDescriptor(opening: place.path + "/starts", O_WRONLY | O_CREAT, mode: 0o600)
    try file.writeAll(text)
    #expect(place.counter().count == 0)
    place.crash()
    #expect(place.counter().count == 1)
  }

  @Test func `neither a folder, a FIFO nor a link in the record's place stops the work`() throws {
    let folder = try Folder(place.path)
    _ = try folder.makeFolder("starts", mode: 0o700)
    place.crash(3)
    #expect(place.counter().count == 0)
    try folder.removeTree("starts")
    #expect(mkfifo(place.path + "/starts", 0o600) == 0)
    place.crash(3)
    #expect(place.counter().count == 0)
    try folder.remove("starts")
    let target = place.path + "/elsewhere"
    #expect(symlink(target, place.path + "/starts") == 0)
    place.crash(3)
    #expect(place.counter().count == 0)
    #expect(try !folder.contains("elsewhere"))
  }

  @Test(arguments: ["/nowhere/at/all", "/proc"])
  func `a folder that cannot be written never stops the work`(path: String) {
    var counter = CrashCounter(in: path, "starts")
    counter.begin()
    #expect(counter.count == 1)
    counter.clear()
    #expect(CrashCounter(in: path, "starts").count == 0)
  }

  @Test func `a record that exists is rewritten in place, without a new block`() throws {
    place.crash()
    let before = try FileStatus(of: place.path + "/starts")
    place.crash()
    let after = try FileStatus(of: place.path + "/starts")
    #expect(after.inode == before.inode && after.size == before.size)
    #expect(place.counter().count == 2)
  }
}

@Suite struct CrashRecordTests {
  let boot = "8f4a7d1c-0b52-4f7e-9d0a-6c1e2f3a4b5d"

  private func record(_ count: Int, boot: String) -> CrashRecord {
    var record = CrashRecord(boot: boot)
    for _ in 0..<count { record.add() }
    return record
  }

  @Test(arguments: 0...9) func `a record reads back what was written`(count: Int) {
    let written = record(count, boot: boot)
    #expect(written.count == count)
    #expect(CrashRecord(written.bytes, boot: boot) == written)
  }

  @Test func `a count stops at nine, which one digit can hold`() {
    #expect(record(12, boot: boot).count == 9)
  }

  @Test func `all records have one size, whatever names the boot`() {
    for boot in ["", "x", boot, boot + boot, "é \n🇩🇪"] {
      let written = record(2, boot: boot)
      #expect(written.bytes.count == record(9, boot: self.boot).bytes.count)
      #expect(CrashRecord(written.bytes, boot: boot).count == 2)
    }
  }

  @Test func `another boot counts from zero`() {
    let written = record(3, boot: boot)
    #expect(CrashRecord(written.bytes, boot: "another").count == 0)
  }

  @Test func `a damaged record counts as none`() {
    let bytes = record(3, boot: boot).bytes
    for length in 0..<bytes.count {
      #expect(CrashRecord(Array(bytes.prefix(length)), boot: boot).count == 0)
    }
    #expect(CrashRecord(bytes + [10], boot: boot).count == 0)
    for index in bytes.indices {
      for value: UInt8 in [0, 0x20, 0x2f, 0x3a, 0x7f, 0xff] where bytes[index] != value {
        var damaged = bytes
        damaged[index] = value
        #expect(CrashRecord(damaged, boot: boot).count == 0)
      }
    }
  }
}
