import Testing

@testable import Display

@Suite struct FramePacerTests {
  private static let period: Int64 = 16_000_000
  private static let second: Int64 = 1_000_000_000

  /// Lit at 0, with nothing to show.
  private func lit(period: Int64? = Self.period, isFront: Bool = false) -> FramePacer {
    var pacer = FramePacer(period: period, isFront: isFront)
    #expect(pacer.step(at: 0) == .setMode)
    pacer.modeSet(at: 0)
    return pacer
  }

  /// Lit, and one flip shown at `time`, vblank 100.
  private func paced(at time: Int64 = 100 * Self.period) -> FramePacer {
    var pacer = lit()
    pacer.changed(at: time - 5_000_000)
    #expect(pacer.step(at: time - 5_000_000) == .commit)
    pacer.committed(at: time - 5_000_000)
    pacer.flipped(at: time, sequence: 100, now: time + 10_000)
    return pacer
  }

  @Test func `the mode is set first, and then nothing is due`() {
    let pacer = lit()
    #expect(pacer.deadline == nil)
    #expect(!pacer.isInFlight)
  }

  @Test func `before the first request, nothing is due, whatever happens`() {
    var pacer = FramePacer(period: Self.period)
    #expect(pacer.deadline == nil)
    pacer.changed(at: 1)
    pacer.requestMode(at: 2)
    pacer.requestMode(at: 3)
    #expect(pacer.deadline == nil)
    #expect(pacer.step(at: 4) == .setMode)
    pacer.modeRefused(at: 4)
    #expect(pacer.deadline == 4 + FramePacer.timeout)
  }

  @Test func `before the phase is known a change is committed at once`() {
    var pacer = lit()
    pacer.changed(at: 50)
    #expect(pacer.step(at: 50) == .commit)
  }

  @Test func `a frame is committed its lead before the vblank, with all changes until then`() {
    let start = 100 * Self.period
    var pacer = paced(at: start)
    pacer.changed(at: start + 1_000_000)
    let due = start + Self.period - FramePacer.baseLead
    #expect(pacer.deadline == due)
    #expect(pacer.step(at: due - 1) == .wait)
    pacer.changed(at: due - 1)
    #expect(pacer.deadline == due)
    #expect(pacer.step(at: due) == .commit)
  }

  @Test func `a change within the lead waits for the following vblank`() {
    let start = 100 * Self.period
    var pacer = paced(at: start)
    pacer.changed(at: start + Self.period - 500_000)
    #expect(pacer.deadline == start + 2 * Self.period - FramePacer.baseLead)
  }

  @Test func `at most one flip is in flight, and later changes are in the next one`() {
    let start = 100 * Self.period
    var pacer = paced(at: start)
    let due = start + Self.period - FramePacer.baseLead
    pacer.changed(at: start + 1)
    #expect(pacer.step(at: due) == .commit)
    pacer.committed(at: due)
    pacer.changed(at: due + 10)
    #expect(pacer.step(at: due + 10) == .wait)
    #expect(pacer.isInFlight)
    let shown = start + Self.period
    pacer.flipped(at: shown, sequence: 101, now: shown + 50_000)
    #expect(pacer.deadline == shown + Self.period - FramePacer.baseLead)
  }

  @Test func `a flip with nothing after it leaves nothing to do`() {
    let pacer = paced()
    #expect(pacer.deadline == nil)
  }

  @Test func `an old phase is not used, and a query of the driver renews it`() {
    let start = 100 * Self.period
    var pacer = paced(at: start)
    let later = start + 2 * Self.second
    #expect(pacer.wantsVblank(at: later))
    var asked = pacer
    asked.observed(vblank: later - 3_000_000, sequence: 220, now: later)
    asked.changed(at: later)
    #expect(asked.deadline == later - 3_000_000 + Self.period - FramePacer.baseLead)
    pacer.changed(at: later)
    #expect(pacer.step(at: later) == .commit)
  }

  @Test func `a driver that reports its vblank is paced by it from the first frame on`() {
    let start = 100 * Self.period
    var pacer = lit()
    #expect(pacer.wantsVblank(at: start + 1))
    pacer.observed(vblank: start, sequence: 7, now: start + 1)
    pacer.changed(at: start + 1)
    #expect(pacer.deadline == start + Self.period - FramePacer.baseLead)
  }

  /// Half a century of nanoseconds: CLOCK_REALTIME.
  private static let realTime: Int64 = 1_700_000_000_000_000_000

