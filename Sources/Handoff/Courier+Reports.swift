internal import Configuration
internal import Linux
internal import Spool

extension Courier {
  func takeReports() {
    for report in reports.takeAll() {
      attempts[report.sink]?.clear()
      attempts[report.sink] = nil
      take(report, at: MonotonicClock.now)
    }
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
    case .answered(.never(let reason)): reject(report, reason, at: now)
    case .answered(.later(let reason, let pause)):
      postpone(report, reason, pause: pause, at: now)
    case .unreadable(.gone):
      queues[sink].drop()
      withdraw(entry)
      known.remove(entry.id)
      forgetUnrecorded(entry.id)
    case .unreadable(.invalid(let flaw)):
      queues[sink].drop()
      withdraw(entry)
      // Known until it is out of the way: else every scan would find it again.
      settle(.fail(entry.id, reason: flaw.reason), at: now)
    case .unreadable(.system(let error)):
      postpone(report, error.text, pause: nil, at: now)
    }
  }

  func name(_ sink: Int) -> String { configuration.sinks[sink].name }

  /// The sink will not be asked for this item again.
  private func refuse(_ entry: QueueEntry, _ reason: String, of sink: Int, at now: Int64) {
    metrics.countRefusal(sink)
    log(.error, "paraph: \(name(sink)) will never take \(entry.id.text): \(reason)")
    conclude(.never(reason), of: sink, entry, at: now)
  }

  private func reject(_ report: SinkWorker.Report, _ reason: String, at now: Int64) {
    let (sink, entry) = (report.sink, report.entry)
    switch queues[sink].reject(at: now) {
    case .final: refuse(entry, reason, of: sink, at: now)
    case .provisional(let attempts, let due, let opensBreaker):
      metrics.countFailure(sink)
      log(
        .warning,
        "paraph: \(name(sink)) rejected \(entry.id.text): \(reason); attempt \(attempts), "
          + again(due, now))
      if opensBreaker {
        log(
          .error,
          "paraph: \(name(sink)): rejected \(SinkQueue.patience) different signatures in a row (\(reason)); "
            + "paused, nothing is set aside: check the receiver and this sink's configuration")
      }
      keepOrExpire(
        entry, SinkState(attempts: attempts, reason: reason, isRejected: true), of: sink, at: now)
    }
  }

  private func postpone(
    _ report: SinkWorker.Report, _ reason: String, pause: Int64?, at now: Int64
  ) {
    metrics.countFailure(report.sink)
    let (attempts, due) = queues[report.sink].postpone(at: now, pause: pause)
    log(
      .warning,
      "paraph: \(name(report.sink)) could not take \(report.entry.id.text): \(reason); "
        + "attempt \(attempts), " + again(due, now))
    keepOrExpire(
      report.entry, SinkState(attempts: attempts, reason: reason), of: report.sink, at: now)
  }

  private func again(_ due: Int64, _ now: Int64) -> String {
    "again in \((due - now + 999_999_999) / 1_000_000_000) s"
  }

  /// After a failed attempt: the item waits, or is too old for that.
  private func keepOrExpire(
    _ entry: QueueEntry, _ state: SinkState, of sink: Int, at now: Int64
  ) {
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      if let most = configuration.maximumAge, isOlder(entry.id, than: most, in: spool) {
        queues[sink].remove(entry)
        let days = most / 86_400_000_000_000
        let age = days > 0 ? "\(days) d" : "\(most / 1_000_000_000) s"
        return refuse(
          entry, "not delivered within maximum-age (\(age)): \(state.reason ?? "")", of: sink,
          at: now)
      }
      // Not down to the disk: a power cut costs a count, not a signature.
      try spool.record(state, of: name(sink), for: entry.id, durable: false)
      clear(.attempts)
    } catch { note(.attempts, error.text) }
  }

  /// By the time in the id, where the clock was set then and is now: 1970 is not old.
  private func isOlder(_ id: ItemID, than age: Int64, in spool: borrowing Spool) -> Bool {
    guard isClockSet(), WallClock.now - id.time >= age,
      let manifest = try? Item.readManifest(of: id, in: spool.new)
    else { return false }
    return manifest.clockSynchronized
  }

  /// A sink is done with an item.
  func conclude(_ answer: Ledger.Answer, of sink: Int, _ entry: QueueEntry, at now: Int64) {
    switch ledger.record(answer, of: sink, for: entry.id) {
    case .wait: record(answer, of: sink, entry.id, at: now)
    // On record only if it cannot be moved.
    case .settle: settle(.settle(entry.id, last: sink), at: now)
    case .fail(let reason):
      // A retry has to know who has it.
      record(answer, of: sink, entry.id, at: now)
      settle(.fail(entry.id, reason: reason), at: now)
    }
  }

  private func record(_ answer: Ledger.Answer, of sink: Int, _ id: ItemID, at now: Int64) {
    switch answer {
    case .delivered: recordDelivery(of: id, to: sink, at: now)
    case .never(let reason):
      // If it is lost, the sink is asked once more, and rejects it once more.
      do throws(SpoolError) {
        let state = SinkState(.never, reason: reason)
        try Spool(at: configuration.spool).record(state, of: name(sink), for: id, durable: true)
        clear(.attempts)
      } catch { note(.attempts, error.text) }
    }
  }

  /// Where it cannot be recorded that a sink has an item, this sink waits until it can.
  private func recordDelivery(of id: ItemID, to sink: Int, at now: Int64) {
    do throws(SpoolError) {
      try Spool(at: configuration.spool).recordDelivery(of: id, to: name(sink))
      forgetUnrecorded(id, of: sink)
    } catch {
      if !unrecorded[sink].contains(id) { unrecorded[sink].append(id) }
      recordDue = now + Self.troublePause
      note(
        .record(sink), "\(name(sink)): cannot record a delivery (\(error.text)); the sink waits")
    }
  }

  func recordAgain(at now: Int64) {
    for index in unrecorded.indices {
      for id in unrecorded[index] { recordDelivery(of: id, to: index, at: now) }
    }
  }

  /// It is on record that a sink has an item, or need not be any more.
  private func forgetUnrecorded(_ id: ItemID, of sink: Int) {
    unrecorded[sink].removeAll { $0 == id }
    if unrecorded[sink].isEmpty { clear(.record(sink)) }
  }

  /// The same of all sinks.
  private func forgetUnrecorded(_ id: ItemID) {
    for index in unrecorded.indices { forgetUnrecorded(id, of: index) }
  }

  /// The item is not there any more, or never was one: no sink shall be asked again.
  private func withdraw(_ entry: QueueEntry) {
    for index in queues.indices { queues[index].remove(entry) }
    ledger.forget(entry.id)
  }

  /// Brings to the disk what was decided. An item that cannot be moved stays, with a record of who has it, and is
  /// in nobody's way.
  func settle(_ settlement: Settlement, at now: Int64) {
    do throws(SpoolError) {
      try perform(settlement)
      clear(.item(settlement.id))
    } catch {
      note(.item(settlement.id), error.text)
      stuck.append(settlement)
      if case .settle(let id, let last) = settlement { recordDelivery(of: id, to: last, at: now) }
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

  private func perform(_ settlement: Settlement) throws(SpoolError) {
    let spool = try Spool(at: configuration.spool)
    switch settlement {
    case .settle(let id, _):
      try spool.commit(.delivered(id))
      known.remove(id)
      // It has left `new`: a record has nothing to add.
      forgetUnrecorded(id)
      if configuration.retain == 0 {
        try spool.purge(id)
      } else if let stamp = retainStamp(at: MonotonicClock.now) {
        // Without a stamp its time begins at the next purge.
        do throws(SpoolError) { try spool.stamp(id, stamp) } catch {}
      }
    case .fail(let id, let reason):
      let isSetAside = try spool.commit(.failed(id, reason: reason))
      known.remove(id)
      crashes.forget(id, sinks: configuration.sinks.map { $0.name })
      guard isSetAside else { return forgetUnrecorded(id) }
      failedCount += 1
      metrics.countSetAside()
      log(.error, "paraph: set aside \(id.text) in failed/: \(reason)")
    }
  }
}
