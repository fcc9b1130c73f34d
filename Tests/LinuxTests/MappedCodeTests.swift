import Testing

@testable import Linux

@Suite struct MappedCodeTests {
  private func range(_ line: String) -> Range<UInt>? { MappedCode.range(in: Array(line.utf8)[...]) }

  /// Resident kibibytes of the code of files.
  private func resident() throws -> Int {
    let bytes = try #require(Folder.content(of: "/proc/self/smaps", limit: 1 << 24))
    var (sum, isCode) = (0, false)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: "Rss:".utf8) {
        let number = line.split(separator: UInt8(ascii: " "))[1]
        if isCode { sum += Int(String(decoding: number, as: UTF8.self)) ?? 0 }
      } else if line.first.map({ !(65...90).contains($0) }) == true {
        isCode = MappedCode.range(in: line) != nil
      }
    }
    return sum
  }

  @Test func `only the code of files is let go`() {
    let code = "7f50a000-7f50c000 r-xp 00026000 fe:00 1234                       /usr/lib/libc.so.6"
    #expect(range(code) == 0x7f50_a000..<0x7f50_c000)
    #expect(range("7f50a000-7f50c000 r--p 00026000 fe:00 1234 /usr/lib/libc.so.6") == nil)
    #expect(range("7f50a000-7f50c000 rwxp 00026000 fe:00 1234 /usr/lib/libc.so.6") == nil)
    #expect(range("7f50a000-7f50c000 r-xp 00000000 00:00 0    [vdso]") == nil)
    #expect(range("7f50a000-7f50c000 r-xp 00000000 00:00 0 ") == nil)
    #expect(range("7f50c000-7f50a000 r-xp 00000000 fe:00 1234 /usr/lib/libc.so.6") == nil)
    #expect(range("what it is not r-xp /") == nil)
  }

  @Test func `code that was let go is not resident, and runs as before`() throws {
    let before = try resident()
    MappedCode.release()
    let after = try resident()
    #expect(after < before)
  }
}
