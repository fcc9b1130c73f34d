internal import CLinux
public import Linux

/// What the erasure of an item has found.
public struct Erasure: Sendable {
  /// The item's number; nil: its manifest cannot be read, and no later manifest will name it.
  public var sequence: Int64?
  /// The sinks that are known to have the item: their copies are not reached.
  public var sinks: [String] = []
  /// How many attempts of the other sinks have failed: after a lost answer, a sink may have the item all the same.
  public var failedAttempts: [(sink: String, count: Int)] = []
  /// Whether all sinks have it.
  public var isDelivered = false
  /// Whether a delivery was under way: its sink may have the item, too.
  public var wasInFlight = false
  /// Whether an earlier erasure was interrupted, which may have removed the records of deliveries.
  public var isResumed = false
}

/// Erasure of an item on request. The next manifest lists it.
///
/// The item moves to `tmp/erased-ID`, then an empty file in `state/.erased` gets the name that tells of it, and then the
/// item is removed. After a crash in between, the next call or the next start of the pad finishes this. The record needs
/// no block of a full disk (`prepareRecords` makes its folder), and is removed when a manifest that has it is published.
extension Spool {
  /// In `state`. An id contains no dot.
  static let erasedName = ".erased"
  private static let erasedPrefix = "erased-"

  /// The id of an item whose erasure was interrupted; nil for another name in `tmp`.
  static func idOfErased(_ name: String) -> ItemID? {
    name.utf8.starts(with: erasedPrefix.utf8)
      ? ItemID(String(Substring(name.utf8.dropFirst(erasedPrefix.utf8.count)))) : nil
  }

  /// The ids of all items whose erasure was interrupted.
  public borrowing func interruptedErasures() throws(SpoolError) -> [ItemID] {
    let names = try spooling { () throws(SystemError) in try tmp.names() }
    return names.compactMap { Self.idOfErased($0) }
  }

  /// Erases an item from all folders, with its records. Returns nil if there is no such item.
  ///
  /// - Parameter wait: How long a delivery that is under way is awaited, in nanoseconds.
  public borrowing func erase(_ id: ItemID, wait: Int64) throws(SpoolError) -> Erasure? {
    var erasure = Erasure()
    try addSinks(of: id, to: &erasure)
    erasure.isDelivered = try spooling { () throws(SystemError) in
      try delivered.contains(id.text)
    }
    let trash = Self.erasedPrefix + id.text
    erasure.isResumed = try spooling { () throws(SystemError) in try tmp.contains(trash) }
    var found = erasure.isResumed
    for place in Place.allCases {
      let folder = try open(place)
      let isMoved = try spooling { () throws(SystemError) in
        try moveErased(id, from: folder, as: trash)
      }
      found = found || isMoved
    }
    guard found else {
      // A crash may have left records without the item.
      try spooling { () throws(SystemError) in try removeErased(id) }
      return nil
    }
    do {
      // Kept until all is removed, so that the pad does not take it for a draft that a crash has left.
      let item: Folder
      do throws(SystemError) {
        item = try Folder(trash, in: tmp)
      } catch {
        if !error.isForeign { throw .system(error) }
        try spooling { () throws(SystemError) in
          try removeErased(id)
          try tmp.removeTree(trash)
        }
        return erasure
      }
      erasure.wasInFlight = try Self.lock(item, wait: wait)
      // A delivery may have ended meanwhile.
      try addSinks(of: id, to: &erasure)
      erasure.sequence = try spooling { () throws(SystemError) in try finishErasure(of: id) }
    }
    // A delivery may have recorded its result since.
    try spooling { () throws(SystemError) in try removeErased(id) }
    return erasure
  }

