import SpoolFixtures
import Testing

@testable import Pad

@Suite struct InkMemoryTests {
  @Test func `a runtime directory on a disk is noticed, one in memory is not`() throws {
    for folder in TemporaryFolder.filesystems.map({ TemporaryFolder(on: $0) }) {
      // Some machines have /var/tmp in memory.
      let type = try Programs.run(path: "/usr/bin/stat", ["-f", "-c", "%T", folder.path]).output
      let isOnDisk = type != "tmpfs\n" && type != "ramfs\n"
      #expect(InkMemory(runtimeDirectory: folder.path).isJournalOnDisk == isOnDisk, "\(type)")
    }
    #expect(!InkMemory(runtimeDirectory: nil).isJournalOnDisk)
  }

  @Test func `ink on a disk and ink that may be swapped have different remedies`() {
    #expect(InkMemory(isJournalOnDisk: false, isSwapped: false).flaw == nil)
    let disk = InkMemory(isJournalOnDisk: true, isSwapped: true).flaw
    #expect(disk == "the runtime directory, which has unsealed ink, is on a disk")
    let swap = InkMemory(isJournalOnDisk: false, isSwapped: true).flaw
    #expect(swap?.contains("MemorySwapMax=0") == true)
  }
}
