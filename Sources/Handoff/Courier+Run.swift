internal import CLinux
internal import Configuration
public import Linux
internal import Spool

extension Courier {
  /// Runs until SIGTERM or SIGINT. SIGHUP looks for items and tries all of them now. False if another program
  /// delivers from the spool.
  public func run(signals: borrowing SignalDescriptor) throws(Errno) -> Bool {
    var poll = Poll()
    poll.add(signals.number)
    poll.add(watch.number)
    poll.add(reports.number)
    poll.add(routes?.number ?? -1)
    while true {
      let wait = step(at: MonotonicClock.now)
      if isElsewhere {
        // Of a spool that had the name before.
        try finishDeliveries(until: MonotonicClock.now + Self.endTime)
        return false
      }
      try poll.wait(milliseconds: wait)
      while let signal = signals.next() {
        if signal == SIGTERM || signal == SIGINT {
          try end()
          return true
        }
        if signal == SIGHUP { hurry(at: MonotonicClock.now) }
      }
      takeNotices()
      takeReports()
      takeRoutes()
    }
  }

  /// Tries to deliver everything that is there, until SIGTERM or SIGINT. Returns how much is left over.
  public func runOnce(signals: borrowing SignalDescriptor) throws(Errno) -> Int {
    try runOnce(signals.number) { signals.next() }
  }

  /// `number`: readable when `nextSignal` has one; −1: never.
  func runOnce(
    _ number: Int32 = -1, nextSignal: () -> Int32? = { nil }
  ) throws(Errno) -> Int {
    var poll = Poll()
    poll.add(reports.number)
    poll.add(number)
    var isRead = false
    while true {
      let now = MonotonicClock.now
      _ = step(at: now)
      if isElsewhere { return max(1, remaining) }
      if !isRead && unread.isEmpty {
        // Nobody waits here for an earlier failure's pause to end.
        isRead = true
        for index in queues.indices { queues[index].reset(at: now, evenIfDemanded: true) }
        continue
      }
      if isIdle || !unsettled.isEmpty || troubles[.spool] != nil {
        metrics.isChanged = true
        writeMetrics(at: now)
        return remaining
      }
      try poll.wait(milliseconds: unread.isEmpty ? -1 : 0)
      while let signal = nextSignal() {
        if signal == SIGTERM || signal == SIGINT {
          try end()
          return remaining
        }
      }
      takeReports()
    }
  }

  /// Does what is due, and returns how many milliseconds nothing else is.
  private func step(at now: Int64) -> Int32 {
    defer { releaseClaim() }
    if scanDue <= now { scan(at: now) }
    if isElsewhere { return 0 }
    if purgeDue <= now { purge(at: now) }
    if metricsDue <= now && metrics.isChanged { writeMetrics(at: now) }
    readSlice(at: now)
    if !unsettled.isEmpty && settleDue <= now { settleAgain(at: now) }
    var due = min(scanDue, purgeDue)
    if metrics.isChanged { due = min(due, metricsDue) }
    if unsettled.isEmpty && (unread.isEmpty || now >= scanStarted + Self.readingTime) {
      for index in queues.indices {
        switch queues[index].next(at: now) {
        case .rest: break
        case .wait(let until): due = min(due, until)
        case .deliver(let entry): workers[index].deliver(entry)
        }
      }
    } else if !unsettled.isEmpty {
      due = min(due, settleDue)
    }
    if !unread.isEmpty { return 0 }
    // Rounded up, or the last millisecond would be spent spinning.
    return Int32(clamping: max(0, due - now + 999_999) / 1_000_000)
  }

  /// Somebody asked.
  private func hurry(at now: Int64) {
    scanDue = now
    settleDue = now
    for index in queues.indices { queues[index].reset(at: now, evenIfDemanded: true) }
  }

  /// There is a new way to the world. A network that comes and goes does not undo every pause.
  private func takeRoutes() {
    guard routes?.read() == true else { return }
    let now = MonotonicClock.now
    if let last = lastRoute, now < last + Self.routePause { return }
    lastRoute = now
    log(.info, "paraph: the network has changed: trying again what waits")
    for index in queues.indices { queues[index].reset(at: now, evenIfDemanded: false) }
  }

  /// What is being delivered may end, for a while; what has not is delivered again.
  private func end() throws(Errno) {
    defer {
      keepOdometer(at: MonotonicClock.now)
      metrics.isChanged = true
      writeMetrics(at: MonotonicClock.now)
    }
    try finishDeliveries(until: MonotonicClock.now + Self.endTime)
    if !queues.contains(where: { $0.isBusy }) { return }
    cancellation.cancel()
    try finishDeliveries(until: MonotonicClock.now + Self.cancelTime)
    if queues.contains(where: { $0.isBusy }) {
      log(.notice, "paraph: ends in the middle of a delivery, which is made again")
    }
  }

  private func finishDeliveries(until limit: Int64) throws(Errno) {
    var poll = Poll()
    poll.add(reports.number)
    while queues.contains(where: { $0.isBusy }) {
      let left = limit - MonotonicClock.now
      if left <= 0 { return }
      try poll.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1))
      takeReports()
    }
  }
}
