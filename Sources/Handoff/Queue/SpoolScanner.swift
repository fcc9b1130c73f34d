internal import Configuration
internal import Linux
internal import Spool

/// Finds items in `new` and reads their manifests and records. Holds the lock of the spool.
struct SpoolScanner: ~Copyable {
  /// An entry of `new` that was read.
  enum Finding {
    /// An item with its states by sink.
    case item(QueueEntry, [String: SinkState])
    /// An entry that belongs into `failed`.
    case invalid(ItemID, reason: String)
  }

  private let configuration: HandoffConfiguration
  private let crashes: CrashRecords
  private let problems: Problems
  private let metrics: Metrics
  private var watch: SpoolWatch
  /// Nil while there is nothing to deliver.
  private var lock: SpoolLock?
  /// Whether another program delivers from the spool.
  private(set) var isLockedElsewhere = false
  /// Items that were found and are still in `new`, without those that cannot be read.
  private var known = ItemIDSet()
  /// Items in `new` that could not be read. The next scan finds them again.
  private(set) var unreadable = ItemIDSet()
  /// Items that were not read yet; the next one is last.
  private(set) var unread: [ItemID] = []
  /// Sinks whose items are to be retried at once.
  private var flushRequests: [String] = []
  /// Nil before the first scan.
  private var reads: ReadGuard?
  /// When the next scan is due.
  private(set) var due: Int64 = 0
  private var scanTime: Int64 = 0

  private static let sliceLength = 256
  private static let lockTimeLimit: Int64 = 1_000_000_000
  /// How long items are read before the first one is delivered.
  private static let readingTime: Int64 = 1_000_000_000
  private static let retryDelay: Int64 = 5_000_000_000
  /// The longest interval of scans while `new` is not watched.
  private static let unwatchedInterval: Int64 = 60_000_000_000

  init(
    _ configuration: HandoffConfiguration, _ crashes: CrashRecords, _ problems: Problems,
    _ metrics: Metrics, _ watch: consuming SpoolWatch
  ) {
    self.configuration = configuration
    self.crashes = crashes
    self.problems = problems
    self.metrics = metrics
    self.watch = watch
  }

  /// For poll(2): readable when `new` changed; −1: there are no notices.
  var descriptor: Int32 { watch.number }

  /// Whether all found items left `new`, but for those that cannot be read.
  var isEmpty: Bool { known.isEmpty }
  /// The number of found items that are still in `new`.
  var count: Int { known.count + unreadable.count }

  /// Whether deliveries may begin although items are still unread.
  func allowsDeliveries(at now: Int64) -> Bool {
    unread.isEmpty || now >= scanTime + Self.readingTime
  }

  mutating func requestScan(at now: Int64) { due = now }

  // MARK: Scanning

  /// Opens, locks and watches the spool. Returns nil if another program delivers from it.
  mutating func open(at now: Int64) throws(SpoolError) -> Spool? {
    due = now + configuration.rescan
    scanTime = now
    let spool = try Spool.open(at: configuration.spool)
    guard try acquireLock(spool) else { return nil }
    spool.prepareFlushRequests()
    // Before the scan: an item that is published in between is found twice, not missed.
    attachWatch(to: spool, at: now)
    spool.prepareRecords(of: configuration.sinks.map { $0.name })
    if reads == nil { reads = ReadGuard(crashes) }
    return spool
  }

  /// Without a watch, more scans find the items; each one tries again.
  private mutating func attachWatch(to spool: borrowing Spool, at now: Int64) {
    do throws(SystemError) {
      try watch.attach(to: spool)
      problems.resolve(.watch)
    } catch {
      let interval = min(configuration.rescan, Self.unwatchedInterval)
      due = now + interval
      problems.report(
        .watch,
        "spool: new signatures are not noticed at once (\(error.text)); scanning every "
          + "\(interval / 1_000_000_000) s")
    }
  }

  /// A scan failed.
  mutating func retryScan(at now: Int64) {
    due = now + min(Self.retryDelay, configuration.rescan)
  }

