internal import CLinux
internal import Linux

/// A way to set the full state. Drivers refuse what they cannot do, each something else: there are several.
enum LightAttempt: Equatable, Sendable {
  /// As one commit. `darkensOthers`: all other outputs are switched off; else they are left alone with their
  /// planes. `resetsColour`: colour, rotation and alpha of former users are undone, too.
  case atomic(darkensOthers: Bool, resetsColour: Bool)
  /// By SETCRTC.
  case legacy

  /// All that are to be tried, the most thorough first.
  static func all(_ choice: CommitChoice, isAtomic: Bool) -> [LightAttempt] {
    var attempts: [LightAttempt] = []
    if isAtomic, choice != .legacy {
      attempts = [
        .atomic(darkensOthers: true, resetsColour: true),
        .atomic(darkensOthers: true, resetsColour: false),
        .atomic(darkensOthers: false, resetsColour: true),
        .atomic(darkensOthers: false, resetsColour: false),
      ]
    }
    if choice != .atomic { attempts.append(.legacy) }
    return attempts
  }

  /// Tries one after the other, and returns the first that the driver accepts.
  ///
  /// - Throws: The first refusal, if all are refused. A card that is gone or another program's ends the series
  ///   at once. What is not a refusal of the state itself (EIO, ETIMEDOUT) is the driver's trouble with atomic
  ///   commits: only the legacy call is tried after it.
  static func first(
    of attempts: [LightAttempt], _ light: (LightAttempt) throws(DisplayError) -> Void
  ) throws(DisplayError) -> LightAttempt {
    var failure: DisplayError?
    var isBroken = false
    for attempt in attempts where attempt == .legacy || !isBroken {
      do throws(DisplayError) {
        try light(attempt)
        return attempt
      } catch {
        guard error.isRepairable else { throw error }
        failure = failure ?? error
        isBroken = !error.isInvalid
      }
    }
    // Atomic commits are wanted, and the driver has none.
    throw failure ?? .refused(.commit, Errno(EOPNOTSUPP))
  }
}
