internal import Configuration
internal import Linux
internal import Spool

extension Courier {
  func takeReports() {
    for report in reports.takeAll() { take(report, at: MonotonicClock.now) }
  }

  private func take(_ report: SinkWorker.Report, at now: Int64) {
    let (sink, entry) = (report.sink, report.entry)
    // An item that has gone, or is none, is nobody's any more, whatever a sink still has to say of it.
    guard queues[sink].isDelivering(entry) else { return queues[sink].drop() }
    switch report.result {
    case .answered(.delivered):
      let attempt = queues[sink].finish(at: now)
      metrics.countDelivery(sink)
      log(
        .info,
        "paraph: delivered \(entry.id.text) to \(name(sink)) (sequence \(entry.sequence), "
          + "attempt \(attempt), monotonic \(now))")
      conclude(.delivered, of: sink, entry, at: now)
    case .answered(.never(let reason)):
      queues[sink].finish(at: now)
      metrics.countRefusal(sink)
      log(.error, "paraph: \(name(sink)) will never take \(entry.id.text): \(reason)")
      conclude(.never(reason), of: sink, entry, at: now)
    case .answered(.later(let reason, let pause)):
      postpone(report, reason, pause: pause, at: now)
    case .unreadable(.gone):
      queues[sink].drop()
      withdraw(entry)
      known.remove(entry.id)
    case .unreadable(.flaw(let flaw)):
      queues[sink].drop()
      withdraw(entry)
      // Known until it is out of the way: else every scan would find it again.
      settle(.fail(entry.id, reason: flaw.reason), at: now)
    case .unreadable(.system(let error)):
      postpone(report, error.text, pause: nil, at: now)
    }
  }

  private func name(_ sink: Int) -> String { configuration.sinks[sink].name }

  private func postpone(
    _ report: SinkWorker.Report, _ reason: String, pause: Int64?, at now: Int64
  ) {
    metrics.countFailure(report.sink)
    let (attempts, due) = queues[report.sink].postpone(at: now, pause: pause)
    let (id, sink) = (report.entry.id, name(report.sink))
    log(
      .warning,
      "paraph: \(sink) could not take \(id.text): \(reason); attempt \(attempts), "
        + "again in \((due - now + 999_999_999) / 1_000_000_000) s")
    do throws(SpoolError) {
      let state = SinkState(.pending, attempts: attempts, reason: reason)
      // Not down to the disk: a power cut costs a count, not a signature.
      try Spool(at: configuration.spool).note(state, of: sink, for: id, durable: false)
    } catch { note(.spool, error.text) }
  }

  /// A sink is done with an item. A retry has to know who has it already, so that is noted also for the
  /// last one, unless nothing is left to retry.
  func conclude(_ answer: Ledger.Answer, of sink: Int, _ entry: QueueEntry, at now: Int64) {
    let verdict = ledger.record(answer, of: sink, for: entry.id)
    if verdict == .settle { return settle(.settle(entry.id, last: name(sink)), at: now) }
    let state: SinkState
    switch answer {
    case .delivered: state = SinkState(.delivered)
    case .never(let reason): state = SinkState(.never, reason: reason)
    }
    settle(.note(state, sink: name(sink), entry.id), at: now)
    if case .fail(let reason) = verdict { settle(.fail(entry.id, reason: reason), at: now) }
  }

  /// The item is not there any more, or never was one: no sink shall be asked again.
  private func withdraw(_ entry: QueueEntry) {
    for index in queues.indices { queues[index].remove(entry) }
    ledger.forget(entry.id)
  }

  /// Brings to the disk what was decided. Where a note fails, nothing is delivered until it succeeds;
  /// an item that cannot be moved stays, with a note of who has it, and is in nobody's way.
  func settle(_ settlement: Settlement, at now: Int64) {
    do throws(SpoolError) {
      try perform(settlement)
      clear(.item(settlement.id))
    } catch {
      switch settlement {
      case .note:
        note(.spool, error.text)
        unsettled.append(settlement)
        settleDue = now + Self.troublePause
      case .settle(let id, let last):
        note(.item(id), error.text)
        stuck.append(settlement)
        settle(.note(SinkState(.delivered), sink: last, id), at: now)
      case .fail(let id, _):
        note(.item(id), error.text)
        stuck.append(settlement)
      }
    }
  }

  /// At every scan: permissions may have been put right.
  func settleStuck(at now: Int64) {
    let waiting = stuck
    stuck = []
    for settlement in waiting {
      do throws(SpoolError) {
        try perform(settlement)
        clear(.item(settlement.id))
      } catch {
        note(.item(settlement.id), error.text)
        stuck.append(settlement)
      }
    }
  }

  func settleAgain(at now: Int64) {
    let waiting = unsettled
    unsettled = []
    for settlement in waiting { settle(settlement, at: now) }
    if unsettled.isEmpty { clear(.spool) }
  }

  private func perform(_ settlement: Settlement) throws(SpoolError) {
    let spool = try Spool(at: configuration.spool)
    switch settlement {
    case .note(let state, let sink, let id):
      try spool.note(state, of: sink, for: id, durable: true)
    case .settle(let id, _):
      try spool.settle(id)
      known.remove(id)
      if configuration.retain == 0 {
        try spool.purge(id)
      } else if let stamp = retainStamp(at: MonotonicClock.now) {
        try spool.stamp(id, stamp)
      }
    case .fail(let id, let reason):
      let isSetAside = try spool.fail(id, reason: reason)
      known.remove(id)
      guard isSetAside else { return }
      metrics.countSetAside()
      log(.error, "paraph: set aside \(id.text) in failed/: \(reason)")
    }
  }
}
