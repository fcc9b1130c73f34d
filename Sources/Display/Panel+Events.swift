internal import Linux

extension Panel {
  /// Takes what has happened: flips that were shown, and the timer. Call it when `descriptor` is
  /// readable, before `present`; samples that are at hand are best noted before it.
  ///
  /// - Parameter now: The time, for tests with a clock of their own.
  /// - Throws: `gone` when the card is no longer there.
  public mutating func handleEvents(at now: Int64? = nil) throws(DisplayError) {
    waiting.clear()
    let time = now ?? MonotonicClock.now
    if let flip = try takeFlip(at: time) {
      pacer.flipped(at: flip.time, sequence: flip.sequence, now: time)
      statistics.missedFlips = pacer.missed
      stamps.shown(at: flip.time, &statistics)
    }
    statistics.lostFlips = pacer.lost
    waiting.set(nextDeadline)
  }

  private func takeFlip(at now: Int64) throws(DisplayError) -> FlipEvent? {
    switch output {
    case .card(let card): try card.takeFlip()
    case .memory(let memory): memory.takeFlip(at: now)
    }
  }

  /// A sample is in the canvas that `present` gets next, stamped by the kernel at `stamp`
  /// (CLOCK_MONOTONIC): for the latencies in `statistics`.
  public mutating func note(sampleAt stamp: Int64) { stamps.note(stamp, &statistics) }
}
