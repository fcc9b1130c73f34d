internal import Linux

extension Panel {
  /// Takes what has happened: flips that were shown, and the timer. Call it when `descriptor` is
  /// readable, before `present`; samples that are at hand are best noted before it.
  ///
  /// - Parameters:
  ///   - now: The time, for tests with a clock of their own.
  ///   - mayProbe: As for `look(at:mayProbe:)`.
  /// - Throws: `changed` if the panel that came back is another one: open it anew.
  public mutating func handleEvents(
    at now: Int64? = nil, mayProbe: Bool = true
  ) throws(DisplayError) {
    let ready = waiting.take()
    let time = now ?? MonotonicClock.now
    if ready.contains(.hotplug) {
      probes.changed(at: time)
      try look(at: time, mayProbe: mayProbe)
    }
    if ready.contains(.resume) { refresh(at: time) }
    try tryAgain(at: time)
    if let flip = takeFlip(at: time, ready) {
      pacer.flipped(at: flip.time, sequence: flip.sequence, now: time)
      statistics.missedFlips = pacer.missed
      statistics.lead = pacer.lead
      stamps.shown(at: flip.time, &statistics)
    }
    waiting.set(nextDeadline)
  }

  private mutating func takeFlip(at now: Int64, _ ready: PanelWaiting.Ready) -> FlipEvent? {
    switch output {
    case .memory(let memory): return memory.takeFlip(at: now)
    case .absent: return nil
    case .card(let card):
      guard ready.contains(.card) else { return nil }
      do throws(DisplayError) {
        return try card.takeFlip()
      } catch {
        // Without its event the flip is lost, and timed out.
        note(error, at: now)
        return nil
      }
    }
  }

  /// A sample, stamped by the kernel at `stamp` (CLOCK_MONOTONIC), is in the canvas that `present` gets
  /// next: for the latencies in `statistics`, unless nothing in it is damaged.
  public mutating func note(sampleAt stamp: Int64) { stamps.note(stamp) }
}
