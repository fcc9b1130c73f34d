internal import CLinux

extension Folder {
  /// renameat2(2) with RENAME_NOREPLACE of a name that need not be UTF-8.
  public borrowing func move(
    _ name: [UInt8], to target: borrowing Folder, as newName: String
  ) throws(SystemError) {
    let (number, other) = (descriptor.number, target.descriptor.number)
    let text = name.map { CChar(bitPattern: $0) } + [0]
    // Whatever could move a terminal's cursor does not get into an error.
    let isPlain = name.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    let shown = isPlain ? String(decoding: name, as: UTF8.self) : "…"
    _ = try SystemError.naming("rename", path + "/" + shown) { () throws(Errno) in
      try Errno.check { unsafe CLinux_renameNoReplace(number, text, other, newName) }
    }
  }
}
