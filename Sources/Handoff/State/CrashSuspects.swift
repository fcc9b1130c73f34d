internal import Linux
internal import Spool

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

  func entry(of id: ItemID) -> QueueEntry? { waiting.first { $0.entry.id == id }?.entry }

  mutating func append(_ suspect: Suspect) { waiting.append(suspect) }

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
