internal import CLinux
internal import Linux

/// The durable counter that orders signatures.
///
/// The file `sequence` holds the last number. The file `sequence-bound` holds a number that is not used yet;
/// the counter continues there if `sequence` is lost. It never falls behind the chain, whose next manifest would be
/// invalid.
extension Spool {
  static let sequenceName = "sequence"
  static let boundName = "sequence-bound"
  /// The maximum gap after the loss of `sequence`. The bound is written once for half of them.
  static let boundStep: Int64 = 1000
  /// The gap after the loss of both files: more signatures than a pad makes in its life.
  static let lostStep: Int64 = 1_000_000
  private static let sequenceLimit: Int64 = 1 << 53
  /// A greater number in a manifest is forged. As many numbers remain above it.
  static let plausibleLimit: Int64 = 1 << 52

  /// Takes the next number, which is never given again. It is lost if publishing fails afterwards.
  ///
  /// - Parameter chain: What this process knows of the chain.
  /// - Parameter write: Writes the manifest with that number and the one before it, durably, so
  ///   that a draft shows later that its number was not used. If this throws, the number is not
  ///   taken.
  borrowing func nextSequence(
    following chain: KnownChain = KnownChain(),
    _ write: (Int64, PreviousManifest) throws(SpoolError) -> Void
  ) throws(SpoolError) {
    let lock = try openRootAgain()
    try lock.lockCounter(root.path)
    let bound = try number(in: Self.boundName)
    let last = try lastSequence(bound: bound, following: chain)
    let next = last + 1
    guard next < Self.sequenceLimit else {
      throw .invalid(path: root.path + "/" + Self.sequenceName, reason: "has no numbers left")
    }
    try write(next, previousManifest(after: last, chain))
    // Before the number that it must exceed.
    if (bound ?? 0) < next + Self.boundStep / 2 {
      try record(min(next + Self.boundStep, Self.sequenceLimit), to: Self.boundName)
    }
    try record(next, to: Self.sequenceName)
  }

  /// A lock belongs to an open file description, so that users of one descriptor would not exclude each other.
  borrowing func openRootAgain() throws(SpoolError) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor(opening: ".", in: root.descriptor, O_RDONLY | O_DIRECTORY)
    } catch { throw .call("open", root.path, error) }
  }

  /// The last number that was given; 0: none.
  borrowing func lastSequence(
    bound: Int64?, following chain: KnownChain = KnownChain()
  ) throws(SpoolError) -> Int64 {
    let chained = chainedSequence(chain)
    // An older version leaves the bound behind. Numbers may be lost, but never repeated.
    if let number = try number(in: Self.sequenceName),
      number <= max(bound ?? 0, Self.plausibleLimit)
    {
      return max(number, chained)
    }
    // Items that were removed may have any number below the bound.
    if let bound { return max(bound, chained) }
    // A new spool, a spool of an older version, or one that lost both files.
    let greatest = max(try greatestSequence(), chained)
    return greatest == 0 ? 0 : greatest + Self.lostStep
  }

  /// Returns nil for a missing or damaged file.
  borrowing func number(in name: String) throws(SpoolError) -> Int64? {
    try counterFile(name, limit: 32).flatMap { Self.parse($0) }
  }

  /// The content of a small file of the spool; nil if it is missing, foreign or larger.
  borrowing func counterFile(_ name: String, limit: Int) throws(SpoolError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try root.openFile(name)
      return try SystemError.naming("read", root.path + "/" + name) {
        () throws(Errno) in try file.readAll(limit: limit)
      }
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
    // The bound may be the limit itself.
    return number <= sequenceLimit ? number : nil
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

  private borrowing func record(_ number: Int64, to name: String) throws(SpoolError) {
    try replaceCounter(name, Array("\(number)\n".utf8), synced: true)
  }

  /// Replaces a small file of the spool. The lock is held, so that an existing temporary file was left by a crash.
  borrowing func replaceCounter(
    _ name: String, _ bytes: [UInt8], synced: Bool
  ) throws(SpoolError) {
    let temporary = Self.sequenceName
    try spooling { () throws(SystemError) in
      try tmp.removeTree(temporary)
      try tmp.writeFile(temporary, bytes, synced: synced)
      try tmp.rename(temporary, to: root, as: name)
      if synced { try root.sync() }
    }
  }
}

extension FileDescriptor {
  /// Locks the counter and the chain until this descriptor of the spool's folder is closed: their files are replaced.
  borrowing func lockCounter(_ path: String) throws(SpoolError) {
    do throws(Errno) { try lock() } catch { throw .call("flock", path, error) }
  }
}
