internal import CLinux

extension Folder {
  /// Calls `body` with every name in the folder but "." and "..", in no order, as bytes: a name need
  /// not be UTF-8. Allocates nothing per name. Stops early when `body` answers false.
  public borrowing func forEachName(_ body: (Span<UInt8>) -> Bool) throws(SystemError) {
    // closedir(3) closes its descriptor, and a shared one would share its place in the folder.
    let copy = try SystemError.naming("open", path) { () throws(Errno) in
      try FileDescriptor(opening: ".", in: descriptor, O_RDONLY | O_DIRECTORY).release()
    }
    guard let stream = unsafe fdopendir(copy) else {
      let error = Errno.current
      close(copy)
      throw SystemError("opendir", path, error)
    }
    defer { unsafe closedir(stream) }
    while true {
      CLinux_clearErrno()
      guard let entry = unsafe readdir(stream) else {
        let error = Errno.current
        if error.rawValue == 0 { return }
        throw SystemError("readdir", path, error)
      }
      guard let name = unsafe CLinux_entryName(entry) else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
      if unsafe isDots(bytes) { continue }
      if !(unsafe body(Span(_unsafeBytes: bytes))) { return }
    }
  }

  /// All the names in the folder. One that is not UTF-8 has its bytes repaired, and names nothing.
  public borrowing func names() throws(SystemError) -> [String] {
    var names: [String] = []
    try forEachName { name in
      names.append(String(decoding: name))
      return true
    }
    return names
  }

  private borrowing func isDots(_ name: UnsafeRawBufferPointer) -> Bool {
    let dot = UInt8(ascii: ".")
    return unsafe name.count <= 2 && name.allSatisfy { $0 == dot }
  }
}

extension String {
  /// Decodes UTF-8, repairing what is not.
  public init(decoding bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
