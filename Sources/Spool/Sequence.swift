internal import CLinux
internal import Linux

/// The durable counter that orders signatures. The file `sequence` holds the number that was last given, the
/// file `sequence-bound` a number that was not reached yet: from there it goes on where `sequence` was lost.
extension Spool {
  static let sequenceName = "sequence"
  static let boundName = "sequence-bound"
  /// As many numbers are left out when `sequence` is lost, at most. The bound is written once in half of them.
  static let boundStep: Int64 = 1000
  /// Left out where both files are lost: more than one pad signs in its life.
  static let lostStep: Int64 = 1_000_000
  private static let sequenceLimit: Int64 = 1 << 53
  /// A manifest may come from anybody: a greater number in one is no number of ours. As many are left above.
  private static let plausibleLimit: Int64 = 1 << 52

  /// Gives the next number, which is on the disk before it is given: no two signatures ever share one.
  /// A number is lost where publishing fails after this.
  borrowing func nextSequence() throws(SpoolError) -> Int64 {
    // The folder's lock, and not the file's: the file is replaced.
    let lock = try openRootAgain()
    do throws(Errno) {
      try lock.lock()
    } catch { throw .call("flock", root.path, error) }
    let bound = try number(in: Self.boundName)
    let next = try lastSequence(bound: bound) + 1
    guard next < Self.sequenceLimit else {
      throw .invalid(path: root.path + "/" + Self.sequenceName, reason: "has run out of numbers")
    }
    // Before the number that it has to exceed.
    if (bound ?? 0) < next + Self.boundStep / 2 {
      try write(min(next + Self.boundStep, Self.sequenceLimit), to: Self.boundName)
    }
    try write(next, to: Self.sequenceName)
    return next
  }

  /// flock(2) belongs to an open file, so two users of one descriptor would not exclude each other.
  private borrowing func openRootAgain() throws(SpoolError) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor(opening: ".", in: root.descriptor, O_RDONLY | O_DIRECTORY)
    } catch { throw .call("open", root.path, error) }
  }

  private borrowing func lastSequence(bound: Int64?) throws(SpoolError) -> Int64 {
    // A version without a bound leaves it behind: numbers may be lost, and must not be shared.
    if let number = try number(in: Self.sequenceName),
      number <= max(bound ?? 0, Self.plausibleLimit)
    {
      return number
    }
    // Signatures that are not here any more may have any number below the bound.
    if let bound { return bound }
    // A spool of a version without a bound, or one that lost both; a new one has nothing.
    let greatest = try greatestSequence()
    return greatest == 0 ? 0 : greatest + Self.lostStep
  }

  /// Nil for what is not there or damaged.
  private borrowing func number(in name: String) throws(SpoolError) -> Int64? {
    do throws(SystemError) {
      let file = try root.openFile(name)
      let bytes = try SystemError.naming("read", root.path + "/" + name) {
        () throws(Errno) in try file.readAll(limit: 32)
      }
      return bytes.flatMap { Self.parse($0) }
    } catch {
      if error.isForeign { return nil }
      throw .system(error)
    }
  }

  /// Digits and a line end.
  private static func parse(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count > 1, bytes.count <= 17, bytes.last == UInt8(ascii: "\n") else { return nil }
    var number: Int64 = 0
    for byte in bytes.dropLast() {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return number < sequenceLimit ? number : nil
  }

  /// The greatest plausible number of the items that are here; 0: there are none.
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
        let sequence = try Item.readManifest(of: id, in: folder).sequence
        if sequence <= Self.plausibleLimit { greatest = max(greatest, sequence) }
      } catch { if case .system(let error) = error { throw .system(error) } }
    }
    return greatest
  }

  private borrowing func write(_ number: Int64, to name: String) throws(SpoolError) {
    // One name for both: whoever left one here died before the rename, and the lock is ours.
    let temporary = Self.sequenceName
    try spooling { () throws(SystemError) in
      try tmp.removeTree(temporary)
      try tmp.writeFile(temporary, Array("\(number)\n".utf8))
      try tmp.rename(temporary, to: root, as: name)
      try root.sync()
    }
  }
}
