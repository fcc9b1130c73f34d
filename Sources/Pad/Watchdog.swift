/// When the service manager's watchdog is fed: at every half of its period, while no thread is late.
///
/// The input and the render thread must answer within the period after they were asked, saving within six
/// periods: a card may be slow, but not for ever. The last feed is a period before that limit; after it,
/// only the late answer itself feeds the watchdog again. So a thread that hangs ends the program when its
/// limit has passed since it was asked, which is at most half a period after it began to hang.
struct Watchdog {
  /// Threads that answer.
  struct Threads: OptionSet, Sendable {
    let rawValue: UInt8

    static let input = Threads(rawValue: 1)
    static let render = Threads(rawValue: 2)
    static let save = Threads(rawValue: 4)
    static let all: [Threads] = [.input, .render, .save]
  }

  /// What is to be done.
  struct Step: Equatable {
    /// Feed the watchdog.
    var feeds = false
    /// Ask these threads whether they are alive.
    var asks: Threads = []
  }

  /// Periods that saving may take.
  static let savingPeriods: Int64 = 6

  private let period: Int64?
  private var next: Int64 = 0
  /// Asked, and have not answered.
  private var awaited: Threads = []
  /// When they were asked first, in the order of `Threads.all`.
  private var asked: [Int64] = [0, 0, 0]
  private var isHungry = false

  /// `period` in nanoseconds, as WATCHDOG_USEC says; nil: there is no watchdog.
  init(period: Int64?) { self.period = period }

  /// How long poll(2) may wait.
  func milliseconds(at now: Int64) -> Int32 {
    guard period != nil else { return -1 }
    return Int32(clamping: max(0, (next - now) / 1_000_000 + 1))
  }

  /// What to do at `now`; `threads` are those that run.
  mutating func step(at now: Int64, threads: Threads) -> Step {
    guard let period, now >= next else { return Step() }
    next = now + period / 2
    isHungry = isLate(at: now)
    for (index, thread) in Threads.all.enumerated()
    where threads.contains(thread) && !awaited.contains(thread) {
      asked[index] = now
    }
    awaited.formUnion(threads)
    // Those that have not answered too: a display that stood still swallows the question.
    return Step(feeds: !isHungry, asks: threads)
  }

  /// A thread has answered. Returns whether the watchdog is to be fed for that.
  mutating func answered(_ thread: Threads, at now: Int64) -> Bool {
    awaited.subtract(thread)
    guard isHungry, !isLate(at: now) else { return false }
    isHungry = false
    return true
  }

  /// Whether a thread is so late that another feed would let it be later than its limit.
  private func isLate(at now: Int64) -> Bool {
    guard let period else { return false }
    for (index, thread) in Threads.all.enumerated() where awaited.contains(thread) {
      let limit = thread == .save ? Watchdog.savingPeriods * period : period
      if now - asked[index] >= limit - period / 2 { return true }
    }
    return false
  }
}
