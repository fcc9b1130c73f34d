/// When to show the next frame: a state machine without a clock of its own.
///
///                 changed                 committed
///       resting ───────────▶ due(at) ───────────────▶ inFlight
///          ▲                    ▲  refused (EBUSY)        │
///          │     flipped        │  again a little later   │ flipped, something changed meanwhile
///          ├────────────────────┼─────────────────────────┤
///          │ modeSet            └─────────────────────────┘
///        unlit ◀── no flip event in time, or the commit was refused for good
///
/// Never more than one flip is in flight; what changes meanwhile is in the next. Where the driver has
/// a vblank, a frame is committed `lead` before it, so that the latest ink is in it. Where events come
/// at once (virtual cards, SPI panels), a timer keeps the frames a period apart.
///
/// All times are nanoseconds of CLOCK_MONOTONIC.
public struct FramePacer: Sendable {
  /// What is to be done now.
  public enum Step: Sendable, Equatable {
    /// Nothing.
    case rest
    /// Paint the back buffer and commit it.
    case commit
    /// Set the mode with a whole frame, for the first time or again.
    case setMode
  }

  /// What the events have taught about the driver.
  enum Rhythm: Equatable {
    case unknown
    case vblank(Vblank)
    case timer
    /// The front buffer is drawn into: nothing to wait for.
    case free
  }

  /// The last vblank seen.
  struct Vblank: Equatable {
    var time: Int64
    var sequence: UInt32
  }

  private enum State {
    case resting
    case due(Plan)
    case inFlight(Flight)
    case unlit(retry: Int64)
    case dark
  }

  /// When to commit, and the vblank to hit, where one is known.
  struct Plan {
    var at: Int64
    var target: Int64?
    /// Since when the driver has answered EBUSY.
    var busySince: Int64?
  }

  struct Flight {
    var since: Int64
    /// The vblank it should hit, where one is known.
    var target: Int64?
    var hasChanges = false
  }

  private var state = State.unlit(retry: .min)
  /// Until the first frame is asked for, nobody is to be woken for it.
  private var isAsked = false
  var rhythm = Rhythm.unknown
  /// From frame to frame: the mode's, refined by what the events show.
  public internal(set) var period: Int64
  private(set) var nominal: Int64?
  var lead = Self.baseLead
  private(set) var lastCommit = Int64.min / 2
  var lastShown = Int64.min / 2
  var fastFlips = 0
  /// Flips in time since the last late one; before any was late, as if there had been enough of them.
  var hits: Int64 = Self.steady
  /// Flips that came a frame later than aimed at.
  public internal(set) var missed: Int64 = 0
  /// Flips whose event never came, and commits that stayed refused with EBUSY.
  public private(set) var lost: Int64 = 0
  /// Lost flips since the last one that came: a display that stands still.
  public private(set) var lostInARow = 0

  /// Time to copy the damage and to commit it, with what a busy kernel adds. Under 2 ms: what arrived
  /// earlier than that is in the flip.
  public static let baseLead: Int64 = 1_500_000
  /// An event that has not come by then will not come. A full frame over a slow SPI bus takes 0.1 s.
  public static let timeout: Int64 = 1_000_000_000
  /// Without an event for so long, the phase of the vblank is not known any more.
  static let memory: Int64 = 500_000_000
  /// So many flips in time make a late one an accident of the machine, which starting earlier does not mend.
  static let steady: Int64 = 60
  /// Where the mode tells no rate (SPI): the transfer itself paces, and small frames are quick.
  static let unknownPeriod: Int64 = 8_000_000

  /// For a panel whose mode has `period` nanoseconds, where known. `isFront`: no flips at all.
  public init(period: Int64?, isFront: Bool = false) {
    nominal = period
    self.period = period ?? Self.unknownPeriod
    if isFront { rhythm = .free }
  }

  /// What to do at `now`. Asking changes nothing but a flip that is overdue, and that from the first time on
  /// there are deadlines.
  public mutating func step(at now: Int64) -> Step {
    isAsked = true
    switch state {
    case .resting, .dark: return .rest
    case .unlit(let retry): return now >= retry ? .setMode : .rest
    case .due(let plan):
      if let since = plan.busySince, now >= since + Self.timeout { return giveUp(at: now) }
      return now >= plan.at ? .commit : .rest
    case .inFlight(let flight):
      return now >= flight.since + Self.timeout ? giveUp(at: now) : .rest
    }
  }