  @Test func `a flip whose time is of another clock was shown when its event came`() {
    let start = 100 * Self.period
    var pacer = lit()
    pacer.changed(at: start - 5_000_000)
    pacer.committed(at: start - 5_000_000)
    let shown = pacer.flipped(at: Self.realTime, sequence: 100, now: start)
    #expect(shown == start)
    pacer.changed(at: start + 1)
    #expect(pacer.deadline == start + Self.period - FramePacer.baseLead)
    pacer.committed(at: start + Self.period - FramePacer.baseLead)
    pacer.flipped(at: Self.realTime, sequence: 101, now: start + Self.period)
    #expect(pacer.missed == 0)
  }

  @Test(arguments: [realTime, 105 * period, 103 * period, -1, .min])
  func `a vblank that cannot have been is not waited for`(time: Int64) {
    let start = 100 * Self.period
    var pacer = lit()
    pacer.observed(vblank: time, sequence: 7, now: start)
    pacer.changed(at: start)
    #expect(pacer.step(at: start) == .commit)
  }

  @Test func `the period of a slow transfer is learned`() {
    var pacer = lit(period: nil)
    for flip in 1...4 as ClosedRange<Int64> {
      let time = flip * 30_000_000
      pacer.changed(at: time - 1)
      pacer.committed(at: time - 1)
      pacer.flipped(at: time, sequence: UInt32(flip), now: time)
    }
    #expect(pacer.clock.period == 30_000_000)
  }

  @Test(arguments: [60_000_000_000, 90_000_000])
  func `a driver that counts flips and not vblanks makes no pause a period`(pause: Int64) {
    var pacer = lit(period: nil)
    let before = pacer.clock.period
    for flip in 1...2 as ClosedRange<Int64> {
      pacer.changed(at: flip * pause)
      pacer.committed(at: flip * pause)
      pacer.flipped(at: flip * pause, sequence: UInt32(flip), now: flip * pause)
    }
    #expect(pacer.clock.period == before)
  }

  @Test func `events that come at once with sequence 0 are paced by the timer`() {
    var pacer = lit()
    pacer.changed(at: 1000)
    pacer.committed(at: 1000)
    pacer.flipped(at: 1100, sequence: 0, now: 1200)
    pacer.changed(at: 2000)
    #expect(pacer.step(at: 2000) == .wait)
    #expect(pacer.deadline == 1000 + Self.period)
    #expect(pacer.step(at: 1000 + Self.period) == .commit)
  }

  @Test func `a timer-paced pad commits at once after a rest`() {
    var pacer = lit()
    pacer.changed(at: 1000)
    pacer.committed(at: 1000)
    pacer.flipped(at: 1100, sequence: 0, now: 1200)
    pacer.changed(at: Self.second)
    #expect(pacer.step(at: Self.second) == .commit)
  }

  @Test func `a driver that counts vblanks but does not wait for them is detected`() {
    var pacer = lit()
    var now: Int64 = 1000
    for sequence: UInt32 in 1...6 where pacer.clock.timing != .timer {
      pacer.changed(at: now)
      pacer.committed(at: now)
      now += 100_000
      pacer.flipped(at: now, sequence: sequence, now: now)
    }
    #expect(pacer.clock.timing == .timer)
  }

  /// Flips whose vblanks are so far apart, in nanoseconds; the timing after each.
  private func timings(of gaps: [Int64]) -> [FrameClock.Timing] {
    var pacer = paced()
    var (now, sequence) = (pacer.clock.lastShown, UInt32(100))
    return gaps.map { gap in
      pacer.changed(at: now)
      pacer.committed(at: now)
      now += gap
      sequence += 1
      pacer.flipped(at: now, sequence: sequence, now: now)
      return pacer.clock.timing
    }
  }

  @Test func `three flips in a row that come quicker than half a frame are too many, two are not`()
  {
    let quick = Self.period / 2 - 1
    let three = timings(of: [quick, quick, quick])
    #expect(three[1] != .timer && three[2] == .timer)
    let interrupted = timings(of: [quick, quick, Self.period, quick, quick])
    #expect(interrupted.allSatisfy { $0 != .timer })
  }

  @Test func `flips that are half a frame apart are paced by a vblank`() {
    let half = timings(of: Array(repeating: Self.period / 2, count: 6))
    #expect(half.allSatisfy { $0 != .timer })
  }

