internal import CLinux
internal import Linux
internal import Spool

/// Crash counters of deliveries and reads.
///
/// The records are in the runtime directory, which is emptied at boot. Without one they are in the spool's
/// `state/.attempts`, if the boot has an id.
struct CrashRecords {
  /// An operation that may crash the program.
  enum Work {
    /// The delivery of an item to a sink.
    case delivery(String, ItemID)
    /// Reading several items.
    case reading
    /// Reading the manifest of an item.
    case manifest(ItemID)
    /// Reading the records of an item.
    case records(ItemID)

    var name: String {
      switch self {
      case .delivery(let sink, let id): "delivery.\(sink).\(id.text)"
      case .reading: "reading"
      case .manifest(let id): "manifest.\(id.text)"
      case .records(let id): "records.\(id.text)"
      }
    }
  }

  /// A delivery that was running when the program ended.
  struct Delivery {
    let sink: String
    let id: ItemID
    let counter: CrashCounter
  }

  /// Nil if nothing can be recorded.
  let folder: String?

  /// `spool`: the spool's path.
  init(spool: String) {
    if let runtime = Process.runtimeDirectory {
      folder = runtime
    } else {
      folder = CrashCounter.currentBoot.isEmpty ? nil : spool + "/state/" + Spool.attemptsName
    }
  }

  /// The reason of a failure after too many crashes.
  static func reason(_ work: String) -> String {
    "crashed paraph-handoff \(CrashCounter.limit) times while \(work)"
  }

  /// Nil if nothing can be recorded.
  func counter(_ work: Work) -> CrashCounter? {
    folder.map { CrashCounter(in: $0, work.name) }
  }

  /// The deliveries that were running when the program ended, the latest first: a delivery that ran for long
  /// is the least suspect.
  func deliveries() -> [Delivery] {
    guard let folder, let records = try? Folder(folder) else { return [] }
    var found: [(delivery: Delivery, begun: Int64)] = []
    for name in (try? records.names()) ?? [] {
      let parts = name.utf8.split(separator: UInt8(ascii: "."))
      guard parts.count == 3, parts[0].elementsEqual("delivery".utf8),
        let id = ItemID(String(decoding: parts[2], as: UTF8.self))
      else { continue }
      let sink = String(decoding: parts[1], as: UTF8.self)
      let counter = CrashCounter(in: folder, Work.delivery(sink, id).name)
      let begun = (try? records.status(of: name))?.modified ?? 0
      found.append((Delivery(sink: sink, id: id, counter: counter), begun))
    }
    return found.sorted { $0.begun > $1.begun }.map { $0.delivery }
  }

  /// Whether reading a manifest or records crashed the program.
  var hasReads: Bool {
    guard let folder else { return false }
    return ((try? Folder(folder).names()) ?? []).contains { name in
      guard let end = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
      let kind = name.utf8[..<end]
      return (kind.elementsEqual("manifest".utf8) || kind.elementsEqual("records".utf8))
        && CrashCounter(in: folder, name).count > 0
    }
  }

  /// Removes a record.
  func forget(_ work: Work) {
    guard let folder else { return }
    try? Folder(folder).remove(work.name)
  }

  /// Removes the records of an item that left `new`.
  func forget(_ id: ItemID, sinks: [String]) {
    for sink in sinks { forget(.delivery(sink, id)) }
    forget(.manifest(id))
    forget(.records(id))
  }
}

/// Finds the file that crashes the program when it is read.
///
/// Files are read under one common record. After a crash, each one is read under a record of its own.
struct ReadGuard {
  private let records: CrashRecords
  private var common: CrashCounter?
  private let isCareful: Bool
  private var current: CrashCounter?

  init(_ records: CrashRecords) {
    self.records = records
    common = records.counter(.reading)
    isCareful = (common?.count ?? 0) > 0 || records.hasReads
  }

  /// Several items will be read.
  mutating func begin() { common?.begin() }

  /// Several items were read without a crash.
  mutating func end() { common?.clear() }

  /// A file will be read. Returns false if it crashed the program too often; its record then stays until the
  /// item is moved.
  mutating func begin(_ work: CrashRecords.Work) -> Bool {
    guard isCareful, var counter = records.counter(work) else { return true }
    // The first crash is on the common record.
    if counter.count + 1 >= CrashCounter.limit { return false }
    counter.begin()
    current = counter
    return true
  }

  /// The file was read without a crash.
  mutating func endItem() {
    current?.clear()
    current = nil
  }
}

/// Running deliveries, and deliveries that may have crashed the program.
///
/// A delivery that was running when the program crashed is a suspect. Each suspect is delivered alone, before
/// other items are read or delivered, so that only the guilty one crashes the program again.
struct CrashSuspects {
  /// A delivery that was running at a crash.
  struct Suspect {
    let sink: Int
    let entry: QueueEntry
    let counter: CrashCounter
  }