  private mutating func giveUp(at now: Int64) -> Step {
    lost += 1
    lostInARow += 1
    state = .unlit(retry: now)
    return .setMode
  }

  /// When to ask again without any other reason; nil: only when something happens.
  public var deadline: Int64? {
    switch state {
    case .resting, .dark: nil
    case .due(let plan): plan.at
    case .unlit(let retry): isAsked ? retry : nil
    case .inFlight(let flight): flight.since + Self.timeout
    }
  }

  /// Whether a flip is in flight.
  public var isInFlight: Bool {
    if case .inFlight = state { return true }
    return false
  }

  /// Whether first frame shown and nothing is to be done.
  var isResting: Bool {
    if case .resting = state { return true }
    return false
  }

  /// Whether a mode is set: not before the first one, not in the dark, nor while it is refused.
  var isLit: Bool {
    switch state {
    case .unlit, .dark: false
    case .resting, .due, .inFlight: true
    }
  }

  /// There is something new to show.
  public mutating func changed(at now: Int64) {
    switch state {
    case .resting: state = .due(plan(at: now))
    case .inFlight(var flight):
      flight.hasChanges = true
      state = .inFlight(flight)
    case .due, .unlit, .dark: break
    }
  }

  /// The frame is on its way.
  public mutating func committed(at now: Int64) {
    lastCommit = now
    if rhythm == .free {
      state = .resting
      return
    }
    var target = vblank(after: now)
    if case .due(let plan) = state { target = plan.target ?? target }
    state = .inFlight(Flight(since: now, target: target))
  }

  /// EBUSY: an older commit is not done, which is no error. Again in a quarter of a frame, with
  /// whatever has changed by then; after a second of it the mode is set again.
  public mutating func refusedBusy(at now: Int64) {
    var since = now
    if case .due(let plan) = state { since = plan.busySince ?? now }
    state = .due(Plan(at: now + period / 4, busySince: since))
  }

  /// The commit was refused for good, or the picture is not known to stand: set the mode again.
  public mutating func refused(at now: Int64) { state = .unlit(retry: now) }

  /// The mode is set and the whole picture stands.
  public mutating func modeSet(at now: Int64) {
    state = .resting
    lastCommit = now
    if rhythm != .free { rhythm = .unknown }
    fastFlips = 0
  }

  /// The mode could not be set: again in a second.
  public mutating func modeRefused(at now: Int64) { state = .unlit(retry: now + Self.timeout) }

  /// The panel is switched off or somebody else's: nothing is due until `resume`.
  public mutating func suspend() { state = .dark }

  /// The panel is ours and on again.
  public mutating func resume(at now: Int64) {
    if case .dark = state { state = .unlit(retry: now) }
  }

  /// Another card: nothing is known of its rhythm. The counts go on.
  public mutating func restart(period: Int64?) {
    nominal = period
    self.period = period ?? Self.unknownPeriod
    if rhythm != .free { rhythm = .unknown }
  }

  /// The driver cannot flip: from here on nothing is waited for.
  public mutating func stopFlipping() { rhythm = .free }

  /// A flip was shown at `time`, the vblank `sequence` of the driver; 0 where it has none
  /// (`drm_crtc_send_vblank_event`). Without a flight it is the late event of a lost one.
  public mutating func flipped(at time: Int64, sequence: UInt32, now: Int64) {
    guard case .inFlight(let flight) = state else { return }
    lostInARow = 0
    judge(flight, shownAt: time)
    learn(time: time, sequence: sequence, since: flight.since)
    state = .resting
    if flight.hasChanges { changed(at: now) }
  }

  /// The driver's last vblank, asked for because none has been seen yet or the memory of one has faded.
  public mutating func observed(vblank time: Int64, sequence: UInt32) {
    switch rhythm {
    case .unknown, .vblank: rhythm = .vblank(Vblank(time: time, sequence: sequence))
    case .timer, .free: break
    }
  }

  /// Whether asking the driver for its last vblank would help to place the next frame.
  public func wantsVblank(at now: Int64) -> Bool {
    guard isResting else { return false }
    switch rhythm {
    case .unknown: return true
    case .vblank(let last): return now - last.time > Self.memory
    case .timer, .free: return false
    }
  }
}
