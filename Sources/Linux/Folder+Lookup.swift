internal import CLinux

/// Looking into folders by their paths, `/dev`, `/proc` and `/sys` above all.
extension Folder {
  /// The names in a folder but `.` and `..`, in byte order.
  public static func names(of path: String) throws(Errno) -> [String] {
    guard let stream = unsafe opendir(path) else { throw Errno.current }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      guard let start = unsafe CLinux_entryName(entry) else { continue }
      let name = unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      if name != [46] && name != [46, 46] { names.append(name) }
    }
    // Byte order needs no Unicode tables, which a small board would have to carry.
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Where a symbolic link points, as it is written there; nil if it is none or may not be read.
  public static func target(ofLink path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe target.withUnsafeMutableBufferPointer { bytes in
      unsafe CLinux_readlink(path, bytes.baseAddress, bytes.count)
    }
    return count > 0 ? String(decoding: target[0..<count], as: UTF8.self) : nil
  }

  /// The content of a small file, at most `limit` bytes; nil if it cannot be read or is larger.
  public static func content(of path: String, limit: Int = 4096) -> [UInt8]? {
    do throws(Errno) {
      return try FileDescriptor(opening: path, O_RDONLY).readAll(limit: limit)
    } catch {
      return nil
    }
  }

  /// The first line of a small text file, for example of an attribute in `/sys`.
  public static func line(of path: String) -> String? {
    content(of: path).map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) }
  }
}
