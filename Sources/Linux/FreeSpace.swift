internal import CLinux

/// What statvfs(3) tells about a filesystem.
public struct FreeSpace: Sendable, Equatable {
  /// For a user without privileges, in bytes.
  public let bytes: Int64
  /// How many more files there can be; filesystems without a fixed number say `Int64.max`.
  public let files: Int64
  /// Whether it is mounted read-only.
  public let isReadOnly: Bool
}

extension Folder {
  /// Of the filesystem that holds this folder.
  public borrowing func freeSpace() throws(SystemError) -> FreeSpace {
    var status = statvfs()
    let number = descriptor.number
    _ = try SystemError.naming("statvfs", path) { () throws(Errno) in
      try Errno.check { unsafe fstatvfs(number, &status) }
    }
    let blocks = Int64(clamping: status.f_bavail)
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return FreeSpace(
      bytes: overflow ? .max : bytes,
      // btrfs has no table of inodes and reports 0 of 0.
      files: status.f_files == 0 ? .max : Int64(clamping: status.f_favail),
      isReadOnly: status.f_flag & UInt(ST_RDONLY) != 0)
  }
}
