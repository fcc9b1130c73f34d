internal import CLinux
internal import Configuration
internal import Linux
internal import Retry
internal import Seal
internal import Spool

/// Holds items back until they have a time stamp, at most for the configured time. Connects the queue of fetches with
/// the spool, the log and the records; owns no thread.
final class Timestamps {
  private let configuration: TimestampConfiguration
  private let spool: String
  private let limits: Delivery.Limits
  private let problems: Problems
  private let metrics: Metrics
  private let firstSeen: FirstSeen
  private var queue: TimestampQueue
  /// The items of the queue, to find those that left `new`.
  private var entries: [ItemID: QueueEntry] = [:]
  /// Whether an unsigned item was reported.
  private var hasReportedUnsigned = false

  /// Nil if no time stamps are configured.
  init?(
    _ configuration: HandoffConfiguration, _ limits: Delivery.Limits, _ problems: Problems,
    _ metrics: Metrics, seed: UInt64
  ) {
    guard let timestamp = configuration.timestamp else { return nil }
    self.configuration = timestamp
    self.limits = limits
    self.problems = problems
    self.metrics = metrics
    spool = configuration.spool
    firstSeen = FirstSeen(in: CrashRecords(spool: configuration.spool).folder)
    // Several attempts within the time that items wait.
    let longest = max(
      configuration.firstPause, min(configuration.longestPause, timestamp.wait / 8))
    queue = TimestampQueue(
      wait: timestamp.wait, minimumWait: timestamp.timeLimit,
      Backoff(
        first: configuration.firstPause, longest: longest, longestEarly: Backoff.fleetLimit),
      seed: seed)
    if limits.isBoot { queue.startSoon(at: MonotonicClock.now) }
    metrics.timestamps = TimestampMetrics()
  }

  var isBusy: Bool { queue.isBusy }
  /// The number of items that sinks do not have yet.
  var heldCount: Int { queue.heldCount }
  /// Whether `step` has more items to release at once.
  var hasExpired: Bool { queue.hasExpired }
  /// The oldest item by its id that sinks do not have yet; nil: there is none.
  var oldest: ItemID? { queue.oldest }

  /// Prepares for a run that ends as soon as nothing is under way.
  func setImpatient() { queue.setImpatient() }

  // MARK: Items

  /// Removes what was recorded of items that left `new` while the program did not run.
  func forget(except isKept: (ItemID) -> Bool) { firstSeen.forget(except: isKept) }

  /// Whether sinks may have an item that was found. Otherwise it is returned later.
  func admit(_ entry: QueueEntry, _ states: TimestampQueue.States, at now: Int64) -> Bool {
    switch timestamp(of: entry.id) {
    case nil, .present: return true
    case .unsigned:
      if !hasReportedUnsigned {
        problems.log(
          .notice,
          "timestamp: \(entry.id.text) is not signed by the pad: such signatures get no time stamp"
        )
      }
      hasReportedUnsigned = true
      return true
    case .absent(isMissed: true):
      entries[entry.id] = entry
      queue.addMissed(entry)
      return true
    case .absent(isMissed: false): break
    }
    entries[entry.id] = entry
    // Before the first attempt, which a crash may end.
    if configuration.wait > 0 { firstSeen.record(entry.id, now) }
    let isFree = queue.add(
      entry, states, seen: firstSeen.time(of: entry.id) ?? now,
      signed: entry.id.signingTime(in: spool), wall: wall, at: now)
    if isFree { mark(entry.id, "sinks do not wait for it") }
    update()
    return isFree
  }

  /// Whether the item has a time stamp; nil if that cannot be read.
  private func timestamp(of id: ItemID) -> Spool.Timestamp? {
    do throws(SpoolError) {
      let timestamp = try Spool(at: spool).timestamp(of: id)
      problems.resolve(.timestamp)
      return timestamp
    } catch {
      if case .system(let error) = error, Self.transient.contains(error.errno.rawValue) {
        problems.report(.timestamp, "timestamp: \(id.text): \(error.text); retrying")
        return .absent(isMissed: false)
      }
      problems.report(.timestamp, "timestamp: \(id.text): \(error.text); not fetched")
      // The sinks decide about an item that cannot be read.
      return nil
    }
  }

  /// Errors that say nothing about an item: it is treated as one without a time stamp.
  private static let transient = [EMFILE, ENFILE, ENOMEM, EIO]

  private var wall: Int64? { limits.isClockSynchronized() ? WallClock.now : nil }

  /// An item left `new`, or is invalid.
  func remove(_ id: ItemID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    queue.remove(entry)
    firstSeen.forget(id)
    update()
  }

  /// Items left `new`.
  func remove(_ ids: Set<ItemID>) {
    let found = ids.compactMap { entries.removeValue(forKey: $0) }
    if found.isEmpty { return }
    queue.remove(found)
    for entry in found { firstSeen.forget(entry.id) }
    update()
  }

  // MARK: Fetches

