internal import Configuration
internal import Linux
internal import Spool

extension Courier {
  /// As long as a program that was killed may need to be gone.
  private static let claimTime: Int64 = 1_000_000_000
  private static let claimPause: Int32 = 10

  /// False if another program delivers from the spool: this one has to end.
  func claim(_ spool: borrowing Spool) throws(SpoolError) -> Bool {
    if try claim?.holds(spool) == true { return true }
    claim = nil
    let limit = MonotonicClock.now + Self.claimTime
    var poll = Poll()
    while true {
      claim = try SpoolLock(on: spool)
      if claim != nil { return true }
      if MonotonicClock.now >= limit { break }
      _ = try? poll.wait(milliseconds: Self.claimPause)
    }
    isElsewhere = true
    let reason = "another paraph-handoff delivers from \(configuration.spool)"
    log(.error, "paraph: \(reason): stop one of the two")
    return false
  }

  /// With nothing to deliver nothing is claimed, and the spool's filesystem can be taken away for repair.
  func releaseClaim() {
    if known.isEmpty && !isBusy && unrecorded.allSatisfy({ $0.isEmpty }) { claim = nil }
  }
}
