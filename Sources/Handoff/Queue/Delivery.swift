internal import CLinux
public import Configuration
public import Linux
internal import Retry
internal import Spool

/// Delivers every signature of a spool to every sink: the event loop of the main thread.
public final class Delivery {
  /// Receives log lines, on the thread that runs the delivery.
  public typealias Log = (StandardError.Priority, String) -> Void

  /// Why a run ended.
  public enum End {
    /// SIGTERM or SIGINT.
    case terminated
    /// Another program delivers from the spool.
    case locked
    /// The configuration changed. No delivery is running.
    case reload(HandoffConfiguration)
  }

  /// Limits that tests change. Times are in nanoseconds.
  struct Limits {
    /// How long a shutdown waits for running deliveries before it cancels them.
    var shutdown: Int64 = 5_000_000_000
    /// How long a suspect is delivered alone: its receiver may not respond before its time limit.
    var alone: Int64 = 30_000_000_000
    /// Whether the wall clock is synchronised.
    var isClockSynchronized: () -> Bool = { WallClock.isSynchronized }
    /// Whether the machine has just started, and with it perhaps its whole fleet.
    var isBoot = MonotonicClock.now < 300_000_000_000
  }

  private let configuration: HandoffConfiguration
  private let limits: Limits
  let problems: Problems
  private let metrics: Metrics
  private let retention: Retention
  let scheduler: Scheduler
  private let reports: Mailbox<SinkWorker.Report>
  private let cancellation: Cancellation
  private var workers: [SinkWorker] = []
  private let stampReports: Mailbox<TimestampWorker.Report>
  /// Nil: no time stamps are configured.
  private var stampWorker: TimestampWorker?
  /// Nil where a sandbox forbids it.
  private var routes: RouteNotices?
  private var routeTime: Int64?
  private let monitor: Monitor
  /// Whether the end of the program cancelled a delivery.
  private var hasInterrupted = false

  /// The minimum time between two flushes by the network.
  private static let routeInterval: Int64 = 30_000_000_000
  /// How long a new configuration waits for running deliveries.
  private static let reloadTimeLimit: Int64 = 25_000_000_000
  private static let cancelTimeLimit: Int64 = 2_000_000_000

  /// Starts the threads of the sinks.
  public convenience init(
    _ configuration: HandoffConfiguration, log: @escaping Log = StandardError.log
  ) throws(Errno) {
    try self.init(configuration, Limits(), log: log)
  }

  init(
    _ configuration: HandoffConfiguration, _ limits: Limits, log: @escaping Log
  ) throws(Errno) {
    self.configuration = configuration
    self.limits = limits
    problems = Problems(log)
    metrics = Metrics(sinks: configuration.sinks.map { $0.name }, path: configuration.metrics)
    retention = Retention(spool: configuration.spool, time: configuration.retain, problems)
    scheduler = try Scheduler(configuration, limits, retention, problems, metrics)
    reports = try Mailbox()
    stampReports = try Mailbox()
    cancellation = try Cancellation()
    routes = try? RouteNotices()
    monitor = Monitor(configuration, seed: try Randomness.bits())
    let items = try SharedItems(in: configuration.spool + "/new", limit: configuration.itemLimit)
    Sink.prepareLibraries(for: configuration.sinks)
    if configuration.timestamp != nil { HTTPClient.prepareLibrary() }
    for (index, sink) in configuration.sinks.enumerated() {
      let worker = try SinkWorker(
        index, sink, spool: configuration.spool, items: items, reports: reports, cancellation,
        Backoff(connectionsOf: configuration), bootDue: scheduler.bootDues[index])
      if !sink.isHeld { try worker.start().detach() }
      workers.append(worker)
    }
    if let timestamp = configuration.timestamp {
      let worker = try TimestampWorker(
        timestamp, spool: configuration.spool, reports: stampReports, cancellation)
      try worker.start().detach()
      stampWorker = worker
    }
  }

