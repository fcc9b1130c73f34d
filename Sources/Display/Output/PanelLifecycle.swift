internal import Linux

/// Why a panel is inactive. Each reason is independent; the panel is active when none is left.
struct InactiveReasons: OptionSet, Sendable {
  let rawValue: UInt8

  /// The card was removed.
  static let gone = InactiveReasons(rawValue: 1)
  /// Nothing is connected.
  static let unplugged = InactiveReasons(rawValue: 2)
  /// Another terminal is shown: the card is not touched until ours is shown again.
  static let away = InactiveReasons(rawValue: 4)
  /// The panel was blanked.
  static let blank = InactiveReasons(rawValue: 8)
  /// Another program is master: retried each second.
  static let held = InactiveReasons(rawValue: 16)
}

/// The condition of a panel.
public enum PanelCondition: String, Sendable {
  /// It shows the canvas.
  case active
  /// It is switched off by `blank()`.
  case blank
  /// Another virtual terminal or another program has the card.
  case away
  /// Its cable is unplugged.
  case unplugged
  /// Its card was removed.
  case gone
}

/// A change of a panel, for the log.
public enum PanelEvent: Sendable, Equatable {
  /// A call failed, or there is no panel; retried without further events of the same cause.
  case failed(DisplayError)
  /// The panel returned; its card, driver, connector or interface may have changed.
  case returned
  /// Nothing is connected to this connector of a blanked panel: the monitor is unplugged or asleep. Reported once until
  /// the panel counts as unplugged.
  case seemsUnplugged(String)
}

/// Whether a panel is active, when to try again, and what to report: a state machine without clock and devices.
///
///              released, blanked, disconnected, held, gone
///     active ──────────────────────────────────────────────▶ inactive(reasons)
///        ▲                                                       │
///        └── acquired, unblanked, reconnected, opened ───────────┘
///            (once no reason is left)
///
/// The panel reports what happened, and performs the action that comes back.
struct PanelLifecycle {
  /// The next action of the panel.
  enum Action: Equatable {
    /// Nothing.
    case none
    /// Set the mode with the next frame: the panel is active again.
    case setMode
    /// Become master again.
    case acquire
    /// Check the connector, or open another card.
    case check
    /// Close the card.
    case close
  }

  /// The state: empty while the panel is active.
  private var reasons = InactiveReasons()
  /// The time of the next `retry`; nil: none is due.
  private(set) var retryTime: Int64?
  private var failure: DisplayError?
  private var hasReturned = false
  /// The failures that were reported last, which are not repeated.
  private var reportedOpenFailure = "", reportedCheckFailure: DisplayError?
  /// Nothing was connected while the panel showed nothing: the monitor may be asleep.
  private var mayBeAsleep = false
  /// Until when a monitor that may be asleep counts as connected; nil: none was woken.
  private var wakeLimit: Int64?
  /// A monitor is being woken, and was not connected when that was looked at last.
  private var awaitsMonitor = false
  /// The connector of a blanked panel that seems unplugged, until it is reported.
  private var sleeper: String?
  private var isSleeperReported = false

  /// Nanoseconds between attempts to open or acquire a card.
  static let retryInterval: Int64 = 1_000_000_000
  /// Nanoseconds in which a signal must wake a monitor. Longer than the 10 s after which the kernel looks at connectors
  /// without an interrupt: until then, their status is that of before.
  static let wakeTime: Int64 = 15_000_000_000

  /// An active panel.
  init() {}

  /// Whether the panel shows the canvas.
  var isActive: Bool { reasons.isEmpty }

  /// Whether another terminal is shown.
  var isAway: Bool { reasons.contains(.away) }

  /// Whether nothing is connected.
  var isUnplugged: Bool { reasons.contains(.unplugged) }

  /// Whether the connector may be probed.
  var allowsProbing: Bool { reasons.isSubset(of: .blank) }

  /// Whether a monitor is being woken. Until it is there, a driver may refuse to set a mode.
  var isWaking: Bool { isActive && awaitsMonitor }

  /// The most serious reason.
  var condition: PanelCondition {
    if reasons.contains(.gone) { return .gone }
    if reasons.contains(.unplugged) { return .unplugged }
    if !reasons.isDisjoint(with: [.away, .held]) { return .away }
    return reasons.contains(.blank) ? .blank : .active
  }

  /// The card was released for another terminal.
  mutating func released() { reasons.insert(.away) }

  /// The terminal is shown again, and the card acquired.
  ///
  /// It ends blanking too: a person has switched the terminal. A card is checked with the next events.
  mutating func acquired(hasCard: Bool, at now: Int64) -> Action {
    let action = remove([.away, .held, .blank])
    awaitWaking(at: now)
    if hasCard { retryTime = now }
    return action
  }

