internal import CLinux
internal import Linux

extension SystemError {
  /// Nothing of ours has the name: it is free, or a link, a file in a folder's place, a folder in a file's.
  var isForeign: Bool {
    [ENOENT, ENOTDIR, ELOOP, EISDIR, ENXIO].contains(errno.rawValue)
  }

  /// There is no room for another block or name.
  var isFullDisk: Bool { errno.rawValue == ENOSPC || errno.rawValue == EDQUOT }
}
