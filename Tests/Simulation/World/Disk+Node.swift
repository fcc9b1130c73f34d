#if DEBUG
  /// What a disk has, and who uses it.
  extension Disk {
    /// A file or a folder.
    final class Node {
      let number: UInt64
      let isFolder: Bool
      let device: UInt64
      var mode: UInt32
      var links = 1
      var content: [UInt8] = []
      /// What is on the disk.
      var stored: [UInt8] = []
      /// A fsync has failed: what it should have written stays unwritten.
      var isLost = false
      var entries: [String: Node] = [:]
      var storedEntries: [String: Node] = [:]
      var modified: Int64 = 0
      /// The open files that hold its lock.
      var holders: [Int32] = []
      /// They share it.
      var isShared = false

      init(_ number: UInt64, isFolder: Bool, device: UInt64, mode: UInt32) {
        self.number = number
        self.isFolder = isFolder
        self.device = device
        self.mode = mode
      }

      /// The room that it takes, in bytes.
      var size: Int {
        isFolder ? 512 + (entries.count / 64) * 4096 : 256 + (content.count + 511) / 512 * 512
      }
    }

    /// An open file.
    struct Opened {
      let node: Node
      let process: Int
      var position = 0
      let appends: Bool
    }
  }
#endif
