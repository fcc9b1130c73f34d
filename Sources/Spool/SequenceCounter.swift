internal import CLinux
internal import Linux

/// The durable counter that orders signatures.
///
/// The file `sequence` holds the last number. The file `sequence-bound` holds a number that is not used yet;
/// the counter continues there if `sequence` is lost.
extension Spool {
  static let sequenceName = "sequence"
  static let boundName = "sequence-bound"
  /// The maximum gap after the loss of `sequence`. The bound is written once for half of them.
  static let boundStep: Int64 = 1000
  /// The gap after the loss of both files: more signatures than a pad makes in its life.
  static let lostStep: Int64 = 1_000_000
  private static let sequenceLimit: Int64 = 1 << 53
  /// A greater number in a manifest is forged. As many numbers remain above it.
  private static let plausibleLimit: Int64 = 1 << 52

  /// Returns the next number, which is never returned again. A number is lost if publishing fails
  /// afterwards.
  borrowing func nextSequence() throws(SpoolError) -> Int64 {
    // Locks the folder, because the file is replaced.
    let lock = try openRootAgain()
    do throws(Errno) {
      try lock.lock()
    } catch { throw .call("flock", root.path, error) }
    let bound = try number(in: Self.boundName)
    let next = try lastSequence(bound: bound) + 1
    guard next < Self.sequenceLimit else {
      throw .invalid(path: root.path + "/" + Self.sequenceName, reason: "has no numbers left")
    }
    // Before the number that it must exceed.
    if (bound ?? 0) < next + Self.boundStep / 2 {
      try write(min(next + Self.boundStep, Self.sequenceLimit), to: Self.boundName)
    }
    try write(next, to: Self.sequenceName)
    return next
  }

  /// A lock belongs to an open file description, so that users of one descriptor would not exclude each other.
  private borrowing func openRootAgain() throws(SpoolError) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor(opening: ".", in: root.descriptor, O_RDONLY | O_DIRECTORY)
    } catch { throw .call("open", root.path, error) }
  }

  private borrowing func lastSequence(bound: Int64?) throws(SpoolError) -> Int64 {
    // An older version leaves the bound behind. Numbers may be lost, but never repeated.
    if let number = try number(in: Self.sequenceName),
      number <= max(bound ?? 0, Self.plausibleLimit)
    {
      return number
    }
    // Items that were removed may have any number below the bound.
    if let bound { return bound }
    // A new spool, a spool of an older version, or one that lost both files.
    let greatest = try greatestSequence()
    return greatest == 0 ? 0 : greatest + Self.lostStep
  }

  /// Returns nil for a missing or damaged file.
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

  /// Parses digits and a line feed.
  private static func parse(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count > 1, bytes.count <= 17, bytes.last == UInt8(ascii: "\n") else { return nil }
    var number: Int64 = 0
    for byte in bytes.dropLast() {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return number < sequenceLimit ? number : nil
  }

  /// The greatest plausible number of all items; 0 without items.
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
    // The lock is held, so that an existing temporary file was left by a crash.
    let temporary = Self.sequenceName
    try spooling { () throws(SystemError) in
      try tmp.removeTree(temporary)
      try tmp.writeFile(temporary, Array("\(number)\n".utf8))
      try tmp.rename(temporary, to: root, as: name)
      try root.sync()
    }
  }
}