  deinit {
    cancellation.cancel()
    for worker in workers { worker.end() }
    stampWorker?.end()
  }

  /// The number of deliveries and problems that are left, with the items that failed.
  public var remaining: Int { scheduler.remaining + scheduler.failedCount }

  /// Runs until SIGTERM or SIGINT, or until SIGHUP if `reload` returns another configuration. SIGHUP also scans
  /// the spool and flushes the queues.
  ///
  /// - Parameter reload: Reads the configuration again; nil if it is invalid.
  public func run(
    signals: borrowing SignalDescriptor, reload: () -> HandoffConfiguration?
  ) throws(Errno) -> End {
    try run(signals.number, nextSignal: { signals.next() }, reload: reload)
  }

  /// `number`: readable when `nextSignal` returns a signal.
  func run(
    _ number: Int32, nextSignal: () -> Int32?, reload: () -> HandoffConfiguration?
  ) throws(Errno) -> End {
    var poll = Poll()
    poll.add(number)
    let noticesPlace = poll.add(-1)
    poll.add(reports.number)
    poll.add(routes?.number ?? -1)
    poll.add(stampReports.number)
    let padPlace = poll.add(-1)
    let infoPlace = poll.add(-1)
    var next: HandoffConfiguration?
    var reloadDue: Int64 = 0
    while true {
      // Before a reload, running deliveries end and no other begins.
      var wait = next == nil ? step(at: MonotonicClock.now) : 0
      poll.replace(noticesPlace, with: scheduler.descriptor)
      // Before a reload nothing reads these descriptors, and each wait would return at once.
      let pad = next == nil ? monitor.padNumbers : (watch: -1, info: -1)
      poll.replace(padPlace, with: pad.watch)
      poll.replace(infoPlace, with: pad.info)
      if scheduler.isLockedElsewhere {
        // Deliveries of an earlier spool at this path.
        try finishDeliveries(until: MonotonicClock.now + limits.shutdown)
        return .locked
      }
      if let next {
        let left = reloadDue - MonotonicClock.now
        if !scheduler.isBusy || left <= 0 {
          try shutDown()
          return .reload(next)
        }
        wait = Int32(clamping: left / 1_000_000 + 1)
      }
      try poll.wait(milliseconds: wait)
      while let signal = nextSignal() {
        if signal == SIGTERM || signal == SIGINT {
          try shutDown()
          return .terminated
        }
        if signal != SIGHUP { continue }
        let read = reload()
        scheduler.flush(at: MonotonicClock.now)
        monitor.requestCheck()
        // An invalid one leaves the valid one that waits.
        if let read {
          next = read == configuration ? nil : read
          reloadDue = MonotonicClock.now + Self.reloadTimeLimit
        }
      }
      scheduler.readNotices(at: MonotonicClock.now)
      readReports()
      readRoutes()
    }
  }

  /// Tries to deliver every item once, until SIGTERM or SIGINT. Returns `remaining`.
  public func runOnce(signals: borrowing SignalDescriptor) throws(Errno) -> Int {
    try runOnce(signals.number) { signals.next() }
  }

  /// `number`: readable when `nextSignal` returns a signal; −1: never.
  func runOnce(
    _ number: Int32 = -1, nextSignal: () -> Int32? = { nil }
  ) throws(Errno) -> Int {
    var poll = Poll()
    poll.add(reports.number)
    poll.add(number)
    poll.add(stampReports.number)
    var isFlushed = false
    scheduler.setImpatient()
    while true {
      let now = MonotonicClock.now
      let wait = step(at: now)
      if scheduler.isLockedElsewhere { return max(1, remaining) }
      if !isFlushed && scheduler.unread.isEmpty {
        // Recorded retry delays do not apply.
        isFlushed = true
        scheduler.flushQueues(at: now)
        continue
      }
      if scheduler.isIdle || problems.isSpoolBroken {
        writeMetrics(at: now)
        return remaining
      }
      let isAlone = scheduler.isAlone(at: now)
      try poll.wait(milliseconds: isAlone ? wait : scheduler.hasMore ? 0 : -1)
      while let signal = nextSignal() {
        if signal == SIGTERM || signal == SIGINT {
          try shutDown()
          return remaining
        }
      }
      readReports()
    }
  }

