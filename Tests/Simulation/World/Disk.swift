#if DEBUG
  import CLinux
  import SyntheticHand

  /// A machine's filesystems in memory: what the programs see, and what a power cut leaves of it.
  ///
  /// Names change in order, as in a journaling filesystem: after a power cut, those changes are there that a fsync(2) of
  /// one of their folders has followed, and any first part of the others. A file has the content of its last fsync, that
  /// of now, or a mixture. A fsync that fails loses what it should have written, and the next one succeeds (Linux).
  final class Disk {
    /// The one that system calls of this program use; nil: none does.
    nonisolated(unsafe) static var current: Disk?

    /// A change of names, which is there after a power cut as a whole or not at all.
    struct Change {
      let entries: [(folder: Node, name: String, node: Node?)]
      var isStored = false
    }

    let root: Node
    private var lastNumber: UInt64 = 1
    var opened: [Int32: Opened] = [:]
    var changes: [Change] = []
    /// The number of the process that runs: 0 is the pad, 1 handoff.
    var process = 0
    /// Calls until the process is killed; nil: it is not.
    var callsToKill: Int?
    /// The process is killed: its calls have no effect.
    var isKilled = false
    /// Calls until one fails, and with what; nil: none does.
    var failure: (calls: Int, errno: Int32)?
    /// The number of calls that a full, worn or read-only disk has refused.
    var failures = 0
    /// The spool's size in bytes, the rest of which is free.
    var capacity = 1 << 24
    var used = 0
    var isReadOnly = false
    var now: Int64 = 1_000_000_000
    var wall: Int64 = 1_795_255_200_000_000_000
    var isSynchronized = true
    var boot = 1
    /// For getrandom(2) and for what a power cut leaves.
    var random = SeededRandom(seed: 1)
    /// A record of the calls, for a failure's report.
    var trace: ((String) -> Void)?

    static let firstDescriptor: Int32 = 100_000
    var lastDescriptor = firstDescriptor
    static let spoolDevice: UInt64 = 1
    static let memoryDevice: UInt64 = 2

    init() {
      root = Node(1, isFolder: true, device: 0, mode: 0o755)
      for (name, device) in [("spool", Self.spoolDevice), ("run", Self.memoryDevice)] {
        let node = make(isFolder: true, device: device, mode: 0o2770)
        root.entries[name] = node
        root.storedEntries[name] = node
      }
      for name in ["pad", "handoff"] { add(name, to: root.entries["run"]) }
    }

    func add(_ name: String, to folder: Node?) {
      folder?.entries[name] = make(isFolder: true, device: Self.memoryDevice, mode: 0o700)
    }

    func make(isFolder: Bool, device: UInt64, mode: UInt32) -> Node {
      lastNumber += 1
      let node = Node(lastNumber, isFolder: isFolder, device: device, mode: mode)
      node.modified = wall
      if device == Self.spoolDevice { used += node.size }
      return node
    }

    // MARK: - What happens to the machine

    /// Time passes.
    func pass(_ nanoseconds: Int64) {
      now += nanoseconds
      wall += nanoseconds
    }

    /// The running process is killed now.
    func kill() { isKilled = true }

    /// The process has ended: its descriptors are closed.
    func ended(_ process: Int) {
      for (number, file) in opened where file.process == process { close(number) }
      isKilled = false
      callsToKill = nil
      failure = nil
    }

    /// The machine loses its power.
    func cutPower() {
      ended(0)
      ended(1)
      let kept = changes.isEmpty ? 0 : Int.random(in: 0...changes.count, using: &random)
      for (index, change) in changes.enumerated() where change.isStored || index < kept {
        store(change)
      }
      changes = []
      if let memory = root.entries["run"] {
        memory.entries = [:]
        for name in ["pad", "handoff"] { add(name, to: memory) }
      }
      used = 0
      var seen: Set<UInt64> = []
      if let spool = root.entries["spool"] { restore(spool, &seen) }
      boot += 1
      now = 1_000_000_000
    }

    func restore(_ node: Node, _ seen: inout Set<UInt64>) {
      seen.insert(node.number)
      node.holders = []
      node.links = 1
      node.isLost = false
      if node.isFolder {
        // A folder that was moved is in one place.
        node.entries = node.storedEntries.filter { !seen.contains($0.value.number) }
        for name in node.entries.keys.sorted() {
          if let entry = node.entries[name] { restore(entry, &seen) }
        }
      } else {
        if node.content != node.stored {
          switch Int.random(in: 0..<4, using: &random) {
          case 0: break
          case 1: node.content = node.stored
          case 2:
            node.content.removeLast(
              node.content.isEmpty ? 0 : .random(in: 0...node.content.count, using: &random))
          default:
            // Its length is there, and not all of its blocks.
            let start = Int.random(in: 0...node.content.count, using: &random)
            for index in start..<node.content.count { node.content[index] = 0 }
          }
          node.stored = node.content
        }
      }
      used += node.size
    }

    /// The kernel writes everything in the background.
    func writeBack() {
      for change in changes { store(change) }
      changes = []
      func write(_ node: Node) {
        if !node.isLost { node.stored = node.content }
        for entry in node.entries.values { write(entry) }
      }
      if let spool = root.entries["spool"] { write(spool) }
    }

    func store(_ change: Change) {
      for entry in change.entries { entry.folder.storedEntries[entry.name] = entry.node }
    }

    func rename(_ entries: [(folder: Node, name: String, node: Node?)]) {
      for entry in entries {
        let before = entry.folder.size
        entry.folder.entries[entry.name] = entry.node
        entry.folder.modified = wall
        if entry.folder.device == Self.spoolDevice { used += entry.folder.size - before }
      }
      if entries.contains(where: { $0.folder.device == Self.spoolDevice }) {
        changes.append(Change(entries: entries))
        if changes.count > 400 { writeBack() }
      }
    }

    func stored(_ folder: Node) {
      for index in changes.indices
      where changes[index].entries.contains(where: { $0.folder === folder }) {
        changes[index].isStored = true
      }
      var done = 0
      while done < changes.count, changes[done].isStored {
        store(changes[done])
        done += 1
      }
      changes.removeFirst(done)
    }

    func drop(_ node: Node) {
      guard node.links > 0 else { return }
      node.links -= 1
      if node.links == 0, !opened.values.contains(where: { $0.node === node }) { free(node) }
    }

    func free(_ node: Node) { if node.device == Self.spoolDevice { used -= node.size } }

    func hasRoom(_ bytes: Int, _ node: Node) -> Bool {
      node.device != Self.spoolDevice || bytes <= 0 || used + bytes <= capacity
    }
  }
#endif
