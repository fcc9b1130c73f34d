internal import Configuration
internal import Linux
internal import Spool

extension Courier {
  private static let hour: Int64 = 3_600_000_000_000

  /// Removes what was delivered long enough ago.
  func purge(at now: Int64) {
    // Often enough that nothing is kept a tenth too long, and not so often that it wears the disk.
    let tenth = configuration.retain / 10
    purgeDue = now + (tenth == 0 ? Self.hour : min(Self.hour, max(10_000_000_000, tenth)))
    guard let spool = openSpool() else { return }
    do throws(SpoolError) {
      if odometer == nil {
        odometer = try spool.accumulatedUptime()
        odometerStart = now
        _ = try spool.removeStaleStates()
      }
      guard let stamp = retainStamp(at: now) else { return }
      for id in try Spool.ids(in: spool.delivered) {
        do throws(SpoolError) {
          try purge(id, in: spool, at: stamp)
          clear(.kept(id))
        } catch { note(.kept(id), error.text) }
      }
      if configuration.retain > 0 { try spool.setAccumulatedUptime(stamp) }
      clear(.retention)
    } catch { note(.retention, error.text) }
  }

  private func openSpool() -> Spool? {
    do throws(SpoolError) {
      return try Spool(at: configuration.spool)
    } catch {
      note(.spool, error.text)
      return nil
    }
  }

  private func purge(
    _ id: ItemID, in spool: borrowing Spool, at now: RetentionStamp
  ) throws(SpoolError) {
    if configuration.retain == 0 { return try spool.purge(id) }
    // Without a stamp its time begins now; also where the odometer was lost and began anew.
    guard let stamp = try spool.stamp(of: id), stamp.accumulatedUptime <= now.accumulatedUptime else {
      return try spool.stamp(id, now)
    }
    if stamp.isOlder(than: configuration.retain, at: now) { try spool.purge(id) }
  }

  /// Nil before the odometer could be read.
  func retainStamp(at now: Int64) -> RetentionStamp? {
    odometer.map {
      RetentionStamp(
        accumulatedUptime: $0 + now - odometerStart, wall: WallClock.now,
        synchronized: WallClock.isSynchronized)
    }
  }

  /// Before the end: what this run counted is not lost.
  func keepOdometer(at now: Int64) {
    guard configuration.retain > 0, let stamp = retainStamp(at: now), let spool = openSpool()
    else { return }
    do throws(SpoolError) {
      try spool.setAccumulatedUptime(stamp)
    } catch { note(.retention, error.text) }
  }
}
