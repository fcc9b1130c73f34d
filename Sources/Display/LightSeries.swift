internal import CLinux
internal import Linux

/// The attempts to light a panel, in the order in which they are made.
///
/// The attempt that was accepted last is made first: each refusal of a broken driver may take seconds, or
/// flicker. The others follow only where that one is refused.
struct LightSeries {
  private let attempts: [LightAttempt]
  private var accepted: LightAttempt?

  /// The most thorough attempt comes first.
  init(_ attempts: [LightAttempt]) { self.attempts = attempts }

  /// The attempt that is made first.
  var next: LightAttempt { accepted ?? attempts.first ?? .legacy }

  /// Makes one attempt after the other until the driver accepts one.
  ///
  /// - Throws: The first refusal, if all are refused. A card that is gone or another program's ends the series
  ///   at once. An error that is no refusal of the state itself (EIO, ETIMEDOUT) is the driver's trouble with
  ///   atomic commits: only the legacy call is made after it.
  mutating func run(
    _ light: (LightAttempt) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    var failure: DisplayError?
    var isBroken = false
    for attempt in inOrder where attempt == .legacy || !isBroken {
      do throws(DisplayError) {
        try light(attempt)
        accepted = attempt
        return
      } catch {
        guard error.isRepairable else { throw error }
        failure = failure ?? error
        if attempt != .legacy { isBroken = !error.isInvalid }
      }
    }
    // Atomic commits are wanted, and the driver has none.
    throw failure ?? .refused(.commit, Errno(EOPNOTSUPP))
  }

  private var inOrder: [LightAttempt] {
    guard let accepted else { return attempts }
    return [accepted] + attempts.filter { $0 != accepted }
  }
}
