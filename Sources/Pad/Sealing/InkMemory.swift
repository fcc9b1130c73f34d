internal import CLinux
internal import Linux

/// Whether unsealed ink stays in memory: the journal's folder is no disk, and nothing is swapped to one.
struct InkMemory: Equatable {
  /// The runtime directory, which has the journal, is on a disk.
  var isJournalOnDisk: Bool
  /// The kernel may swap out what this program has in memory or in the runtime directory.
  var isSwapped: Bool

  /// This program's memory now.
  init(runtimeDirectory: String?) {
    isJournalOnDisk = runtimeDirectory.map { unsafe !CLinux_isInMemory($0) } ?? false
    isSwapped = CLinux_hasSwap() && !Self.isKept
  }

  init(isJournalOnDisk: Bool, isSwapped: Bool) {
    self.isJournalOnDisk = isJournalOnDisk
    self.isSwapped = isSwapped
  }

  /// Why ink may reach a disk; nil: it cannot.
  var flaw: String? {
    if isJournalOnDisk { return "the runtime directory, which has unsealed ink, is on a disk" }
    if isSwapped {
      return
        "unsealed ink may be swapped to a disk: turn off swap, or set MemorySwapMax=0 for the service"
    }
    return nil
  }

  /// Whether the control group of this program swaps nothing (MemorySwapMax=0 of the service).
  private static var isKept: Bool {
    guard let groups = Folder.content(of: "/proc/self/cgroup") else { return false }
    return groups.split(separator: UInt8(ascii: "\n")).contains { line in
      guard line.starts(with: "0::/".utf8) else { return false }
      let path = String(decoding: line.dropFirst(3), as: UTF8.self)
      return Folder.line(of: "/sys/fs/cgroup\(path)/memory.swap.max") == "0"
    }
  }
}
