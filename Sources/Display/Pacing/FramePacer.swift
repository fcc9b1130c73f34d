/// When to show the next frame: a state machine without a clock of its own.
///
///                 changed                 committed
///        idle ────────────────▶ due(at) ───────────────▶ inFlight
///          ▲                    ▲  busy (EBUSY)           │
///          │     flipped        │  again a little later   │ flipped, changed meanwhile
///          ├────────────────────┼─────────────────────────┤
///          │ modeSet            └─────────────────────────┘
///      needsMode ◀── the flip's event is overdue, or a commit was refused
///
/// At most one flip is in flight; later changes are in the next one. If the driver has a vblank, a frame is
/// committed `lead` nanoseconds before it, so that it contains the latest ink. If events come at once (virtual
/// cards, SPI panels), a timer keeps the frames a period apart.
///
/// A picture that takes long to paint is announced before it is painted. Its frame begins earlier by the time that the
/// last such frames took, and a margin.
///
/// All times are nanoseconds of CLOCK_MONOTONIC.
struct FramePacer: Sendable {
  /// The caller's next action.
  enum Step: Sendable, Equatable {
    /// Nothing.
    case wait
    /// Paint the back buffer and commit it.
    case commit
    /// Set the mode with a whole frame.
    case setMode
  }

  private enum State {
    case idle
    case due(Commit)
    case inFlight(Flight)
    case needsMode(at: Int64)
  }

  /// A commit that is due.
  private struct Commit {
    var at: Int64
    /// The vblank to hit, if known.
    var target: Int64?
    /// The time of the first EBUSY.
    var busySince: Int64?
  }

  private struct Flight {
    var since: Int64
    /// The vblank to hit, if known.
    var target: Int64?
    var hasChanges = false
    /// It has an announced picture.
    var isAnnounced = false
  }

  private var state = State.needsMode(at: .min)
  /// Whether `step` was called; before that there are no deadlines.
  private var isStarted = false
  private(set) var clock: FrameClock
  /// Nanoseconds from a commit to its vblank.
  private(set) var lead = Self.baseLead
  private(set) var lastCommit = Int64.min / 2
  private var refusedFlips = 0
  /// A picture is announced that is not committed yet.
  private var isAnnounced = false
  /// The last frame had an announced picture.
  private(set) var wasAnnounced = false
  /// When the painting of the announced picture began.
  private var paintingSince: Int64?
  /// How long an announced picture takes from its painting to the end of its commit, in nanoseconds.
  private(set) var work: Int64 = 0
  /// Flips on time since the last late one; initially enough to treat the first late one as an accident.
  private var onTimeFlips = Self.stableFlips
  /// Flips that were shown a frame late.
  private(set) var missed: Int64 = 0
  /// Flips without an event, and commits that stayed refused with EBUSY.
  private(set) var lost: Int64 = 0
  /// Lost flips since the last one that was shown.
  private(set) var lostInARow = 0
  /// Modes that were refused since the last one was set.
  private(set) var refusedModes = 0

  /// The least lead: time to copy the damage and commit it on a busy kernel.
  ///
  /// Below 2 ms, so that samples older than that are in the flip.
  static let baseLead: Int64 = 1_500_000
  /// An event that has not come by then is lost. A full frame over a slow SPI bus takes 0.1 s.
  static let timeout: Int64 = 1_000_000_000
  /// After this many flips on time a late one is an accident, and the lead stays.
  private static let stableFlips: Int64 = 60

  /// A pacer for a panel with `period` nanoseconds per frame, if known.
  ///
  /// - Parameter isFront: Whether the front buffer is drawn into, without flips.
  init(period: Int64?, isFront: Bool = false) {
    clock = FrameClock(period: period)
    if isFront { clock.stopFlipping() }
  }

  /// Whether the front buffer is drawn into, without flips.
  var isFront: Bool { clock.timing == .immediate }

  /// Whether a flip is in flight.
  var isInFlight: Bool {
    if case .inFlight = state { return true }
    return false
  }

  /// Whether the next step abandons the flip in flight.
  func isOverdue(at now: Int64) -> Bool {
    guard case .inFlight(let flight) = state else { return false }
    return now >= flight.since + Self.timeout
  }

