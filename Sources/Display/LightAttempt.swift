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
}