  /// Lists `new`. Moves entries that are not items to `failed`. Returns the known items that are
  /// not there: another program may have removed them.
  mutating func scan(_ spool: borrowing Spool, at now: Int64) throws(SpoolError) -> [ItemID] {
    var (found, listed): ([ItemID], [ItemID]) = ([], [])
    var foreign: [[UInt8]] = []
    do throws(SystemError) {
      try spool.new.forEachName { name in
        if let id = ItemID(name) {
          if known.contains(id) { listed.append(id) } else { found.append(id) }
        } else if foreign.count < Self.sliceLength {
          foreign.append(name.indices.map { name[$0] })
        }
        return true
      }
    } catch { throw .system(error) }
    let moved = foreign.count { moveForeign($0, in: spool) }
    // There may be more.
    if moved == Self.sliceLength { due = now }
    let missing = listed.count == known.count ? [] : known.ids(notIn: Set(listed))
    if !unreadable.isEmpty {
      for id in unreadable.ids(notIn: Set(found)) { problems.resolve(.item(id)) }
      unreadable = ItemIDSet()
    }
    // Ids begin with the time, which mostly is the order of signing.
    found.sort { ($0.high, $0.low) > ($1.high, $1.low) }
    for id in found.reversed() { known.insert(id) }
    unread = unread.isEmpty ? found : found + unread
    takeFlushRequests(from: spool)
    return missing
  }

  private func moveForeign(_ name: [UInt8], in spool: borrowing Spool) -> Bool {
    var ids = ItemIDSource()
    do throws(SpoolError) {
      let id: ItemID
      do throws(Errno) {
        id = try ids.next(at: WallClock.now)
      } catch { return false }
      let newName = try spool.moveForeign(name, as: id, reason: "is not an item's folder")
      metrics.countFailedItem()
      problems.resolve(.foreign(name))
      problems.log(.warning, "spool: a foreign entry of new/ was moved to failed/\(newName)")
      return true
    } catch {
      problems.report(.foreign(name), error.text)
      return false
    }
  }

  // MARK: Lock

  private mutating func acquireLock(_ spool: borrowing Spool) throws(SpoolError) -> Bool {
    if try lock?.holds(spool) == true { return true }
    lock = nil
    // A program that was killed may take a while to end.
    lock = try SpoolLock(on: spool, timeLimit: Self.lockTimeLimit)
    if lock != nil { return true }
    isLockedElsewhere = true
    problems.log(
      .error,
      "spool: another paraph-handoff delivers from \(configuration.spool); stop one of the two")
    return false
  }

  /// Lets the filesystem be unmounted while there is nothing to deliver.
  mutating func releaseLock() { lock = nil }

  // MARK: Reading

  /// Whether an item was found and is still in `new`.
  func contains(_ id: ItemID) -> Bool { known.contains(id) }

  /// Adds an item. Returns false if it is known already.
  mutating func add(_ id: ItemID) -> Bool {
    unreadable.remove(id)
    return known.insert(id)
  }

  /// Removes an item that left `new`.
  mutating func remove(_ id: ItemID) { known.remove(id) }

  /// Removes items that were not read yet.
  mutating func removeUnread(_ ids: Set<ItemID>) { unread.removeAll { ids.contains($0) } }

