/// When a connector is probed after the kernel's notices of a change. Pure.
///
/// Some drivers answer each probe with a notice. A notice soon after a probe is taken for such an answer: the
/// next probe waits, twice as long each time. Any other notice is followed at once.
struct ProbeSchedule {
  /// A notice this soon after a probe is its answer, in nanoseconds; the least pause before the next one, too.
  static let answer: Int64 = 1_000_000_000
  /// The longest pause between a probe and the one that its answer causes: a monitor that was swapped in the very
  /// moment of an answer is noticed then.
  static let longestPause: Int64 = 300_000_000_000

  /// When the next probe is due; nil: no change is known that was not looked at.
  private(set) var due: Int64?
  private var ended = Int64.min / 2
  private var pause = ProbeSchedule.answer
  private var isAnswered = false

  /// Nothing has changed, and nothing was probed.
  init() {}

  /// The kernel has given notice of a change.
  mutating func changed(at now: Int64) {
    guard now - ended < Self.answer else {
      pause = Self.answer
      due = min(due ?? now, now)
      return
    }
    if !isAnswered { pause = min(2 * pause, Self.longestPause) }
    isAnswered = true
    due = due ?? ended + pause
  }

  /// Whether to probe now.
  func isDue(at now: Int64) -> Bool { due.map { now >= $0 } ?? false }

  /// A probe has ended, whatever it found: it may take a driver seconds.
  mutating func probed(at now: Int64) {
    due = nil
    ended = now
    isAnswered = false
  }
}
