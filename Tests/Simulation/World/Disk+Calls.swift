#if DEBUG
  import CLinux
  import SyntheticHand

  /// What the kernel answers to calls.
  extension Disk {
    /// An error of a call.
    struct Refused: Error {
      let errno: Int32

      init(errno: Int32) {
        self.errno = errno
        if [EIO, ENOSPC, EROFS, EDQUOT].contains(errno) { Disk.current?.failures += 1 }
      }
    }

    /// Begins a call that changes something.
    func begin(_ name: String, _ subject: @autoclosure () -> String) throws {
      try check()
      trace?("  \(name) \(subject())")
      if let calls = callsToKill {
        callsToKill = calls - 1
        if calls <= 0 {
          isKilled = true
          throw Refused(errno: EIO)
        }
      }
      if let (calls, error) = failure {
        failure = calls > 0 ? (calls - 1, error) : nil
        if calls <= 0 {
          trace?("    fails: \(error)")
          throw Refused(errno: error)
        }
      }
    }

    func check() throws { if isKilled { throw Refused(errno: EIO) } }

    func file(_ number: Int32) throws -> Opened {
      try check()
      guard let file = opened[number] else { throw Refused(errno: EBADF) }
      return file
    }

    func find(_ path: String, from folder: Int32) throws -> (
      folder: Node, name: String, node: Node?
    ) {
      try check()
      var node = path.utf8.first == UInt8(ascii: "/") ? root : try file(folder).node
      let parts = path.split(separator: "/")
      if parts.isEmpty || parts == ["."] { return (node, ".", node) }
      for part in parts.dropLast() {
        guard let next = node.entries[String(part)] else { throw Refused(errno: ENOENT) }
        guard next.isFolder else { throw Refused(errno: ENOTDIR) }
        node = next
      }
      guard node.isFolder else { throw Refused(errno: ENOTDIR) }
      let name = String(parts[parts.count - 1])
      return (node, name, node.entries[name])
    }

    func open(_ path: String, in folder: Int32, _ flags: Int32, _ mode: UInt32) throws -> Int32 {
      var (parent, name, node) = try find(path, from: folder)
      if node == nil, flags & O_CREAT != 0 {
        try begin("create", path)
        if parent.links == 0 { throw Refused(errno: ENOENT) }
        try checkWritable(parent)
        // A name needs no block of its own, but an inode's.
        guard hasRoom(256, parent) else { throw Refused(errno: ENOSPC) }
        let made = make(isFolder: false, device: parent.device, mode: mode)
        rename([(parent, name, made)])
        node = made
      } else if node != nil, flags & O_EXCL != 0, flags & O_CREAT != 0 {
        throw Refused(errno: EEXIST)
      }
      guard let node else { throw Refused(errno: ENOENT) }
      if flags & O_DIRECTORY != 0, !node.isFolder { throw Refused(errno: ENOTDIR) }
      if node.isFolder, flags & O_ACCMODE != O_RDONLY { throw Refused(errno: EISDIR) }
      if flags & O_TRUNC != 0 { try resize(node, to: 0) }
      lastDescriptor += 1
      opened[lastDescriptor] = Opened(node: node, process: process, appends: flags & O_APPEND != 0)
      return lastDescriptor
    }

    /// Opens the identity of this boot.
    func openBoot() -> Int32 {
      let file = Node(0, isFolder: false, device: 0, mode: 0o444)
      file.content = Array("00000000-0000-0000-0000-\(100_000_000_000 + boot)\n".utf8)
      lastDescriptor += 1
      opened[lastDescriptor] = Opened(node: file, process: process, appends: false)
      return lastDescriptor
    }

    func close(_ number: Int32) {
      guard let file = opened.removeValue(forKey: number) else { return }
      file.node.holders.removeAll { $0 == number }
      if file.node.links == 0, !opened.values.contains(where: { $0.node === file.node }) {
        free(file.node)
      }
    }

    func checkWritable(_ node: Node) throws {
      if isReadOnly && node.device == Self.spoolDevice { throw Refused(errno: EROFS) }
    }

    func resize(_ node: Node, to count: Int) throws {
      let before = node.size
      if count < node.content.count { node.content.removeLast(node.content.count - count) }
      if node.device == Self.spoolDevice { used += node.size - before }
      node.modified = wall
    }

    func read(_ number: Int32, _ count: Int) throws -> ArraySlice<UInt8> {
      let file = try file(number)
      guard !file.node.isFolder else { throw Refused(errno: EISDIR) }
      let part = file.node.content.dropFirst(file.position).prefix(count)
      opened[number]?.position += part.count
      return part
    }

    func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer) throws -> Int {
      let file = try file(number)
      do {
        try begin("write", "\(bytes.count)")
      } catch {
        // A process that is killed may have written a part.
        if isKilled, Bool.random(using: &random), !bytes.isEmpty {
          put(bytes.prefix(.random(in: 0..<bytes.count, using: &random)), file)
        }
        throw error
      }
      try checkWritable(file.node)
      let start = file.appends ? file.node.content.count : file.position
      let growth =
        (max(start + bytes.count, file.node.content.count) + 511) / 512 * 512
        - (file.node.content.count + 511) / 512 * 512
      guard hasRoom(growth, file.node) else {
        // What fits is written.
        let room = max(0, (capacity - used) / 512 * 512)
        let slack = (file.node.content.count + 511) / 512 * 512 - start
        let count = min(bytes.count, slack + room)
        if count <= 0 { throw Refused(errno: ENOSPC) }
        let part = bytes.prefix(count)
        put(part, file)
        opened[number]?.position += count
        return count
      }
      put(bytes[...], file)
      opened[number]?.position += bytes.count
      return bytes.count
    }

    func put(_ bytes: Slice<UnsafeRawBufferPointer>, _ file: Opened) {
      let node = file.node
      let before = node.size
      let start = file.appends ? node.content.count : file.position
      let end = min(start + bytes.count, node.content.count)
      if start > node.content.count {
        node.content += [UInt8](repeating: 0, count: start - node.content.count)
      }
      node.content.replaceSubrange(start..<max(start, end), with: bytes)
      node.modified = wall
      node.isLost = false
      if node.device == Self.spoolDevice { used += node.size - before }
    }

    func sync(_ number: Int32) throws {
      let node = try file(number).node
      do { try begin("fsync", "\(node.isFolder ? "folder" : "file")") } catch {
        if !isKilled { node.isLost = true }
        throw error
      }
      if node.isFolder { stored(node) } else if !node.isLost { node.stored = node.content }
    }

    func truncate(_ number: Int32, _ count: Int) throws {
      let node = try file(number).node
      try begin("ftruncate", "\(count)")
      try checkWritable(node)
      try resize(node, to: count)
    }

    func makeFolder(_ path: String, in folder: Int32, _ mode: UInt32) throws {
      let (parent, name, node) = try find(path, from: folder)
      if node != nil { throw Refused(errno: EEXIST) }
      try begin("mkdir", path)
      if parent.links == 0 { throw Refused(errno: ENOENT) }
      try checkWritable(parent)
      guard hasRoom(512, parent) else { throw Refused(errno: ENOSPC) }
      rename([
        (
          parent, name,
          make(isFolder: true, device: parent.device, mode: mode | (parent.mode & 0o2000))
        )
      ])
    }

    func remove(_ path: String, in folder: Int32, isFolder: Bool) throws {
      let (parent, name, found) = try find(path, from: folder)
      guard let node = found else { throw Refused(errno: ENOENT) }
      if node.isFolder != isFolder { throw Refused(errno: isFolder ? ENOTDIR : EISDIR) }
      if isFolder, !node.entries.isEmpty { throw Refused(errno: ENOTEMPTY) }
      try begin("unlink", path)
      try checkWritable(parent)
      rename([(parent, name, nil)])
      drop(node)
    }

    func rename(
      _ path: String, in folder: Int32, to other: String, in otherFolder: Int32, replaces: Bool
    ) throws {
      let (parent, name, found) = try find(path, from: folder)
      let (target, newName, old) = try find(other, from: otherFolder)
      guard let node = found else { throw Refused(errno: ENOENT) }
      if old != nil && !replaces { throw Refused(errno: EEXIST) }
      if parent.device != target.device { throw Refused(errno: EXDEV) }
      if let old, old.isFolder, !node.isFolder { throw Refused(errno: EISDIR) }
      if let old, old.isFolder, !old.entries.isEmpty { throw Refused(errno: ENOTEMPTY) }
      try begin("rename", "\(path) \(other)")
      try checkWritable(parent)
      rename([(parent, name, nil), (target, newName, node)])
      if let old { drop(old) }
    }

    func status(_ path: String, in folder: Int32) throws -> Node {
      guard let node = try find(path, from: folder).node else { throw Refused(errno: ENOENT) }
      return node
    }

    func lock(_ number: Int32, _ operation: Int32) throws {
      let node = try file(number).node
      if operation & LOCK_UN != 0 {
        node.holders.removeAll { $0 == number }
        return
      }
      let others = node.holders.filter { $0 != number }
      let isShared = operation & LOCK_SH != 0
      if !others.isEmpty, !(isShared && node.isShared) {
        // Nobody else runs meanwhile: a call that waits would wait for ever.
        throw Refused(errno: operation & LOCK_NB != 0 ? EWOULDBLOCK : EDEADLK)
      }
      node.holders = others + [number]
      node.isShared = isShared
    }

    /// The free room of the spool in bytes.
    var free: Int { max(0, capacity - used) }

    /// The node at a path, for the world.
    func node(_ path: String) -> Node? {
      path.split(separator: "/").reduce(Optional(root)) { $0?.entries[String($1)] }
    }
  }
#endif
