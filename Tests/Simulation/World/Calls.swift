#if DEBUG
  import CLinux
  import Glibc
  import SyntheticHand

  /// The system calls of the programs' modules: the linker redirects them (--wrap), and so the modules themselves are
  /// those of the product.
  private func real<Function>(_ name: String, as type: Function.Type) -> Function {
    unsafeBitCast(dlsym(nil, name), to: type)
  }

  private let realWrite = real(
    "write", as: (@convention(c) (Int32, UnsafeRawPointer?, Int) -> Int).self)
  private let realRead = real(
    "read", as: (@convention(c) (Int32, UnsafeMutableRawPointer?, Int) -> Int).self)
  private let realClose = real("close", as: (@convention(c) (Int32) -> Int32).self)
  private let realPoll = real(
    "poll", as: (@convention(c) (UnsafeMutablePointer<pollfd>?, nfds_t, Int32) -> Int32).self)
  private let realOpen = real(
    "open", as: (@convention(c) (UnsafePointer<CChar>, Int32, UInt32) -> Int32).self)
  private let realClock = real(
    "clock_gettime", as: (@convention(c) (Int32, UnsafeMutablePointer<timespec>) -> Int32).self)
  private let realRandom = real(
    "getrandom", as: (@convention(c) (UnsafeMutableRawPointer?, Int, UInt32) -> Int).self)

  private func answer(_ body: (Disk) throws -> Int) -> Int {
    guard let disk = Disk.current else { preconditionFailure("no disk is simulated") }
    do { return try body(disk) } catch {
      Glibc.errno = (error as? Disk.Refused)?.errno ?? EIO
      return -1
    }
  }

  private func isSimulated(_ number: Int32) -> Bool { number > Disk.firstDescriptor }

  @_cdecl("__wrap_openat") func wrappedOpenAt(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    Int32(answer { Int(try $0.open(String(cString: path), in: folder, flags, mode)) })
  }

  @_cdecl("__wrap_open") func wrappedOpen(
    _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    if Disk.current == nil { return realOpen(path, flags, mode) }
    let name = String(cString: path)
    return Int32(
      answer { disk in
        if name == "/proc/sys/kernel/random/boot_id" { return Int(disk.openBoot()) }
        return Int(try disk.open(name, in: -1, flags, mode))
      })
  }

  /// The state of calls that have nothing to do with files.
  enum Calls {
    static let noticesDescriptor = Disk.firstDescriptor - 2
    /// Of all mailboxes: nobody waits for them.
    static let eventDescriptor = Disk.firstDescriptor - 3
    nonisolated(unsafe) static var streams: [UnsafeMutableRawPointer: Stream] = [:]

    /// An open folder that is listed.
    struct Stream {
      let descriptor: Int32
      var names: [String]
      let entry: UnsafeMutablePointer<dirent>
    }
  }

  @_cdecl("__wrap_close") func wrappedClose(_ number: Int32) -> Int32 {
    if number > Calls.eventDescriptor - 1, number <= Disk.firstDescriptor { return 0 }
    guard isSimulated(number) else { return realClose(number) }
    Disk.current?.close(number)
    return 0
  }

  @_cdecl("__wrap_read") func wrappedRead(
    _ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int {
    if number == Calls.noticesDescriptor || number == Calls.eventDescriptor {
      Glibc.errno = EAGAIN
      return -1
    }
    guard isSimulated(number) else { return realRead(number, bytes, count) }
    return answer { disk in
      let part = try disk.read(number, count)
      part.withUnsafeBytes { from in
        if let start = from.baseAddress { bytes?.copyMemory(from: start, byteCount: from.count) }
      }
      return part.count
    }
  }

  @_cdecl("__wrap_write") func wrappedWrite(
    _ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    // The programs' logs.
    if number == 2, Disk.current != nil { return count }
    if number == Calls.eventDescriptor { return count }
    guard isSimulated(number) else { return realWrite(number, bytes, count) }
    return answer { try $0.write(number, UnsafeRawBufferPointer(start: bytes, count: count)) }
  }

  @_cdecl("__wrap_fsync") func wrappedSync(_ number: Int32) -> Int32 {
    Int32(
      answer { disk in
        try disk.sync(number)
        return 0
      })
  }

  @_cdecl("__wrap_ftruncate") func wrappedTruncate(_ number: Int32, _ size: Int) -> Int32 {
    Int32(
      answer { disk in
        try disk.truncate(number, size)
        return 0
      })
  }

  private func fill(_ status: UnsafeMutablePointer<stat>, _ node: Disk.Node) {
    status.pointee = stat()
    status.pointee.st_dev = dev_t(node.device)
    status.pointee.st_ino = ino_t(node.number)
    status.pointee.st_mode = mode_t(node.isFolder ? 0o040000 : 0o100000) | node.mode
    status.pointee.st_nlink = nlink_t(node.links)
    status.pointee.st_size = node.content.count
    status.pointee.st_mtim = timespec(
      tv_sec: Int(node.modified / 1_000_000_000), tv_nsec: Int(node.modified % 1_000_000_000))
  }

  @_cdecl("__wrap_fstat") func wrappedStatus(
    _ number: Int32, _ status: UnsafeMutablePointer<stat>
  ) -> Int32 {
    Int32(
      answer { disk in
        fill(status, try disk.file(number).node)
        return 0
      })
  }

  @_cdecl("__wrap_fstatat") func wrappedStatusAt(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ status: UnsafeMutablePointer<stat>,
    _ flags: Int32
  ) -> Int32 {
    Int32(
      answer { disk in
        fill(status, try disk.status(String(cString: path), in: folder))
        return 0
      })
  }

  @_cdecl("__wrap_fstatvfs") func wrappedSpace(
    _ number: Int32, _ space: UnsafeMutablePointer<statvfs>
  ) -> Int32 {
    Int32(
      answer { disk in
        _ = try disk.file(number)
        space.pointee = statvfs()
        space.pointee.f_frsize = 512
        space.pointee.f_bsize = 512
        space.pointee.f_bavail = UInt(disk.free / 512)
        space.pointee.f_files = 1 << 20
        space.pointee.f_favail = 1 << 19
        if disk.isReadOnly { space.pointee.f_flag = UInt(ST_RDONLY) }
        return 0
      })
  }

  @_cdecl("__wrap_mkdir") func wrappedMakeFolder(_ path: UnsafePointer<CChar>, _ mode: UInt32)
    -> Int32
  {
    Int32(
      answer { disk in
        try disk.makeFolder(String(cString: path), in: -1, mode)
        return 0
      })
  }

  @_cdecl("__wrap_mkdirat") func wrappedMakeFolderAt(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ mode: UInt32
  ) -> Int32 {
    Int32(
      answer { disk in
        try disk.makeFolder(String(cString: path), in: folder, mode)
        return 0
      })
  }

  @_cdecl("__wrap_unlinkat") func wrappedUnlink(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32
  ) -> Int32 {
    Int32(
      answer { disk in
        try disk.remove(String(cString: path), in: folder, isFolder: flags & AT_REMOVEDIR != 0)
        return 0
      })
  }

  @_cdecl("__wrap_renameat") func wrappedRename(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ target: Int32, _ name: UnsafePointer<CChar>
  ) -> Int32 {
    Int32(
      answer { disk in
        try disk.rename(
          String(cString: path), in: folder, to: String(cString: name), in: target, replaces: true)
        return 0
      })
  }

  /// renameat2(2) without replacing; nothing else is called by its number.
  @_cdecl("__wrap_syscall") func wrappedCall(
    _ number: Int, _ folder: Int, _ path: UnsafePointer<CChar>?, _ target: Int,
    _ name: UnsafePointer<CChar>?, _ flags: UInt
  ) -> Int {
    answer { disk in
      guard number == 316, let path, let name else { throw Disk.Refused(errno: ENOSYS) }
      try disk.rename(
        String(cString: path), in: Int32(truncatingIfNeeded: folder), to: String(cString: name),
        in: Int32(truncatingIfNeeded: target), replaces: false)
      return 0
    }
  }

  @_cdecl("__wrap_faccessat") func wrappedAccess(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ mode: Int32, _ flags: Int32
  ) -> Int32 {
    Int32(
      answer { disk in
        _ = try disk.status(String(cString: path), in: folder)
        if disk.isReadOnly { throw Disk.Refused(errno: EROFS) }
        return 0
      })
  }

  @_cdecl("__wrap_fchmod") func wrappedMode(_ number: Int32, _ mode: UInt32) -> Int32 {
    Int32(
      answer { disk in
        try disk.file(number).node.mode = mode & 0o7777
        return 0
      })
  }

  @_cdecl("__wrap_flock") func wrappedLock(_ number: Int32, _ operation: Int32) -> Int32 {
    Int32(
      answer { disk in
        try disk.lock(number, operation)
        return 0
      })
  }

  private func list(_ descriptor: Int32) throws -> UnsafeMutableRawPointer {
    guard let disk = Disk.current else { throw Disk.Refused(errno: EBADF) }
    let node = try disk.file(descriptor).node
    guard node.isFolder else { throw Disk.Refused(errno: ENOTDIR) }
    let entry = UnsafeMutablePointer<dirent>.allocate(capacity: 1)
    let stream = UnsafeMutableRawPointer(entry)
    Calls.streams[stream] = .init(
      descriptor: descriptor, names: node.entries.keys.sorted().reversed(), entry: entry)
    return stream
  }

  @_cdecl("__wrap_fdopendir") func wrappedList(_ descriptor: Int32) -> UnsafeMutableRawPointer? {
    var stream: UnsafeMutableRawPointer?
    _ = answer { _ in
      stream = try list(descriptor)
      return 0
    }
    return stream
  }

  @_cdecl("__wrap_opendir") func wrappedOpenList(_ path: UnsafePointer<CChar>)
    -> UnsafeMutableRawPointer?
  {
    var stream: UnsafeMutableRawPointer?
    _ = answer { disk in
      stream = try list(disk.open(String(cString: path), in: -1, O_RDONLY | O_DIRECTORY, 0))
      return 0
    }
    return stream
  }

  @_cdecl("__wrap_readdir") func wrappedNext(_ stream: UnsafeMutableRawPointer)
    -> UnsafeMutablePointer<dirent>?
  {
    guard let name = Calls.streams[stream]?.names.popLast(),
      let entry = Calls.streams[stream]?.entry
    else { return nil }
    withUnsafeMutableBytes(of: &entry.pointee.d_name) { bytes in
      for (index, byte) in name.utf8.prefix(255).enumerated() { bytes[index] = byte }
      bytes[min(255, name.utf8.count)] = 0
    }
    return entry
  }

  @_cdecl("__wrap_closedir") func wrappedEndList(_ stream: UnsafeMutableRawPointer) -> Int32 {
    guard let closed = Calls.streams.removeValue(forKey: stream) else { return -1 }
    Disk.current?.close(closed.descriptor)
    closed.entry.deallocate()
    return 0
  }

  @_cdecl("__wrap_clock_gettime") func wrappedClock(
    _ clock: Int32, _ time: UnsafeMutablePointer<timespec>
  ) -> Int32 {
    guard let disk = Disk.current else { return realClock(clock, time) }
    let now = clock == CLOCK_REALTIME ? disk.wall : disk.now
    time.pointee = timespec(tv_sec: Int(now / 1_000_000_000), tv_nsec: Int(now % 1_000_000_000))
    return 0
  }

  @_cdecl("__wrap_adjtimex") func wrappedSynchronisation(_ state: UnsafeMutablePointer<timex>)
    -> Int32
  {
    guard Disk.current?.isSynchronized == false else { return 0 }
    state.pointee.status = STA_UNSYNC
    return TIME_ERROR
  }

  @_cdecl("__wrap_getrandom") func wrappedRandom(
    _ bytes: UnsafeMutableRawPointer?, _ count: Int, _ flags: UInt32
  ) -> Int {
    guard let disk = Disk.current else { return realRandom(bytes, count, flags) }
    for index in 0..<count {
      bytes?.storeBytes(
        of: UInt8(truncatingIfNeeded: disk.random.next()), toByteOffset: index, as: UInt8.self)
    }
    return count
  }

  /// A program that waits for another one waits until its time limit: nobody else runs.
  @_cdecl("__wrap_poll") func wrappedPoll(
    _ entries: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ milliseconds: Int32
  ) -> Int32 {
    guard let disk = Disk.current else { return realPoll(entries, count, milliseconds) }
    disk.pass(Int64(max(1, milliseconds)) * 1_000_000)
    return 0
  }

  /// Notices may be lost: all of them are.
  @_cdecl("__wrap_inotify_init1") func wrappedNotices(_ flags: Int32) -> Int32 {
    Calls.noticesDescriptor
  }

  @_cdecl("__wrap_inotify_add_watch") func wrappedWatch(
    _ number: Int32, _ path: UnsafePointer<CChar>, _ mask: UInt32
  ) -> Int32 {
    Int32(answer { disk in Int(try disk.status(String(cString: path), in: -1).number) })
  }

  @_cdecl("__wrap_inotify_rm_watch") func wrappedUnwatch(_ number: Int32, _ watch: Int32) -> Int32 {
    0
  }

  @_cdecl("__wrap_eventfd") func wrappedEvent(_ count: UInt32, _ flags: Int32) -> Int32 {
    Calls.eventDescriptor
  }
#endif
