import SpoolFixtures
import Testing

@testable import Pad

@Suite struct InkMemoryTests {
  @Test func `a runtime directory on a disk is noticed, one in memory is not`() {
    let folders = TemporaryFolder.filesystems.map { TemporaryFolder(on: $0) }
    let found = folders.map { InkMemory(runtimeDirectory: $0.path).isJournalOnDisk }
    // /dev/shm, and /var/tmp where the machine has it on a disk.
    #expect(found.first == false && found.dropFirst().allSatisfy { $0 })
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
