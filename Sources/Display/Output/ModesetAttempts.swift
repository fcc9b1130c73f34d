internal import CLinux
internal import Linux

/// The configured interface to the driver.
public enum CommitChoice: Sendable, Equatable {
  /// Atomic commits; legacy calls if the driver has none or refuses every one.
  case automatic
  /// Atomic commits only.
  case atomic
  /// SETCRTC and PAGE_FLIP only, for drivers with broken atomic commits.
  case legacy
}

/// One way to set the full state. Drivers differ in what they refuse.
enum ModesetAttempt: Equatable, Sendable {
  /// One atomic commit.
  ///
  /// `disablesOthers`: all other outputs are switched off; else they keep their planes. `resetsColour`: colour, rotation
  /// and alpha are reset.
  case atomic(disablesOthers: Bool, resetsColour: Bool)
  /// SETCRTC.
  case legacy

  /// All attempts for a choice, the most thorough first.
  static func all(_ choice: CommitChoice, isAtomic: Bool) -> [ModesetAttempt] {
    var attempts: [ModesetAttempt] = []
    if isAtomic, choice != .legacy {
      attempts = [
        .atomic(disablesOthers: true, resetsColour: true),
        .atomic(disablesOthers: true, resetsColour: false),
        .atomic(disablesOthers: false, resetsColour: true),
        .atomic(disablesOthers: false, resetsColour: false),
      ]
    }
    if choice != .atomic { attempts.append(.legacy) }
    return attempts
  }
}

/// The order of the attempts to set the full state.
///
/// The last accepted attempt comes first: a refusal by a broken driver may take seconds or flicker.
struct ModesetAttempts {
  private let attempts: [ModesetAttempt]
  private var accepted: ModesetAttempt?

  /// Attempts in the given order, the most thorough first.
  init(_ attempts: [ModesetAttempt]) { self.attempts = attempts }

  /// The next attempt.
  var next: ModesetAttempt { accepted ?? attempts.first ?? .legacy }

  /// Makes attempts until the driver accepts one.
  ///
  /// - Throws: The first refusal, if all are refused. A lost card or mastership ends the attempts at once. An error
  ///   that does not concern the state (EIO, ETIMEDOUT) skips the remaining atomic attempts.
  mutating func run(
    _ set: (ModesetAttempt) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    var failure: DisplayError?
    var isBroken = false
    for attempt in ordered where attempt == .legacy || !isBroken {
      do throws(DisplayError) {
        try set(attempt)
        accepted = attempt
        return
      } catch {
        guard error.isRepairable else { throw error }
        failure = failure ?? error
        if attempt != .legacy { isBroken = !error.isInvalid }
      }
    }
    // Without any attempt: atomic commits are configured, and the driver has none.
    throw failure ?? .refused(.commit, Errno(EOPNOTSUPP))
  }

  private var ordered: [ModesetAttempt] {
    guard let accepted else { return attempts }
    return [accepted] + attempts.filter { $0 != accepted }
  }
}
