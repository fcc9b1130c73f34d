import Linux
import Testing

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
