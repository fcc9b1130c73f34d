/// When the service manager's watchdog is fed: half its period after the last time, and only if all
/// threads that matter have answered since they were asked.
struct Watchdog {
  /// What is to be done.
  enum Step: Equatable {
    /// Nothing yet.
    case wait
    /// Ask the threads whether they are alive.
    case ask
    /// Feed it, and ask again.
    case feedAndAsk
  }

  private let interval: Int64?
  private var next: Int64 = 0
  private var awaited = 0
  private var hasAsked = false

  /// `period` in nanoseconds, as WATCHDOG_USEC says; nil: there is no watchdog.
  init(period: Int64?) { interval = period.map { $0 / 2 } }

  /// How long poll(2) may wait.
  func milliseconds(at now: Int64) -> Int32 {
    guard interval != nil else { return -1 }
    return Int32(clamping: max(0, (next - now) / 1_000_000 + 1))
  }

  /// What to do at `now`; `threads` are asked then.
  mutating func step(at now: Int64, threads: Int) -> Step {
    guard let interval, now >= next else { return .wait }
    next = now + interval
    // A thread that has not answered is asked again, and the watchdog goes hungry.
    let healthy = hasAsked && awaited == 0
    awaited = threads
    hasAsked = true
    return healthy ? .feedAndAsk : .ask
  }

  /// A thread has answered.
  mutating func answered() { awaited = max(0, awaited - 1) }
}
