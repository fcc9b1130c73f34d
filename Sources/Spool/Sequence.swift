internal import CLinux
internal import Linux

/// The durable counter that orders signatures: the file `sequence`, the number that was last given.
extension Spool {
  static let sequenceName = "sequence"
  private static let sequenceLimit: Int64 = 1 << 53

  /// Gives the next number, which is on the disk before it is given: no two signatures ever share one.
  /// A number is lost where publishing fails after this.
  borrowing func nextSequence() throws(SpoolError) -> Int64 {
    // The folder's lock, and not the file's: the file is replaced.
    let lock = try openRootAgain()
    do throws(Errno) {
      try lock.lock()
    } catch { throw .call("flock", root.path, error) }
    let next = try lastSequence() + 1
    guard next <= Self.sequenceLimit else {
      throw .misshapen(path: root.path + "/" + Self.sequenceName, reason: "has run out of numbers")
    }
    try writeSequence(next)
    return next
  }

  /// flock(2) belongs to an open file, so two users of one descriptor would not exclude each other.
  private borrowing func openRootAgain() throws(SpoolError) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor(opening: ".", in: root.descriptor, O_RDONLY | O_DIRECTORY)
    } catch { throw .call("open", root.path, error) }
  }

  private borrowing func lastSequence() throws(SpoolError) -> Int64 {
    do throws(SystemError) {
      let file = try root.openFile(Self.sequenceName)
      let bytes = try SystemError.naming("read", root.path + "/" + Self.sequenceName) {
        () throws(Errno) in try file.readAll(limit: 32)
      }
      if let bytes, let number = Self.parse(bytes) { return number }
    } catch { if error.errno.rawValue != ENOENT { throw .system(error) } }
    return try greatestSequence()
  }

  /// Digits and a line end.
  private static func parse(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count > 1, bytes.count <= 17, bytes.last == UInt8(ascii: "\n") else { return nil }
    var number: Int64 = 0
    for byte in bytes.dropLast() {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return number
  }

  /// The greatest number of the items that are here: for a counter that was removed or damaged.
  private borrowing func greatestSequence() throws(SpoolError) -> Int64 {
    let waiting = try greatestSequence(in: new)
    let kept = max(try greatestSequence(in: failed), try greatestSequence(in: delivered))
    return max(waiting, kept)
  }

  private borrowing func greatestSequence(
    in folder: borrowing Folder
  ) throws(SpoolError) -> Int64 {
    var greatest: Int64 = 0
    for id in try Self.ids(in: folder) {
      do throws(Item.Failure) {
        greatest = max(greatest, try Item.readManifest(of: id, in: folder).sequence)
      } catch { if case .system(let error) = error { throw .system(error) } }
    }
    return greatest
  }

  private borrowing func writeSequence(_ number: Int64) throws(SpoolError) {
    let temporary = Self.sequenceName
    try spooling { () throws(SystemError) in
      // Whoever left one here died before the rename: the lock is ours.
      try tmp.removeTree(temporary)
      try tmp.writeFile(temporary, Array("\(number)\n".utf8))
      try tmp.rename(temporary, to: root, as: Self.sequenceName)
      try root.sync()
    }
  }
}