  /// Does what is due. Returns the milliseconds until something else is.
  func step(at now: Int64) -> Int32 {
    var due = scheduler.step(at: now) {
      // Before the delivery that the request asks for.
      retryFlushed()
      workers[$0].deliver($1)
    } fetch: {
      stampWorker?.fetch($0)
    }
    retryFlushed()
    observe(at: now)
    if metrics.due <= now { writeMetrics(at: now) }
    due = min(due, metrics.due, monitor.due)
    // Rounded up, or the last millisecond would be a busy loop.
    return Int32(clamping: max(0, due - now + 999_999) / 1_000_000)
  }

  private func retryFlushed() {
    for sink in scheduler.takeFlushed() { workers[sink].retryNow() }
  }

  /// Passes what changed of pad and spool to the sinks that publish it.
  private func observe(at now: Int64) {
    guard
      let presence = monitor.work(
        waiting: scheduler.waitingCount, oldest: { scheduler.oldest }, at: now)
    else { return }
    metrics.setChanged()
    for worker in workers where worker.publishesPresence { worker.publish(presence) }
  }

  private func writeMetrics(at now: Int64) {
    let observed = Metrics.Observation(
      sinks: zip(scheduler.gauges, workers).map { gauges, worker in
        var gauges = gauges
        gauges.isConnected = worker.health.isConnected
        gauges.conflicts = worker.health.conflictCount
        gauges.rejectedStatus = worker.health.rejectedStatusCount
        gauges.connectionFailures = worker.health.failureCounts
        return gauges
      }, pad: monitor.status, spool: monitor.figures,
      isSpoolUnreadable: problems.isSpoolUnreadable, expiry: monitor.expiry,
      unreadableCertificates: monitor.unreadableCertificates, time: WallClock.now)
    metrics.write(observed, at: now, problems)
  }

  private func readReports() {
    for report in reports.takeAll() {
      if cancellation.isCancelled, !report.isDelivered {
        hasInterrupted = true
        scheduler.interrupt(report, at: MonotonicClock.now)
      } else {
        scheduler.complete(report, at: MonotonicClock.now)
      }
    }
    for report in stampReports.takeAll() { scheduler.complete(report, at: MonotonicClock.now) }
  }

  /// Flushes the queues if there is a new route. An unstable network does not cancel every retry delay.
  private func readRoutes() {
    guard routes?.read() == true else { return }
    let now = MonotonicClock.now
    if let last = routeTime, now < last + Self.routeInterval { return }
    routeTime = now
    problems.log(.info, "network: a route was added; retrying failed deliveries")
    let dues = scheduler.flushSoon(at: now)
    for (worker, due) in zip(workers, dues) { worker.networkChanged(queueDue: due) }
  }

  /// Lets running deliveries end, then cancels them. A cancelled delivery is repeated by the next run.
  private func shutDown() throws(Errno) {
    defer {
      retention.saveUptime(at: MonotonicClock.now)
      writeMetrics(at: MonotonicClock.now)
    }
    try finishDeliveries(until: MonotonicClock.now + limits.shutdown)
    if !scheduler.isBusy { return }
    cancellation.cancel()
    try finishDeliveries(until: MonotonicClock.now + Self.cancelTimeLimit)
    if scheduler.isBusy || hasInterrupted {
      problems.log(.notice, "shutdown: a delivery was interrupted; the next run repeats it")
    }
  }

  private func finishDeliveries(until limit: Int64) throws(Errno) {
    var poll = Poll()
    poll.add(reports.number)
    poll.add(stampReports.number)
    while scheduler.isBusy {
      let left = limit - MonotonicClock.now
      if left <= 0 { return }
      try poll.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1))
      readReports()
    }
  }
}