  @Test func `pacing continues when the vblank counter wraps to 0`() {
    let start = 100 * Self.period
    var pacer = lit()
    pacer.observed(vblank: start, sequence: .max, now: start + 1)
    pacer.changed(at: start + 1)
    pacer.committed(at: start + 1)
    pacer.flipped(at: start + Self.period, sequence: 0, now: start + Self.period)
    #expect(pacer.clock.timing == .vblank(.init(time: start + Self.period, sequence: 0)))
  }

  @Test func `a constant counter is not a vblank`() {
    var pacer = paced()
    pacer.changed(at: 200 * Self.period)
    pacer.committed(at: 200 * Self.period)
    pacer.flipped(at: 201 * Self.period, sequence: 100, now: 201 * Self.period)
    #expect(pacer.clock.timing == .timer)
  }

  @Test func `EBUSY is tried again in a quarter of a frame, and given up after a second`() {
    var pacer = lit()
    pacer.changed(at: 0)
    var now: Int64 = 0
    var tries = 0
    while pacer.step(at: now) == .commit {
      pacer.busy(at: now)
      tries += 1
      now = pacer.deadline ?? .max
    }
    // The last one is made after the second: a stalled program has tried only once.
    #expect(tries == 251)
    #expect(pacer.step(at: now) == .setMode)
    #expect(pacer.lost == 1)
  }

  @Test func `a lost flip sets the mode again after its time`() {
    var pacer = lit()
    pacer.changed(at: 0)
    pacer.committed(at: 0)
    #expect(pacer.deadline == FramePacer.timeout)
    #expect(pacer.step(at: FramePacer.timeout - 1) == .wait)
    #expect(pacer.step(at: FramePacer.timeout) == .setMode)
    #expect(pacer.lost == 1 && pacer.lostInARow == 1)
    pacer.modeSet(at: FramePacer.timeout)
    pacer.flipped(at: 2 * Self.second, sequence: 5, now: 2 * Self.second)
    #expect(pacer.clock.timing == .unknown)
    #expect(pacer.deadline == nil)
  }

  @Test func `a stuck display is counted until a flip arrives`() {
    var pacer = lit()
    var now: Int64 = 0
    for round in 1...3 {
      pacer.changed(at: now)
      pacer.committed(at: now)
      now += FramePacer.timeout
      #expect(pacer.step(at: now) == .setMode)
      #expect(pacer.lostInARow == round)
      pacer.modeSet(at: now)
    }
    pacer.changed(at: now)
    pacer.committed(at: now)
    pacer.flipped(at: now + 5, sequence: 1, now: now + 6)
    #expect(pacer.lostInARow == 0 && pacer.lost == 3)
  }

  @Test func `a display that was inactive is stuck no more`() {
    var pacer = FramePacer(period: Self.period)
    var now: Int64 = 0
    for _ in 1...3 {
      #expect(!pacer.isStuck)
      pacer.modeRefused(at: now)
    }
    #expect(pacer.isStuck)
    pacer.forgetFailures()
    #expect(!pacer.isStuck)
    for _ in 1...3 {
      pacer.modeSet(at: now)
      pacer.changed(at: now)
      pacer.committed(at: now)
      now += FramePacer.timeout
      _ = pacer.step(at: now)
    }
    #expect(pacer.isStuck)
    pacer.forgetFailures()
    #expect(!pacer.isStuck && pacer.lost == 3)
  }

  @Test func `a refused mode is retried after a second`() {
    var pacer = FramePacer(period: Self.period)
    #expect(pacer.step(at: 5) == .setMode)
    pacer.modeRefused(at: 5)
    #expect(pacer.step(at: 6) == .wait)
    #expect(pacer.deadline == 5 + FramePacer.timeout)
    #expect(pacer.step(at: 5 + FramePacer.timeout) == .setMode)
  }

  @Test func `after a second flip that comes a frame late the next starts earlier`() {
    var shown = 100 * Self.period
    var pacer = paced(at: shown)
    for round in 1...2 {
      pacer.changed(at: shown + 1)
      pacer.committed(at: shown + Self.period - FramePacer.baseLead)
      shown += 2 * Self.period
      pacer.flipped(at: shown, sequence: UInt32(100 + 2 * round), now: shown)
      #expect(pacer.missed == round)
      #expect(pacer.lead == FramePacer.baseLead + (round == 1 ? 0 : 250_000))
    }
  }

  @Test func `a clock that is a thousandth off is learned`() {
    let real = Self.period + Self.period / 1000
    var pacer = paced(at: 0)
    var shown: Int64 = 0
    for sequence: UInt32 in 101...300 {
      pacer.changed(at: shown + 1)
      let due = pacer.deadline ?? 0
      pacer.committed(at: due)
      shown += real
      #expect(due < shown)
      pacer.flipped(at: shown, sequence: sequence, now: shown + 10_000)
    }
    #expect(abs(pacer.clock.period - real) < 100)
    #expect(pacer.missed == 0)
  }

