/// A driver's frame timing, learned from its events.
struct FrameClock: Sendable {
  /// The source of the pace.
  enum Timing: Equatable {
    /// No event was seen yet.
    case unknown
    /// The driver's vblank.
    case vblank(Vblank)
    /// A timer: the driver's events come at once.
    case timer
    /// Nothing: the front buffer is drawn into.
    case immediate
  }

  /// The last vblank seen.
  struct Vblank: Equatable {
    var time: Int64
    var sequence: UInt32
  }

  private(set) var timing = Timing.unknown
  /// Nanoseconds per frame: the mode's, refined by the events.
  private(set) var period: Int64
  private var nominal: Int64?
  /// The time at which the last flip was shown.
  private(set) var lastShown = Int64.min / 2
  private var fastFlips = 0
  /// The number of flips in a row that took longer than two periods of a mode without a rate.
  private var slowFlips = 0

  /// Without an event for this long, the phase of the vblank is unknown.
  private static let phaseLifetime: Int64 = 500_000_000
  /// The period of modes without a rate (SPI): the transfer itself paces, and small frames are quick.
  private static let unknownPeriod: Int64 = 8_000_000
  /// The longest plausible period. If a driver's counter counts flips, a longer measured one is a
  /// pause between two flips, and frames would be delayed by as much.
  private static let longestPeriod: Int64 = 100_000_000

  /// A clock of a mode with `period` nanoseconds per frame, if known.
  init(period: Int64?) {
    nominal = period
    self.period = period ?? Self.unknownPeriod
  }

  /// Another card with another period.
  mutating func restart(period: Int64?) {
    nominal = period
    self.period = period ?? Self.unknownPeriod
    if timing != .immediate { timing = .unknown }
  }

  /// The driver cannot flip, or the front buffer is configured.
  mutating func stopFlipping() { timing = .immediate }

  /// A mode was set, which may have changed the phase.
  mutating func forgetPhase() {
    if timing != .immediate { timing = .unknown }
    fastFlips = 0
  }

  /// Whether the vblank's phase is unknown or outdated.
  func needsPhase(at now: Int64) -> Bool {
    switch timing {
    case .unknown: true
    case .vblank(let last): now - last.time > Self.phaseLifetime
    case .timer, .immediate: false
    }
  }

  /// Whether a driver's time can be that of its last vblank, or of one of the next, as some drivers predict it.
  ///
  /// Some drivers report CLOCK_REALTIME, for which no frame would ever be due.
  func isPossible(_ time: Int64, at now: Int64) -> Bool { time >= 0 && time <= now + 4 * period }

  /// The driver's last vblank was queried.
  mutating func observed(vblank time: Int64, sequence: UInt32, now: Int64) {
    guard isPossible(time, at: now) else { return }
    switch timing {
    case .unknown, .vblank: timing = .vblank(Vblank(time: time, sequence: sequence))
    case .timer, .immediate: break
    }
  }

  /// The first vblank at or after `time`; nil while the phase is unknown, or the last one lies too far ahead.
  func nextVblank(after time: Int64) -> Int64? {
    guard case .vblank(let last) = timing, time - last.time <= Self.phaseLifetime else {
      return nil
    }
    let frames = max(0, time - last.time + period - 1) / period
    let next = last.time + max(1, frames) * period
    return next <= time + 2 * period ? next : nil
  }

  /// Learns from a flip.
  ///
  /// The driver has no vblank if three flips in a row take less than half a frame, or if the counter starts at 0 or
  /// stands still. A counter that has counted may wrap to 0.
  mutating func learn(time: Int64, sequence: UInt32) {
    fastFlips = time - lastShown < period / 2 ? fastFlips + 1 : 0
    lastShown = time
    if fastFlips >= 3 {
      timing = .timer
      return
    }
    switch timing {
    case .unknown where sequence == 0: timing = .timer
    case .unknown: timing = .vblank(Vblank(time: time, sequence: sequence))
    case .vblank(let last) where sequence == last.sequence: timing = .timer
    case .vblank(let last):
      refinePeriod(from: last, to: time, frames: Int64(sequence &- last.sequence))
      timing = .vblank(Vblank(time: time, sequence: sequence))
    case .timer, .immediate: break
    }
  }

  /// Corrects the period by an eighth of the difference: panels' clocks are off by up to some parts in a thousand.
  private mutating func refinePeriod(from last: Vblank, to time: Int64, frames: Int64) {
    guard (1...120).contains(frames), time > last.time else { return }
    let measured = (time - last.time) / frames
    guard let nominal else {
      // A slow transfer takes equally long each time, a pause does not.
      slowFlips = measured > 2 * period ? slowFlips + 1 : 0
      if slowFlips == 0 || slowFlips >= 3 && measured <= Self.longestPeriod {
        period = max(measured, 2_000_000)
        slowFlips = 0
      }
      return
    }
    if abs(measured - nominal) < nominal / 20 { period += (measured - period) / 8 }
  }
}