  /// The terminal is shown again, but the card could not be acquired.
  mutating func acquireFailed(_ error: DisplayError, at now: Int64) -> Action {
    reasons.remove(.away)
    reasons.insert(.held)
    retryTime = now + Self.retryInterval
    return failed(error, at: now) ?? .none
  }

  /// The panel was switched off.
  mutating func blanked() { reasons.insert(.blank) }

  /// The panel is wanted again.
  mutating func unblanked(at now: Int64) -> Action {
    let action = remove(.blank)
    awaitWaking(at: now)
    return action
  }

  /// Gives a monitor that may be asleep time to notice the signal.
  private mutating func awaitWaking(at now: Int64) {
    guard isActive, mayBeAsleep else { return }
    (mayBeAsleep, awaitsMonitor) = (false, true)
    wakeLimit = now + Self.wakeTime
    retryTime = wakeLimit
  }

  /// The panel is connected. One that comes back while it wakes needs the mode again.
  mutating func connected() -> Action {
    mayBeAsleep = false
    guard isActive, awaitsMonitor else { return .none }
    // The limit stays: some monitors come and go while they wake.
    awaitsMonitor = false
    return .setMode
  }

  /// Nothing is connected to the connector.
  ///
  /// Some monitors cause that while they sleep, and only a signal wakes them. So a panel that is blanked, or whose card
  /// another program has, stays as it is.
  mutating func disconnected(_ connector: String, on card: String, at now: Int64) {
    guard !isUnplugged else { return }
    if !reasons.contains(.gone), !reasons.isDisjoint(with: [.blank, .held]) {
      mayBeAsleep = true
      if reasons.contains(.blank), !isSleeperReported {
        (sleeper, isSleeperReported) = (connector, true)
      }
      return
    }
    if isActive, let wakeLimit, now < wakeLimit {
      awaitsMonitor = true
      retryTime = wakeLimit
      return
    }
    (mayBeAsleep, awaitsMonitor, wakeLimit) = (false, false, nil)
    (sleeper, isSleeperReported) = (nil, false)
    failure = .noPanel([UnusedConnector(card: card, connector: connector, reason: .disconnected)])
    hasReturned = false
    reasons.insert(.unplugged)
  }

  /// The same panel is connected again.
  mutating func reconnected() -> Action {
    hasReturned = true
    return remove(.unplugged)
  }

  /// Another card was opened in place of one that was removed.
  mutating func opened() -> Action {
    reportedOpenFailure = ""
    hasReturned = true
    return remove([.gone, .held])
  }

  /// No card could be opened in place of one that was removed.
  mutating func openFailed(_ error: DisplayError, at now: Int64) {
    retryTime = now + Self.retryInterval
    let text = error.text
    if !text.isSame(as: reportedOpenFailure) { failure = error }
    reportedOpenFailure = text
  }

  /// A call failed. Nil if the card is still there and ours; else the failure is handled.
  mutating func failed(_ error: DisplayError, at now: Int64) -> Action? {
    var action = Action.none
    if case .gone = error {
      failure = error
      hasReturned = false
      reasons.insert(.gone)
      action = .close
    } else if case .held = error {
      reasons.insert(.held)
    } else if error.isForbidden {
      reasons.insert(.held)
    } else {
      return nil
    }
    retryTime = now + Self.retryInterval
    return action
  }

  /// The check of the connector failed.
  mutating func checkFailed(_ error: DisplayError, at now: Int64) -> Action {
    defer { reportedCheckFailure = error }
    awaitsMonitor = false
    if let action = failed(error, at: now) { return action }
    if error != reportedCheckFailure { failure = error }
    return .none
  }

  /// A mode was refused for the first time since one was set.
  mutating func modeRefused(_ error: DisplayError) { failure = error }

  /// The driver is used through another interface now.
  mutating func interfaceChanged() { hasReturned = true }

  /// Returns the retry that is due at `now`; none while another terminal is shown.
  mutating func retry(at now: Int64) -> Action {
    guard let retryTime, now >= retryTime else { return .none }
    self.retryTime = nil
    if reasons.isDisjoint(with: [.away, .held]) { return .check }
    return isAway ? .none : .acquire
  }

  /// The next event that was not reported yet.
  mutating func nextEvent() -> PanelEvent? {
    if let failure {
      self.failure = nil
      return .failed(failure)
    }
    if hasReturned {
      hasReturned = false
      return .returned
    }
    guard let sleeper else { return nil }
    self.sleeper = nil
    return .seemsUnplugged(sleeper)
  }

  private mutating func remove(_ ended: InactiveReasons) -> Action {
    guard !reasons.isDisjoint(with: ended) else { return .none }
    reasons.subtract(ended)
    guard reasons.isEmpty else { return .none }
    retryTime = nil
    return .setMode
  }
}