  @Test func `drawing to the front buffer waits for nothing`() {
    var pacer = lit(isFront: true)
    for now: Int64 in [10, 20, 30] {
      pacer.changed(at: now)
      #expect(pacer.step(at: now) == .commit)
      pacer.committed(at: now)
      #expect(!pacer.isInFlight)
    }
  }

  /// A picture that takes `cost` is announced, painted and committed; returns when its painting began.
  private func show(_ pacer: inout FramePacer, cost: Int64, sequence: UInt32) -> Int64? {
    guard !pacer.announce(at: pacer.clock.lastShown + 1), let due = pacer.deadline,
      !pacer.announce(at: due - 1), pacer.announce(at: due), pacer.step(at: due) == .commit
    else { return nil }
    pacer.committed(at: due + cost)
    let target = pacer.clock.lastShown + Self.period
    let shown = due + cost <= target ? target : target + Self.period
    pacer.flipped(at: shown, sequence: sequence, now: shown)
    return due
  }

  @Test func `an announced picture begins earlier by what the last one took, and is not late`() {
    var pacer = paced()
    var (leads, sequence): ([Int64], UInt32) = ([], 100)
    for _ in 0..<100 {
      sequence += 1
      guard let due = show(&pacer, cost: 5_000_000, sequence: sequence) else { break }
      leads.append(pacer.clock.lastShown - due)
    }
    // Only the first one was a surprise.
    #expect(leads.count == 100 && pacer.missed == 1)
    let lead = FramePacer.baseLead + 5_000_000 + Self.period / 8
    #expect(leads.dropFirst().allSatisfy { $0 == lead })
    // Ink begins as late as ever.
    let shown = pacer.clock.lastShown
    pacer.changed(at: shown + 1)
    #expect(pacer.deadline == shown + Self.period - FramePacer.baseLead)
  }

  @Test func `pictures that are always late do not make ink older`() {
    var pacer = paced()
    var (shown, sequence): (Int64, UInt32) = (0, 100)
    for _ in 0..<50 {
      let last = pacer.clock.lastShown
      _ = pacer.announce(at: last + 1)
      guard let due = pacer.deadline, pacer.announce(at: due), pacer.step(at: due) == .commit else {
        break
      }
      // Longer than the frame by which it begins earlier at most.
      let end = due + 25_000_000
      let frames = (end - last) / Self.period + 1
      pacer.committed(at: end)
      sequence += UInt32(frames)
      pacer.flipped(
        at: last + frames * Self.period, sequence: sequence, now: last + frames * Self.period)
      shown += 1
    }
    #expect(shown == 50 && pacer.missed >= 40)
    #expect(pacer.lead == FramePacer.baseLead)
  }

  @Test func `the time of the first whole frame is the first estimate of a picture's`() {
    var pacer = FramePacer(period: Self.period)
    _ = pacer.step(at: 0)
    pacer.modeSet(at: 0, work: 6_000_000)
    pacer.observed(vblank: 0, sequence: 7, now: 0)
    #expect(pacer.announce(at: 1) == false)
    #expect(pacer.deadline == Self.period - FramePacer.baseLead - 6_000_000 - Self.period / 8)
  }

  @Test func `one picture that took long is forgotten`() {
    var pacer = paced()
    var sequence: UInt32 = 101
    _ = show(&pacer, cost: 9_000_000, sequence: 102)
    for _ in 0..<100 {
      sequence += 2
      _ = show(&pacer, cost: 100_000, sequence: sequence)
    }
    #expect(pacer.work < 200_000)
  }

  @Test func `a picture joins the frame that is due`() {
    var pacer = paced()
    _ = show(&pacer, cost: 1_000_000, sequence: 101)
    let shown = pacer.clock.lastShown
    pacer.changed(at: shown + 1)
    #expect(pacer.announce(at: shown + 2) == false)
    #expect(pacer.deadline == shown + Self.period - FramePacer.baseLead - 2 * 1_000_000)
  }

  @Test func `a picture that is announced in flight is in the next frame`() {
    var pacer = paced()
    let start = 100 * Self.period
    pacer.changed(at: start + 1)
    let due = start + Self.period - FramePacer.baseLead
    pacer.committed(at: due)
    #expect(pacer.announce(at: due + 1) == false)
    pacer.flipped(at: start + Self.period, sequence: 101, now: start + Self.period)
    #expect(pacer.announce(at: start + 2 * Self.period - FramePacer.baseLead) == true)
  }