  /// Reads some of the items that were found.
  mutating func readNext(at now: Int64) -> [Finding] {
    if unread.isEmpty { return [] }
    var findings: [Finding] = []
    beginReading()
    defer { endReading() }
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      for _ in 0..<Self.sliceLength {
        guard let id = unread.popLast() else { break }
        if let finding = try read(id, in: spool) { findings.append(finding) }
      }
    } catch {
      // The next scan finds them again.
      problems.report(.spool, error.text)
      for id in unread { postpone(id) }
      unread = []
      due = now + Self.retryDelay
    }
    // Frees memory while the queues grow.
    if unread.count <= unread.capacity / 2 { unread = unread.map { $0 } }
    return findings
  }

  /// Reads the items that were published since the last call. `isDeferred`: reads them later.
  mutating func readNotices(at now: Int64, isDeferred: Bool) -> [Finding] {
    var findings: [Finding] = []
    do throws(SystemError) {
      var arrived: [ItemID] = []
      let result = try watch.read { arrived.append($0) }
      if result.needsScan { due = now }
      if result.hasRequests { takeFlushRequests() }
      for id in arrived where add(id) {
        if isDeferred {
          unread.append(id)
        } else if let finding = readNew(id, at: now) {
          findings.append(finding)
        }
      }
    } catch {
      problems.report(.spool, error.text)
      due = now
    }
    return findings
  }

  private mutating func takeFlushRequests() {
    do throws(SpoolError) {
      takeFlushRequests(from: try Spool(at: configuration.spool))
    } catch {
      problems.report(.flush, error.text)
    }
  }

  /// Deliveries do not depend on the requests. The next scan tries again.
  private mutating func takeFlushRequests(from spool: borrowing Spool) {
    do throws(SpoolError) {
      flushRequests += try spool.takeFlushRequests()
      problems.resolve(.flush)
    } catch {
      problems.report(.flush, error.text)
    }
  }

  /// Returns the sinks whose items are to be retried at once, once all items were read.
  mutating func drainFlushRequests() -> [String] {
    guard unread.isEmpty else { return [] }
    defer { flushRequests = [] }
    return flushRequests
  }

  private mutating func readNew(_ id: ItemID, at now: Int64) -> Finding? {
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      if try acquireLock(spool) { return try read(id, in: spool) }
      postpone(id)
    } catch {
      postpone(id)
      problems.report(.spool, error.text)
      due = now
    }
    return nil
  }

  /// Records that items are being read, in case one of them crashes the program.
  mutating func beginReading() { reads?.begin() }
  mutating func endReading() { reads?.end() }

  /// Reads an item. Returns nil if it no longer exists or cannot be read now. Throws errors that concern all
  /// items.
  mutating func read(_ id: ItemID, in spool: borrowing Spool) throws(SpoolError) -> Finding? {
    let entry: QueueEntry
    do throws(Item.Failure) {
      if reads?.begin(.manifest(id)) == false {
        return .invalid(id, reason: CrashRecords.reason("its manifest was read"))
      }
      defer { reads?.endItem() }
      let manifest = try Item.readManifest(of: id, in: spool.new)
      entry = QueueEntry(sequence: manifest.sequence, id: id)
    } catch {
      switch error {
      case .gone:
        known.remove(id)
        problems.resolve(.item(id))
      case .invalid(let error): return .invalid(id, reason: error.reason)
      case .system(let error): try postpone(id, .system(error))
      }
      return nil
    }
    do throws(SpoolError) {
      if reads?.begin(.records(id)) == false { try quarantineStates(of: id, in: spool) }
      defer { reads?.endItem() }
      let states = try spool.states(of: id)
      problems.resolve(.item(id))
      return .item(entry, states)
    } catch { try postpone(id, error) }
    return nil
  }

  private func quarantineStates(of id: ItemID, in spool: borrowing Spool) throws(SpoolError) {
    let reason = CrashRecords.reason("these records were read")
    if let name = try spool.quarantineStates(of: id, reason: reason) {
      problems.log(
        .error,
        "\(id.text): records were moved to failed/\(name) (\(reason)); attempts count from 0")
    }
    crashes.forget(.records(id))
  }

  /// Leaves an item to the next scan. It stays counted.
  private mutating func postpone(_ id: ItemID) {
    known.remove(id)
    unreadable.insert(id)
  }

  /// Leaves an item to the next scan. Throws an error that concerns all.
  private mutating func postpone(_ id: ItemID, _ error: SpoolError) throws(SpoolError) {
    postpone(id)
    if case .system(let error) = error, error.concernsAllItems {
      throw .system(error)
    }
    problems.report(.item(id), error.text)
  }
}
