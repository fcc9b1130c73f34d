internal import CLinux
public import Configuration
public import Linux
internal import Spool

extension Courier {
  /// Why a run ended.
  public enum End {
    /// SIGTERM or SIGINT.
    case asked
    /// Another program delivers from the spool.
    case elsewhere
    /// A new configuration is to be taken over. Nothing is under way.
    case reload(HandoffConfiguration)
  }

  /// Runs until SIGTERM or SIGINT, or until SIGHUP where `reload` returns a configuration that differs. SIGHUP also
  /// looks for items and tries all of them now.
  ///
  /// - Parameter reload: Reads the configuration anew; nil if it is refused.
  public func run(
    signals: borrowing SignalDescriptor, reload: () -> HandoffConfiguration?
  ) throws(Errno) -> End {
    var poll = Poll()
    poll.add(signals.number)
    poll.add(watch.number)
    poll.add(reports.number)
    poll.add(routes?.number ?? -1)
    var next: HandoffConfiguration?
    var reloadLimit: Int64 = 0
    while true {
      // What is under way is finished before another configuration is taken over; nothing else begins.
      let wait = next == nil ? step(at: MonotonicClock.now) : 0
      if isElsewhere {
        // Of a spool that had the name before.
        try finishDeliveries(until: MonotonicClock.now + endTime)
        return .elsewhere
      }
      if let next, !isBusy || MonotonicClock.now >= reloadLimit {
        try end()
        return .reload(next)
      }
      try poll.wait(
        milliseconds: next == nil
          ? wait : Int32(clamping: max(0, reloadLimit - MonotonicClock.now) / 1_000_000 + 1))
      while let signal = signals.next() {
        if signal == SIGTERM || signal == SIGINT {
          try end()
          return .asked
        }
        if signal != SIGHUP { continue }
        let read = reload()
        hurry(at: MonotonicClock.now)
        next = read == configuration ? nil : read
        if next != nil { reloadLimit = MonotonicClock.now + Self.reloadTime }
      }
      takeNotices()
      takeReports()
      takeRoutes()
    }
  }

