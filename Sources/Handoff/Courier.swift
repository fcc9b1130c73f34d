public import Configuration
public import Linux
internal import Spool

/// Carries every signature of a spool to every sink. Owns the main thread; each sink has its own.
public final class Courier {
  /// Where log lines go.
  public typealias Log = (StandardError.Priority, String) -> Void

  let configuration: HandoffConfiguration
  let log: Log
  let reports: Mailbox<SinkWorker.Report>
  let cancellation: Cancellation
  var workers: [SinkWorker] = []
  var queues: [SinkQueue]
  var ledger: Ledger
  var watch: SpoolWatch
  /// Nil where a sandbox does not allow it: then only pauses end.
  var routes: RouteNotices?
  var lastRoute: Int64?
  var metrics: Metrics
  /// While anything is to be delivered.
  var claim: SpoolLock?
  /// Another program delivers from the spool.
  var isElsewhere = false

  /// Every item that is in a queue, or waits to be read, or cannot be set aside.
  var known = ItemIDSet()
  /// Found and not read yet; the next one last.
  var unread: [ItemID] = []
  /// Deliveries that could not be recorded, by sink. Until they are, this sink, and no other, gets only what needs no
  /// record, or what another one could not record: a crash repeats at most one delivery for each sink that waits.
  var unrecorded: [[ItemID]]
  var recordDue: Int64 = 0
  /// What cannot be moved and need not be: somebody else's folder, say. Tried again at every scan.
  var stuck: [Settlement] = []
  /// What ended the program before.
  let crashes: CrashRecords
  /// The delivery under way, by sink.
  var attempts: [CrashCounter?]
  /// What was under way when the program ended. Each is delivered alone, before anything else is read or delivered,
  /// so that only the guilty one ends the program again.
  var suspects: [Suspect] = []
  /// How long nothing else is done beside a suspect: its receiver may be dead, and hold it for its whole time limit.
  /// Shorter in tests.
  var aloneTime: Int64 = 30_000_000_000
  /// The sink of the suspect that began last, and when the others go on although it is not done.
  var alone: (sink: Int, until: Int64)?
  /// Nil before the first reading.
  var reading: CrashCounter?
  /// Reading ended the program before: each item is read on record.
  var readsCarefully = false
  var carefulReading: CrashCounter?
  /// Records of deliveries have their folders, and suspects are known.
  var isPrepared = false
  /// How long the end of the program waits for what is under way, before it is cancelled. Shorter in tests.
  var endTime: Int64 = 5_000_000_000
  /// Whether ages can be told; another answer in tests.
  var isClockSet: () -> Bool = { WallClock.isSynchronized }
  /// Items that went to failed/ in this run.
  var failedCount = 0
  var scanDue: Int64 = 0
  var scanStarted: Int64 = 0
  var purgeDue: Int64 = 0
  var metricsDue: Int64 = 0
  /// The odometer's reading at `odometerStart` of the monotonic clock; nil before it is read.
  var odometer: Int64?
  var odometerStart: Int64 = 0
  /// What is wrong now and has been logged: it is logged once.
  var troubles: [Trouble: String] = [:]

  /// What can be wrong with things that are not sinks.
  enum Trouble: Hashable {
    /// Nothing can be read.
    case spool
    /// A delivery of this sink cannot be recorded.
    case record(Int)
    /// Failed attempts cannot be noted.
    case attempts
    /// Counters are not written.
    case metrics
    /// One item cannot be read or moved.
    case item(ItemID)
    /// What is kept does not go when its time is over.
    case retention
    /// The same of one item.
    case kept(ItemID)
    /// Neither can something that is no item.
    case foreign([UInt8])
  }

  /// A delivery that was under way when the program ended.
  struct Suspect {
    let sink: Int
    let entry: QueueEntry
    let counter: CrashCounter
  }

  static let sliceLength = 256
  static let readingTime: Int64 = 1_000_000_000
  static let troublePause: Int64 = 5_000_000_000
  static let routePause: Int64 = 30_000_000_000
  /// So long a new configuration waits for what is under way.
  static let reloadTime: Int64 = 25_000_000_000
  static let cancelTime: Int64 = 2_000_000_000

  /// Starts the threads of the sinks. `log` is called on the thread that runs the courier.
  public init(
    _ configuration: HandoffConfiguration, log: @escaping Log = StandardError.log
  ) throws(Errno) {
    self.configuration = configuration
    self.log = log
    reports = try Mailbox()
    cancellation = try Cancellation()
    watch = try SpoolWatch()
    routes = try? RouteNotices()
    metrics = Metrics(sinks: configuration.sinks.map { $0.name })
    let backoff = Backoff(first: configuration.firstPause, longest: configuration.longestPause)
    let seed = try Randomness.bits()
    queues = configuration.sinks.indices.map { SinkQueue(backoff, seed: seed &+ UInt64($0)) }
    ledger = Ledger(sinks: configuration.sinks.map { $0.name })
    unrecorded = configuration.sinks.map { _ in [] }
    attempts = configuration.sinks.map { _ in nil }
    crashes = CrashRecords(spool: configuration.spool)
    let items = try SharedItems(
      in: configuration.spool + "/new", limit: configuration.itemLimit)
    Sink.prepareLibraries(for: configuration.sinks)
    for (index, sink) in configuration.sinks.enumerated() {
      let worker = try SinkWorker(
        index, sink, spool: configuration.spool, items: items, reports: reports, cancellation)
      try worker.start().detach()
      workers.append(worker)
    }
  }

  deinit {
    cancellation.cancel()
    for worker in workers { worker.end() }
    // What is under way is given up, and ended nothing.
    for index in attempts.indices { attempts[index]?.clear() }
  }

  /// How much is not done yet: deliveries over all sinks, deliveries that are not recorded, items that cannot
  /// be read or moved, and a spool that cannot be looked into.
  public var remaining: Int {
    let troubles = troubles.keys.count {
      switch $0 {
      case .spool, .record, .item: true
      case .attempts, .metrics, .retention, .kept, .foreign: false
      }
    }
    return unread.count + suspects.count + queues.reduce(troubles) { $0 + $1.count }
  }

  var isBusy: Bool { queues.contains { $0.isBusy } }

  /// Whether nothing can be done now: everything is delivered, or waits for its time.
  var isIdle: Bool { unread.isEmpty && suspects.isEmpty && !isBusy }
}
