internal import Linux
internal import Spool

/// Keeps delivered items for a configured time.
final class Retention {
  private let spool: String
  /// In nanoseconds.
  private let time: Int64
  private let problems: Problems
  /// The accumulated uptime at `startTime`; nil before it was read.
  private var uptimeAtStart: Int64?
  private var startTime: Int64 = 0
  /// When the next purge is due.
  private(set) var due: Int64 = 0

  private static let hour: Int64 = 3_600_000_000_000
  private static let shortestInterval: Int64 = 10_000_000_000

  /// `spool`: its path; `time`: of retention, in nanoseconds.
  init(spool: String, time: Int64, _ problems: Problems) {
    self.spool = spool
    self.time = time
    self.problems = problems
  }

  /// Removes items whose retention time has passed.
  func purge(at now: Int64) {
    // Each item is kept at most a tenth too long; the disk is written rarely.
    let tenth = time / 10
    due = now + (tenth == 0 ? Self.hour : min(Self.hour, max(Self.shortestInterval, tenth)))
    guard let spool = open() else { return }
    do throws(SpoolError) {
      if uptimeAtStart == nil {
        uptimeAtStart = try spool.accumulatedUptime()
        startTime = now
        try spool.removeStaleStates()
      }
      guard let stamp = stamp(at: now) else { return }
      for id in try Spool.ids(in: spool.delivered) {
        do throws(SpoolError) {
          try purge(id, in: spool, at: stamp)
          problems.resolve(.retained(id))
        } catch { problems.report(.retained(id), error.text) }
      }
      if time > 0 { try spool.setAccumulatedUptime(stamp) }
      problems.resolve(.retention)
    } catch { problems.report(.retention, error.text) }
  }

  /// Begins the retention of an item that was delivered now.
  func retain(_ id: ItemID, in spool: borrowing Spool) throws(SpoolError) {
    if time == 0 { return try spool.purge(id) }
    // Without a stamp, the next purge writes it.
    guard let stamp = stamp(at: MonotonicClock.now) else { return }
    do throws(SpoolError) { try spool.stamp(id, stamp) } catch {}
  }

  /// Records the accumulated uptime at the end of a run.
  func saveUptime(at now: Int64) {
    guard time > 0, let stamp = stamp(at: now), let spool = open() else { return }
    do throws(SpoolError) {
      try spool.setAccumulatedUptime(stamp)
    } catch { problems.report(.retention, error.text) }
  }

  private func open() -> Spool? {
    do throws(SpoolError) {
      return try Spool(at: spool)
    } catch {
      problems.report(.spool, error.text)
      return nil
    }
  }

  private func purge(
    _ id: ItemID, in spool: borrowing Spool, at now: RetentionStamp
  ) throws(SpoolError) {
    if time == 0 { return try spool.purge(id) }
    // The retention begins now if there is no stamp, or if the accumulated uptime was lost.
    guard let stamp = try spool.stamp(of: id), stamp.accumulatedUptime <= now.accumulatedUptime
    else { return try spool.stamp(id, now) }
    if stamp.isOlder(than: time, at: now) { try spool.purge(id) }
  }

  private func stamp(at now: Int64) -> RetentionStamp? {
    // Before the time: a clock that is set in between does not make a time of before right.
    let isSynchronized = WallClock.isSynchronized
    return uptimeAtStart.map {
      RetentionStamp(
        accumulatedUptime: $0 + now - startTime, wall: WallClock.now,
        synchronized: isSynchronized)
    }
  }
}