  /// Whether nothing is due or in flight.
  var isIdle: Bool {
    if case .idle = state { return true }
    return false
  }

  /// Whether a mode is set.
  var hasMode: Bool {
    if case .needsMode = state { return false }
    return true
  }

  /// Whether the display has failed: three lost flips in a row, or three refused modes.
  var isStuck: Bool { lostInARow >= 3 || refusedModes >= 3 }

  /// The time of the next `step`; nil: after the next event.
  var deadline: Int64? {
    switch state {
    case .idle: nil
    case .due(let commit): commit.at
    case .needsMode(let time): isStarted ? time : nil
    case .inFlight(let flight): flight.since + Self.timeout
    }
  }

  /// Returns the action at `now`. Abandons an overdue flip. The first call arms the deadlines.
  mutating func step(at now: Int64) -> Step {
    isStarted = true
    switch state {
    case .idle: return .wait
    case .needsMode(let time): return now >= time ? .setMode : .wait
    case .due(let commit): return now >= commit.at ? .commit : .wait
    case .inFlight:
      guard isOverdue(at: now) else { return .wait }
      abandonFlip(at: now)
      return .setMode
    }
  }

  private mutating func abandonFlip(at now: Int64) {
    lost += 1
    lostInARow += 1
    state = .needsMode(at: now)
  }

  /// The canvas changed.
  mutating func changed(at now: Int64) {
    switch state {
    case .idle: state = .due(nextCommit(at: now))
    case .inFlight(var flight):
      flight.hasChanges = true
      state = .inFlight(flight)
    case .due, .needsMode: break
    }
  }

  /// Announces a picture that takes long to paint. Returns whether it must be painted now, because
  /// its commit is due. If not, call this again at the next deadline.
  mutating func announce(at now: Int64) -> Bool {
    let isNew = !isAnnounced
    isAnnounced = true
    switch state {
    case .needsMode: return true
    case .idle: state = .due(nextCommit(at: now))
    case .inFlight(var flight):
      flight.hasChanges = true
      state = .inFlight(flight)
    case .due(var commit):
      // The picture joins a change that is scheduled already: its frame begins earlier.
      if isNew, commit.target != nil { commit.at = max(now, commit.at - paintingLead) }
      state = .due(commit)
    }
    guard case .due(let commit) = state, now >= commit.at else { return false }
    if paintingSince == nil { paintingSince = now }
    return true
  }

  /// How much earlier the frame of an announced picture begins. One frame in some thousands takes
  /// up to five times as long as the others. An error of an eighth of a frame is invisible in a
  /// page that follows a finger.
  private var paintingLead: Int64 { work + min(work, clock.period / 8) }

  private func nextCommit(at now: Int64) -> Commit {
    let lead = isAnnounced ? lead + paintingLead : lead
    switch clock.timing {
    case .immediate where isAnnounced: return Commit(at: max(now, lastCommit + clock.period))
    case .unknown, .immediate: return Commit(at: now)
    case .timer: return Commit(at: max(now, lastCommit + clock.period))
    case .vblank:
      guard let target = clock.nextVblank(after: now + lead) else { return Commit(at: now) }
      return Commit(at: target - lead, target: target)
    }
  }

  /// A frame was committed.
  mutating func committed(at now: Int64) {
    lastCommit = now
    refusedFlips = 0
    learnWork(at: now)
    if isFront {
      state = .idle
      return
    }
    var target = clock.nextVblank(after: now)
    if case .due(let commit) = state { target = commit.target ?? target }
    state = .inFlight(Flight(since: now, target: target, isAnnounced: wasAnnounced))
  }

  /// Tracks the longest work, with decay, so that a single long one does not delay pictures
  /// forever.
  private mutating func learnWork(at now: Int64) {
    (wasAnnounced, isAnnounced) = (isAnnounced, false)
    guard let since = paintingSince else { return }
    paintingSince = nil
    // If a picture takes longer than a frame, beginning even earlier does not help.
    work = max(min(now - since, clock.period), work - work / 16)
  }