  /// Tries to deliver everything that is there, until SIGTERM or SIGINT. Returns how much is left over, with
  /// what was set aside.
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
      let wait = step(at: now)
      if isElsewhere { return max(1, remaining + failedCount) }
      if !isRead && unread.isEmpty {
        // Nobody waits here for an earlier failure's pause to end.
        isRead = true
        for index in queues.indices { queues[index].reset(at: now, evenIfDemanded: true) }
        continue
      }
      if isIdle || troubles[.spool] != nil {
        metrics.isChanged = true
        writeMetrics(at: now)
        return remaining + failedCount
      }
      try poll.wait(milliseconds: isAlone(at: now) ? wait : unread.isEmpty ? -1 : 0)
      while let signal = nextSignal() {
        if signal == SIGTERM || signal == SIGINT {
          try end()
          return remaining + failedCount
        }
      }
      takeReports()
    }
  }

  /// Does what is due, and returns how many milliseconds nothing else is.
  func step(at now: Int64) -> Int32 {
    defer { releaseClaim() }
    if scanDue <= now { scan(at: now) }
    if isElsewhere { return 0 }
    if purgeDue <= now { purge(at: now) }
    if metricsDue <= now && metrics.isChanged { writeMetrics(at: now) }
    deliverSuspect(at: now)
    let isAlone = isAlone(at: now)
    if !isAlone { readSlice(at: now) }
    if recordDue <= now { recordAgain(at: now) }
    var due = min(scanDue, purgeDue)
    if metrics.isChanged { due = min(due, metricsDue) }
    if unrecorded.contains(where: { !$0.isEmpty }) { due = min(due, recordDue) }
    if isAlone {
      due = min(due, alone?.until ?? now)
    } else {
      if unread.isEmpty || now >= scanStarted + Self.readingTime {
        due = min(due, deliverNext(at: now))
      }
      if !unread.isEmpty { return 0 }
    }
    // Rounded up, or the last millisecond would be spent spinning.
    return Int32(clamping: max(0, due - now + 999_999) / 1_000_000)
  }

  /// Gives every sink that is free its next item. Returns when the next one is due.
  private func deliverNext(at now: Int64) -> Int64 {
    var due = Int64.max
    for index in queues.indices {
      if waitsForRoom(index) {
        if let entry = queues[index].begin(at: now, where: { needsNoRoom($0, for: index) }) {
          deliver(entry, to: index, at: now)
        }
        continue
      }
      switch queues[index].next(at: now) {
      case .rest: break
      case .wait(let until): due = min(due, until)
      case .deliver(let entry): deliver(entry, to: index, at: now)
      }
    }
    return due
  }

  /// Whether a crash would repeat a delivery of this sink. Of an item that has left `new` it repeats none.
  private func waitsForRoom(_ sink: Int) -> Bool {
    unrecorded[sink].contains { known.contains($0) }
  }

  /// Whether a sink that waits for room may have this item.
  private func needsNoRoom(_ id: ItemID, for sink: Int) -> Bool {
    // Where each of three sinks has an item of its own, none would ever be the last one.
    if unrecorded.contains(where: { $0.contains(id) }) { return true }
    // It needs no record, and makes room when it leaves, unless such an item just could not leave.
    return ledger.isLast(sink, for: id) && !stuck.contains { unrecorded[sink].contains($0.id) }
  }

  /// Whether a suspect has the program for itself now.
  func isAlone(at now: Int64) -> Bool {
    guard let alone, now < alone.until, let attempt = attempts[alone.sink] else { return false }
    return attempt.count > 1
  }

  /// Delivers the next suspect, unless one is alone. A sink is at one item at a time.
  private func deliverSuspect(at now: Int64) {
    guard !isAlone(at: now),
      let place = suspects.firstIndex(where: { !queues[$0.sink].isBusy })
    else { return }
    let suspect = suspects.remove(at: place)
    queues[suspect.sink].begin(suspect.entry)
    deliver(suspect.entry, to: suspect.sink, suspect.counter, at: now)
  }

  private func deliver(
    _ entry: QueueEntry, to sink: Int, _ known: CrashCounter? = nil, at now: Int64
  ) {
    var counter = known ?? crashes.counter(.delivery(name(sink), entry.id))
    counter?.begin()
    if let counter, counter.count > 1 { alone = (sink, now + aloneTime) }
    attempts[sink] = counter
    workers[sink].deliver(entry)
  }

  /// Somebody asked.
  private func hurry(at now: Int64) {
    scanDue = now
    recordDue = now
    for index in queues.indices { queues[index].reset(at: now, evenIfDemanded: true) }
  }

  /// There is a new way to the world. A network that comes and goes does not undo every pause.
  private func takeRoutes() {
    guard routes?.read() == true else { return }
    let now = MonotonicClock.now
    if let last = lastRoute, now < last + Self.routePause { return }
    lastRoute = now
    log(.info, "paraph: the network has changed: trying again what waits")
    for index in queues.indices { queues[index].resetSoon(at: now) }
  }

  /// What is being delivered may end, for a while; what has not is delivered again.
  private func end() throws(Errno) {
    defer {
      keepOdometer(at: MonotonicClock.now)
      metrics.isChanged = true
      writeMetrics(at: MonotonicClock.now)
    }
    try finishDeliveries(until: MonotonicClock.now + endTime)
    if !isBusy { return }
    cancellation.cancel()
    try finishDeliveries(until: MonotonicClock.now + Self.cancelTime)
    if isBusy {
      log(.notice, "paraph: ends in the middle of a delivery, which is made again")
    }
  }

  private func finishDeliveries(until limit: Int64) throws(Errno) {
    var poll = Poll()
    poll.add(reports.number)
    while isBusy {
      let left = limit - MonotonicClock.now
      if left <= 0 { return }
      try poll.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1))
      takeReports()
    }
  }
}