  /// Begins the next fetch, and passes the items that have waited for long enough to `release`. Returns when it must be
  /// called again.
  func step(
    at now: Int64, _ fetch: (QueueEntry) -> Void, release: (TimestampQueue.Held) -> Void
  ) -> Int64 {
    let expired = queue.expire(at: now, wall: wall)
    let time = Self.text(configuration.wait)
    if expired.count == 1, let id = expired.first?.entry.id.text {
      problems.log(.warning, "timestamp: \(id): none within \(time); sinks take it without")
    } else if let first = expired.first?.entry.id.text, let last = expired.last?.entry.id.text {
      problems.log(
        .warning,
        "timestamp: \(first) to \(last): none within \(time); sinks take these "
          + "\(expired.count) signatures without")
    }
    for item in expired {
      mark(item.entry.id, "none within \(time)")
      metrics.timestamps?.missed += 1
      release(item)
    }
    if !expired.isEmpty { update() }
    let action = queue.next(at: now)
    if case .deliver(let entry) = action { fetch(entry) }
    return queue.due(after: action)
  }

  /// Processes a report, and passes the item to `release` if sinks may have it now.
  func complete(
    _ report: TimestampWorker.Report, at now: Int64, release: (TimestampQueue.Held) -> Void
  ) {
    let entry = report.entry
    // The item left `new` meanwhile.
    guard queue.isFetching(entry) else {
      if case .stored = report.result { metrics.timestamps?.stamped += 1 }
      return queue.discard()
    }
    var released: TimestampQueue.Held?
    switch report.result {
    case .stored(let timestamp):
      let attempt: Int
      (attempt, released) = queue.complete(entry)
      forget(entry.id)
      metrics.timestamps?.stamped += 1
      problems.log(
        .info,
        "timestamp: \(entry.id.text): \(WallClock.text(timestamp.time &* 1_000_000_000)) by "
          + "\(timestamp.authority) (attempt \(attempt))")
    case .failed(let reason, let retryAfter):
      let (attempts, due) = queue.retry(entry, at: now, retryAfter: retryAfter)
      failed(entry, reason, attempts: attempts, delay: due - now, at: now)
    case .unstored(let reason):
      let delay = queue.postpone(entry, at: now) - now
      problems.log(
        .warning,
        "timestamp: \(entry.id.text): cannot be stored (\(reason)); retry in "
          + "\((delay + 999_999_999) / 1_000_000_000) s")
    case .rejected(let reason): released = reject(entry, reason, at: now)
    case .gone, .invalid:
      queue.discard()
      // The sinks find it gone or invalid.
      released = queue.remove(entry)
      forget(entry.id)
    }
    update()
    if let released { release(released) }
  }

  private func reject(
    _ entry: QueueEntry, _ reason: String, at now: Int64
  ) -> TimestampQueue.Held? {
    let (rejection, held) = queue.reject(entry, at: now)
    switch rejection {
    case .permanent:
      forget(entry.id)
      mark(entry.id, "the authority rejected it")
      problems.log(
        .error,
        "timestamp: \(entry.id.text): rejected permanently (\(reason)); sinks take it without")
      metrics.timestamps?.failures += 1
      metrics.timestamps?.missed += held == nil ? 0 : 1
    case .provisional(let attempts, let due, let opensBreaker):
      failed(entry, "rejected: \(reason)", attempts: attempts, delay: due - now, at: now)
      if opensBreaker {
        problems.log(
          .error,
          "timestamp: \(CircuitBreaker.failureThreshold) different signatures in a row were rejected "
            + "(\(reason)); paused; check [timestamp]")
      }
    }
    return held
  }

  private func failed(
    _ entry: QueueEntry, _ reason: String, attempts: Int, delay: Int64, at now: Int64
  ) {
    metrics.timestamps?.failures += 1
    problems.log(
      .warning,
      "timestamp: \(entry.id.text): failed (\(reason)); attempt \(attempts), retry in "
        + "\((delay + 999_999_999) / 1_000_000_000) s")
    do throws(SpoolError) {
      try Spool(at: spool).recordTimestampFailure(
        SinkState(attempts: attempts, reason: reason), of: entry.id)
      problems.resolve(.attempts)
    } catch { problems.report(.attempts, error.text) }
  }

  private func mark(_ id: ItemID, _ reason: String) {
    do throws(SpoolError) {
      try Spool(at: spool).markMissingTimestamp(of: id, reason: "no time stamp: \(reason)")
      problems.resolve(.timestamp)
    } catch {
      problems.report(
        .timestamp,
        "timestamp: \(id.text): cannot be marked (\(error.text)); sinks take it unmarked"
      )
    }
  }

  private func forget(_ id: ItemID) {
    entries[id] = nil
    firstSeen.forget(id)
  }

  private func update() {
    metrics.timestamps?.held = queue.heldCount
    metrics.timestamps?.waiting = queue.count
    metrics.timestamps?.isPaused = queue.isFailing
    metrics.setChanged()
  }

  func flush(at now: Int64) { queue.flush(at: now) }
  func flushSoon(at now: Int64) { queue.flushSoon(at: now) }

  private static func text(_ nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    if seconds >= 3600, seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    return seconds >= 60 && seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
  }
}