  /// The commit met a pending one (EBUSY): retry after a quarter of a frame, and set the mode after a second.
  mutating func busy(at now: Int64) {
    var since = now
    if case .due(let commit) = state { since = commit.busySince ?? now }
    // The time of waiting does not count as work.
    paintingSince = nil
    // Gives up only after a retry, which often succeeds after a stall.
    if now >= since + Self.timeout { return abandonFlip(at: now) }
    state = .due(Commit(at: now + clock.period / 4, busySince: since))
  }

  /// The flip was refused: set the mode.
  ///
  /// A second refusal after the full state was accepted means that the driver cannot flip: from then on the front
  /// buffer is drawn into.
  mutating func flipRefused(at now: Int64) {
    refusedFlips += 1
    if refusedFlips == 2 { clock.stopFlipping() }
    state = .needsMode(at: now)
  }

  /// The panel may show something else: set the mode again.
  mutating func requestMode(at now: Int64) { state = .needsMode(at: now) }

  /// The mode was set with a whole frame.
  ///
  /// - Parameter work: How long the frame was painted: a first estimate for pictures that are announced.
  mutating func modeSet(at now: Int64, work: Int64 = 0) {
    state = .idle
    (wasAnnounced, isAnnounced, paintingSince) = (false, false, nil)
    if self.work == 0 { self.work = min(work, clock.period / 2) }
    lastCommit = now
    refusedModes = 0
    clock.forgetPhase()
  }

  /// The mode was refused: retry after a second.
  mutating func modeRefused(at now: Int64) {
    refusedModes += 1
    state = .needsMode(at: now + Self.timeout)
  }

  /// Another card drives the panel: its timing is unknown. The counters since the start continue.
  mutating func restart(period: Int64?) { clock.restart(period: period) }

  /// Forgets earlier failures, because the display was inactive: only later ones count.
  mutating func forgetFailures() { (lostInARow, refusedModes) = (0, 0) }

  /// A flip was shown at `time` with the driver's vblank counter (0 if it has none).
  ///
  /// Ignores the late event of a lost flip. Returns the time, or `now` if it is impossible.
  @discardableResult
  mutating func flipped(at time: Int64, sequence: UInt32, now: Int64) -> Int64 {
    let time = clock.isPossible(time, at: now) ? time : now
    guard case .inFlight(let flight) = state else { return time }
    lostInARow = 0
    adjustLead(flight, shownAt: time)
    clock.learn(time: time, sequence: sequence)
    state = .idle
    if flight.hasChanges { changed(at: now) }
    return time
  }

  /// Repeatedly late flips lengthen the lead, at most to half a frame; 200 on time shorten it again.
  ///
  /// Simulated at 60 Hz for ten minutes: where a frame takes 2.0 to 2.6 ms, a fixed lead of 1.5 ms
  /// misses every vblank (ink is 18 ms old when it is shown), and this adaptive lead misses 1 %
  /// (2.9 ms). A fixed lead of 4.5 ms misses none, but shows ink 3 ms later on panels that do not
  /// need it. A lead that is never shortened is 2.5 ms too long after ten seconds of load
  /// (`FramePacerTests`).
  private mutating func adjustLead(_ flight: Flight, shownAt time: Int64) {
    guard let target = flight.target else { return }
    let isLate = time > target + clock.period / 2
    // Announced pictures have an estimate of their own, so that they do not increase the latency of
    // ink.
    if flight.isAnnounced {
      if isLate { missed += 1 }
    } else if isLate {
      missed += 1
      if onTimeFlips < Self.stableFlips { lead = min(lead + 250_000, clock.period / 2) }
      onTimeFlips = 0
    } else {
      onTimeFlips += 1
      if onTimeFlips % 200 == 0 { lead = max(lead - 250_000, Self.baseLead) }
    }
  }

  /// Whether the driver's last vblank is needed to time the next frame.
  func wantsVblank(at now: Int64) -> Bool { isIdle && clock.needsPhase(at: now) }

  /// The driver's last vblank was queried.
  mutating func observed(vblank time: Int64, sequence: UInt32, now: Int64) {
    clock.observed(vblank: time, sequence: sequence, now: now)
  }
}
