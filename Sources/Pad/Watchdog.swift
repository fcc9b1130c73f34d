/// Decides when to feed the service manager's watchdog: each half period, while no thread is late.
///
/// The input and render threads must answer a heartbeat within a period, the save thread within
/// six, as a memory card may be slow. The watchdog is fed for the last time a period before that
/// limit. After that, only the late answer feeds it again. A thread that hangs therefore ends the
/// program when its limit has passed since its heartbeat, which is sent at most half a period after
/// the thread began to hang.
struct Watchdog {
  /// The threads that answer heartbeats.
  struct Threads: OptionSet, Sendable {
    let rawValue: UInt8

    static let input = Threads(rawValue: 1)
    static let render = Threads(rawValue: 2)
    static let save = Threads(rawValue: 4)
    static let all: [Threads] = [.input, .render, .save]
  }

  /// The caller's next action.
  struct Step: Equatable {
    /// Feed the watchdog.
    var feeds = false
    /// Send these threads a heartbeat.
    var asks: Threads = []
  }

  /// The limit of the save thread, in periods.
  static let savingPeriods: Int64 = 6

  private let period: Int64?
  private var next: Int64 = 0
  /// The threads that have not answered their heartbeat.
  private var awaited: Threads = []
  /// When the unanswered heartbeats were sent first, in the order of `Threads.all`.
  private var asked: [Int64] = [0, 0, 0]
  private var isHungry = false

  /// - Parameter period: WATCHDOG_USEC in nanoseconds; nil: no watchdog.
  init(period: Int64?) { self.period = period }

  /// How long poll(2) may wait.
  func milliseconds(at now: Int64) -> Int32 {
    guard period != nil else { return -1 }
    return Int32(clamping: max(0, (next - now) / 1_000_000 + 1))
  }

  /// Handles what is due at `now`.
  ///
  /// - Parameter threads: The threads that run.
  mutating func step(at now: Int64, threads: Threads) -> Step {
    guard let period, now >= next else { return Step() }
    next = now + period / 2
    isHungry = isLate(at: now)
    for (index, thread) in Threads.all.enumerated()
    where threads.contains(thread) && !awaited.contains(thread) {
      asked[index] = now
    }
    awaited.formUnion(threads)
    // Also asks late threads again: a stuck display discards the heartbeat.
    return Step(feeds: !isHungry, asks: threads)
  }

  /// A thread has answered. Returns whether to feed the watchdog.
  mutating func answered(_ thread: Threads, at now: Int64) -> Bool {
    awaited.subtract(thread)
    guard isHungry, !isLate(at: now) else { return false }
    isHungry = false
    return true
  }

  /// Whether another feed would let a thread exceed its limit.
  private func isLate(at now: Int64) -> Bool {
    guard let period else { return false }
    for (index, thread) in Threads.all.enumerated() where awaited.contains(thread) {
      let limit = thread == .save ? Watchdog.savingPeriods * period : period
      if now - asked[index] >= limit - period / 2 { return true }
    }
    return false
  }
}