  /// Returns whether the item was there.
  private borrowing func moveErased(
    _ id: ItemID, from folder: borrowing Folder, as trash: String
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try folder.move(id.text, to: tmp, as: trash)
    } catch {
      if error.errno.rawValue == ENOENT { return false }
      // Another copy of it: what an interrupted retry or commit leaves.
      if error.errno.rawValue != EEXIST { throw error }
      try folder.removeTree(id.text)
    }
    try folder.sync()
    return true
  }

  /// Waits for deliveries, which hold shared locks (`DeliveryLock`). Returns whether there were any.
  private static func lock(_ item: borrowing Folder, wait: Int64) throws(SpoolError) -> Bool {
    do throws(Errno) {
      if try item.descriptor.tryLock() { return false }
      let limit = MonotonicClock.now + wait
      var poll = Poll()
      while MonotonicClock.now < limit {
        try poll.wait(milliseconds: 10)
        if try item.descriptor.tryLock() { break }
      }
      return true
    } catch { throw .call("flock", item.path, error) }
  }

  /// Records and removes an item that was moved to `tmp`. Returns its number; nil: unknown.
  @discardableResult
  borrowing func finishErasure(of id: ItemID) throws(SystemError) -> Int64? {
    let trash = Self.erasedPrefix + id.text
    var sequence: Int64?
    do throws(Item.Failure) {
      let (manifest, digest) = try Item.readManifestDigest(of: id, in: tmp, named: trash)
      let now = WallClock.text(WallClock.now)
      let own = ErasedManifest(digest, time: now, previous: manifest.previous)
      // Erasures that only this manifest has listed must be listed again.
      try recordErasures([own] + manifest.erased)
      sequence = manifest.sequence
    } catch { if case .system(let error) = error { throw error } }
    // The item last: as long as it is there, its erasure can be finished.
    try removeErased(id)
    try removeItem(trash)
    try tmp.sync()
    return sequence
  }

  /// Removes an item in `tmp`, its manifest last: after an interruption, the next call knows its
  /// number.
  private borrowing func removeItem(_ trash: String) throws(SystemError) {
    do throws(SystemError) {
      let item = try Folder(trash, in: tmp)
      for name in try item.names() where name != Manifest.name { try item.removeTree(name) }
    } catch { if !error.isForeign { throw error } }
    try tmp.removeTree(trash)
  }

  private borrowing func recordErasures(_ erased: [ErasedManifest]) throws(Item.Failure) {
    do throws(SystemError) {
      do throws(SystemError) {
        try makeRecords(of: erased)
      } catch {
        guard error.isFullDisk, try releaseSpace() else { throw error }
        try makeRecords(of: erased)
      }
    } catch { throw .system(error) }
  }

  private borrowing func makeRecords(of erased: [ErasedManifest]) throws(SystemError) {
    let folder = try state.openOrMakeFolder(Self.erasedName)
    let known = Set(try folder.names().compactMap { ErasedManifest(name: $0)?.manifest.sequence })
    for record in erased where !known.contains(record.manifest.sequence) {
      _ = try folder.makeFile(record.name, mode: Self.fileMode)
    }
    // The names are all there is to synchronise.
    try folder.sync()
  }

  /// Removes what else names the item.
  private borrowing func removeErased(_ id: ItemID) throws(SystemError) {
    try tmp.removeTree("dropped-" + id.text)
    for name in [id.text, "records-" + id.text] {
      try failed.removeTree(name + Self.reasonSuffix)
      if name != id.text { try failed.removeTree(name) }
    }
    try failed.sync()
    try removeState(of: id)
    let attempts: Folder
    do throws(SystemError) { attempts = try Folder(Self.attemptsName, in: state) } catch {
      if error.isForeign { return try state.sync() }
      throw error
    }
    for name in try attempts.names()
    where name.utf8.reversed().starts(with: id.text.utf8.reversed()) {
      try attempts.removeTree(name)
    }
    try state.sync()
  }

  private borrowing func addSinks(of id: ItemID, to erasure: inout Erasure) throws(SpoolError) {
    let states = try states(of: id)
    let sinks = states.filter { $0.value.outcome == .delivered }.map { $0.key }
    erasure.sinks = Set(erasure.sinks + sinks).sorted()
    erasure.failedAttempts = states.filter {
      $0.value.outcome != .delivered && $0.value.attempts > 0
    }
    .map { (sink: $0.key, count: $0.value.attempts) }.sorted { $0.sink < $1.sink }
  }

  // MARK: - For the next manifest

  /// The erased items that are not yet listed in a published manifest, by number; none if that cannot be read now.
  borrowing func erasedManifests() -> [ErasedManifest] {
    do throws(SystemError) {
      let names = try Folder(Self.erasedName, in: state).names()
      return names.compactMap { ErasedManifest(name: $0) }
        .sorted { $0.manifest.sequence < $1.manifest.sequence }
    } catch { return [] }
  }

  /// Removes the records that a published manifest tells. One that stays is told again.
  borrowing func forget(_ erased: [ErasedManifest]) {
    if erased.isEmpty { return }
    do throws(SystemError) {
      let folder = try Folder(Self.erasedName, in: state)
      for record in erased { try folder.removeTree(record.name) }
    } catch {}
  }
}

/// A delivery that is under way: `Spool.erase` waits for its end.
public struct DeliveryLock: ~Copyable, Sendable {
  private let folder: Folder

  /// ENOENT: the item is not there. EWOULDBLOCK: it is being erased or published.
  public init(on id: ItemID, spool path: String) throws(SystemError) {
    let folder = try Folder("\(path)/new/\(id.text)")
    let isLocked: Bool
    do throws(Errno) {
      isLocked = try folder.descriptor.tryLockShared()
    } catch { throw SystemError("flock", folder.path, error) }
    if !isLocked { throw SystemError("flock", folder.path, Errno(EWOULDBLOCK)) }
    self.folder = folder
  }
}
