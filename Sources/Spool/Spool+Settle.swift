internal import CLinux
internal import Linux

extension Spool {
  /// What the reason of a folder in `failed` is called beside it.
  public static let reasonSuffix = ".reason"
  static let reasonLimit = 16 << 10

  /// Every sink has it: `new` → `delivered`, on the disk. What was kept under this name goes; what has
  /// been dropped meanwhile, or was settled but for an error after the move, is settled too.
  public borrowing func settle(_ id: ItemID) throws(SpoolError) {
    do throws(SystemError) {
      do throws(SystemError) {
        try new.move(id.text, to: delivered, as: id.text)
      } catch {
        switch error.errno.rawValue {
        case ENOENT: break
        case EEXIST:
          try delivered.removeTree(id.text)
          try new.move(id.text, to: delivered, as: id.text)
        default: throw error
        }
      }
      try delivered.sync()
      try new.sync()
    } catch { throw .system(error) }
  }

  /// Removes a delivered item and what was noted about it.
  public borrowing func purge(_ id: ItemID) throws(SpoolError) {
    do throws(SystemError) {
      try delivered.removeTree(id.text)
      try removeState(of: id)
    } catch { throw .system(error) }
  }

  /// A sink will never take it: `new` → `failed`, on the disk, with the reason beside it. False if
  /// somebody has taken it away meanwhile.
  @discardableResult
  public borrowing func fail(_ id: ItemID, reason: String) throws(SpoolError) -> Bool {
    do throws(SpoolError) {
      try moveToFailed(Array(id.text.utf8), as: id.text, reason: reason)
      return true
    } catch {
      guard case .system(let error) = error, error.errno.rawValue == ENOENT else { throw error }
      return false
    }
  }

  private borrowing func moveToFailed(
    _ name: [UInt8], as newName: String, reason: String
  ) throws(SpoolError) {
    do throws(SystemError) {
      // What has the name already keeps its own reason.
      let isTaken = try failed.contains(newName)
      if !isTaken { try writeReasonIfRoom(reason, for: newName) }
      do throws(SystemError) {
        try new.move(name, to: failed, as: newName)
      } catch {
        // Nothing came of it, so nothing has a reason.
        if !isTaken && error.errno.rawValue != EEXIST {
          try failed.removeTree(newName + Self.reasonSuffix)
        }
        throw error
      }
      // It was taken, and has gone meanwhile.
      if isTaken { try writeReasonIfRoom(reason, for: newName) }
      try failed.sync()
      try new.sync()
    } catch { throw .system(error) }
  }

  /// Puts an entry of `new` that is no item into `failed` under a name of our own, with its old name
  /// and the reason beside it. Returns the new name.
  public borrowing func setAside(
    _ name: [UInt8], as id: ItemID, reason: String
  ) throws(SpoolError) -> String {
    let newName = "foreign-" + id.text
    try moveToFailed(
      name, as: newName, reason: "was named \(Self.printable(name)): \(reason)")
    return newName
  }

  /// Why an entry of `failed` is there.
  public borrowing func reason(of name: String) throws(SpoolError) -> String? {
    do throws(SystemError) {
      let file = try failed.openFile(name + Self.reasonSuffix)
      let bytes = try SystemError.naming("read", failed.path + "/" + name) {
        () throws(Errno) in try file.readAll(limit: Self.reasonLimit)
      }
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    } catch {
      if error.errno.rawValue == ENOENT { return nil }
      throw .system(error)
    }
  }

  /// `failed` → `new`: only the sinks that have not delivered are asked again.
  public borrowing func retry(_ id: ItemID) throws(SpoolError) {
    for (sink, known) in try states(of: id) where known.outcome != .delivered {
      do throws(SystemError) {
        try forgetState(of: sink, for: id)
      } catch { throw .system(error) }
    }
    do throws(SystemError) {
      try failed.move(id.text, to: new, as: id.text)
      try new.sync()
      try failed.removeTree(id.text + Self.reasonSuffix)
      try failed.sync()
    } catch { throw .system(error) }
  }

  /// A full disk must not keep an entry where it is: the reason is in the log, too.
  private borrowing func writeReasonIfRoom(
    _ reason: String, for name: String
  ) throws(SystemError) {
    do throws(SystemError) {
      try writeReason(reason, for: name)
    } catch {
      if !error.isFullDisk { throw error }
      try failed.removeTree(name + Self.reasonSuffix)
    }
  }

  borrowing func writeReason(_ reason: String, for name: String) throws(SystemError) {
    try failed.removeTree(name + Self.reasonSuffix)
    try failed.writeFile(name + Self.reasonSuffix, Array((reason + "\n").utf8))
  }

  /// A name that hurts no terminal and no log.
  static func printable(_ name: [UInt8]) -> String {
    var text = "\""
    for byte in name.prefix(255) {
      if byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + Hexadecimal.text([byte])
      }
    }
    return text + "\""
  }
}