  @Test func `into the front buffer, pictures are painted a period apart`() {
    var pacer = lit(isFront: true)
    let now = Self.second
    #expect(pacer.announce(at: now) == true)
    pacer.committed(at: now)
    #expect(pacer.announce(at: now + 1) == false)
    #expect(pacer.deadline == now + Self.period)
    #expect(pacer.announce(at: now + Self.period) == true)
  }

  /// How the lead is found.
  enum LeadRule: Equatable {
    /// The pacer's.
    case adaptive
    case fixed(Int64)
    /// As the pacer's, but never shortened.
    case onlyLengthened
  }

  /// Draws without pause on a panel of 60 Hz. `cost` is the time from a frame's beginning to the end of its commit, in
  /// microseconds. Returns the flips that are late, and from when the ink of a flip is, on average and in the last
  /// tenth, in microseconds before the vblank that shows it.
  private func draw(
    _ rule: LeadRule, frames: Int, cost: (Int) -> Int64
  ) -> (late: Int, age: Int64, lastAge: Int64) {
    let period: Int64 = 16_666_667
    var pacer = FramePacer(period: period)
    _ = pacer.step(at: 0)
    pacer.modeSet(at: 0)
    pacer.observed(vblank: 0, sequence: 100, now: 0)
    var lead = FramePacer.baseLead
    var (late, age, lastAge): (Int, Int64, Int64) = (0, 0, 0)
    var shown: Int64 = 0
    for frame in 0..<frames {
      pacer.changed(at: shown)
      switch rule {
      case .adaptive: lead = pacer.lead
      case .fixed(let time): lead = time
      case .onlyLengthened: lead = max(lead, pacer.lead)
      }
      let target = shown + period
      let due = target - lead
      if rule == .adaptive { #expect(pacer.deadline == due) }
      let committed = due + cost(frame) * 1000
      pacer.committed(at: committed)
      let isLate = committed > target
      shown = isLate ? target + period : target
      late += isLate ? 1 : 0
      age += shown - due
      if frame >= frames - frames / 10 { lastAge += shown - due }
      pacer.flipped(at: shown, sequence: UInt32(100 + shown / period), now: shown)
    }
    if rule == .adaptive { #expect(pacer.missed == Int64(late)) }
    return (late, age / Int64(frames) / 1000, lastAge / Int64(frames / 10) / 1000)
  }

  /// The figures of the doc comment of `FramePacer.adjustLead`.
  @Test func `an adaptive lead misses few frames of a slow panel, and costs a quick one nothing`() {
    // Ten minutes; a fixed sequence covers each range.
    let frames = 36_000
    func spread(_ frame: Int, _ range: ClosedRange<Int64>) -> Int64 {
      range.lowerBound + Int64(frame) * 7919 % (range.upperBound - range.lowerBound + 1)
    }
    func quick(_ frame: Int) -> Int64 { frame % 100 == 99 ? 147 : spread(frame, 20...53) }
    func slow(_ frame: Int) -> Int64 { spread(frame, 2000...2600) }
    func burst(_ frame: Int) -> Int64 {
      (3000..<3600).contains(frame) ? spread(frame, 3000...4000) : quick(frame)
    }
    let least = FramePacer.baseLead

    // A quick panel: the least lead suffices, and is kept.
    for rule in [LeadRule.adaptive, .fixed(least), .onlyLengthened] {
      let drawn = draw(rule, frames: frames, cost: quick)
      #expect(drawn.late == 0 && drawn.age == 1500)
    }
    // A slow panel misses each vblank with the least lead: 30 frames a second.
    let missing = draw(.fixed(least), frames: frames, cost: slow)
    #expect(missing.late == frames && missing.age > 18_000)
    let learned = draw(.adaptive, frames: frames, cost: slow)
    #expect(learned.late <= frames / 100 && learned.age < 3000)
    // A lead that is long enough for both costs the quick one 3 ms for ever.
    let long = draw(.fixed(4_500_000), frames: frames, cost: quick)
    #expect(long.late == 0 && long.age == 4500)
    // After ten seconds of load, a lead that was learned once stays long.
    let once = draw(.onlyLengthened, frames: frames, cost: burst)
    #expect(once.late < 20 && once.lastAge == 4000)
    let again = draw(.adaptive, frames: frames, cost: burst)
    #expect(again.late < 20 && again.lastAge == 1500)
  }
}