  private let records: CrashRecords
  private let sinks: [String]
  private let timeLimit: Int64
  private var waiting: [Suspect] = []
  /// The running delivery of each sink.
  private var running: [CrashCounter?]
  /// The sink of the last suspect, and when other deliveries continue although it is running.
  private var alone: (sink: Int, until: Int64)?

  /// `timeLimit`: how long a suspect is delivered alone, in nanoseconds.
  init(_ records: CrashRecords, sinks: [String], timeLimit: Int64) {
    self.records = records
    self.sinks = sinks
    self.timeLimit = timeLimit
    running = sinks.map { _ in nil }
  }

  var isEmpty: Bool { waiting.isEmpty }
  var count: Int { waiting.count }
  var aloneUntil: Int64? { alone?.until }

  /// Whether a suspect is running alone.
  func isAlone(at now: Int64) -> Bool {
    guard let alone, now < alone.until, let counter = running[alone.sink] else { return false }
    return counter.count > 1
  }

  /// Finds the deliveries that were running at a crash, reads their items, and enqueues these for the other
  /// sinks. Adds the final states that follow to `resolutions`.
  mutating func load(
    _ spool: borrowing Spool, _ scanner: inout SpoolScanner, _ queue: inout ActiveQueue,
    _ resolutions: inout [ActiveQueue.Resolution], at now: Int64
  ) throws(SpoolError) {
    var deliveries: [(sink: Int?, delivery: CrashRecords.Delivery)] = []
    for delivery in records.deliveries() {
      let sink = sinks.firstIndex { $0.isSame(as: delivery.sink) }
      // Those of a held sink stay recorded until it is resumed.
      if let sink, queue.isHeld(sink) { continue }
      deliveries.append((sink, delivery))
    }
    if deliveries.isEmpty { return }
    scanner.beginReading()
    defer { scanner.endReading() }
    for (sink, delivery) in deliveries where sink != nil && delivery.counter.isExhausted {
      guard scanner.add(delivery.id) else { continue }
      let reason = CrashRecords.reason("it was delivered to \(delivery.sink)")
      resolutions.append(.init(change: .failed(delivery.id, reason: reason), lastSink: nil))
    }
    for (sink, delivery) in deliveries where sink == nil || !delivery.counter.isExhausted {
      var counter = delivery.counter
      if let sink, counter.count > 0,
        let entry = try read(delivery.id, spool, &scanner, &queue, &resolutions, at: now),
        queue.cancel(entry, for: sink)
      {
        waiting.append(Suspect(sink: sink, entry: entry, counter: counter))
      } else {
        // It was recorded, or its sink is not configured.
        counter.clear()
      }
    }
  }

  /// Reads and enqueues an item, unless it is a suspect already.
  private func read(
    _ id: ItemID, _ spool: borrowing Spool, _ scanner: inout SpoolScanner,
    _ queue: inout ActiveQueue, _ resolutions: inout [ActiveQueue.Resolution], at now: Int64
  ) throws(SpoolError) -> QueueEntry? {
    if let known = waiting.first(where: { $0.entry.id == id }) { return known.entry }
    guard scanner.add(id), let finding = try scanner.read(id, in: spool) else { return nil }
    switch finding {
    case .item(let entry, let states):
      resolutions += queue.enqueue([(entry, states)], at: now)
      return entry
    case .invalid(let id, let reason):
      resolutions.append(.init(change: .failed(id, reason: reason), lastSink: nil))
      return nil
    }
  }

  /// Removes the first suspect whose sink is free.
  mutating func popNext(where isFree: (Int) -> Bool) -> Suspect? {
    waiting.firstIndex { isFree($0.sink) }.map { waiting.remove(at: $0) }
  }

  /// The delivery of a suspect begins.
  mutating func begin(_ suspect: Suspect, at now: Int64) {
    begin(suspect.counter, of: suspect.sink, at: now)
  }

  /// The delivery of any other item begins.
  mutating func begin(_ entry: QueueEntry, to sink: Int, at now: Int64) {
    begin(records.counter(.delivery(sinks[sink], entry.id)), of: sink, at: now)
  }

  private mutating func begin(_ counter: CrashCounter?, of sink: Int, at now: Int64) {
    running[sink] = counter
    running[sink]?.begin()
    if let counter = running[sink], counter.count > 1 { alone = (sink, now + timeLimit) }
  }

  /// The delivery of a sink ended without a crash.
  mutating func end(_ sink: Int) {
    running[sink]?.clear()
    running[sink] = nil
  }

  /// All deliveries ended without a crash.
  mutating func clear() {
    for sink in running.indices { end(sink) }
  }
}
