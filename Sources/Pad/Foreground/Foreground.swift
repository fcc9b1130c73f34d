/// Decides which side has the panel: the pad, or the program on another virtual terminal. Pure.
///
///              needed                     acquired
///     back ───────────────▶ coming ─────────────────────▶ front ◀───────────────┐
///      ▲ ▲                    │                            │ │                  │ needed, or the other side is gone
///      │ └─ not in time, not needed ─                not needed                 │
///      │                                                   │ └───▶ leaving ─────┘
///      └─── released ─── releasing ◀──────── release asked ┴──────────┘
///
/// The pad needs the panel while a request or its notice is open, while a client holds it (Front), and while the
/// other side is gone: it shows its screen at rest then, and no console. With `isShared == false`, the pad needs the
/// panel always, but never asks for it: people switch terminals.
struct Foreground {
  /// The next action of the owner of the terminal.
  enum Action: Equatable {
    case none
    /// Ask the kernel for the pad's terminal (VT_ACTIVATE). Answered by `acquired`.
    case activatePad
    /// Ask the kernel for the other side's terminal. Answered by `releaseAsked`, or call `otherIsGone`.
    case activateOther
    /// Acquire the panel, and show what waits.
    case acquirePanel
    /// Release panel and touchscreen, permit the switch, then call `released`.
    case releasePanel
    /// Refuse the switch: a person signs, or the pad does not want it any longer.
    case refuseSwitch
    /// The other side did not release its terminal in time: refuse what waits.
    case refuseRequest
  }

  private enum State: Equatable {
    case back
    /// The kernel was asked for the pad's terminal.
    case coming(until: Int64)
    case front
    /// The kernel was asked for the other terminal.
    case leaving(until: Int64)
    /// The panel is being released.
    case releasing
  }

  /// How long the other side may take to release its terminal, in nanoseconds.
  static let limit: Int64 = 2_000_000_000
  /// How often the pad looks again for what it did not get, in nanoseconds.
  static let retryInterval: Int64 = 1_000_000_000

  /// Whether the pad returns the panel when it does not need it.
  let isShared: Bool
  private var state: State
  /// A request or its notice is open.
  private var isInUse: Bool
  /// A client holds the pad in front.
  private var isHeld = false
  /// The other side has ended: its terminal would show a console.
  private var isOtherGone = false
  /// The kernel may still answer a request for the terminal that the pad has given up.
  private var isLate = false
  /// The panel was acquired, and not released since.
  private var hasPanel: Bool
  /// When to ask again.
  private var retry: Int64?

  /// - Parameters:
  ///   - isShown: Whether the pad's terminal is shown.
  ///   - isInUse: Whether an earlier start has left a request or ink.
  init(isShared: Bool, isShown: Bool, isInUse: Bool = false) {
    self.isShared = isShared
    self.isInUse = isInUse
    state = isShown ? .front : .back
    hasPanel = isShown
  }

  /// Whether the pad's terminal is shown and the panel its own, so that a request can be shown at once.
  var isFront: Bool {
    switch state {
    case .front, .leaving: hasPanel
    case .back, .coming, .releasing: false
    }
  }

  /// Whether the panel is being released, until `released` or `kept` is called.
  var isReleasing: Bool { state == .releasing }

  /// Whether the other side's terminal is shown, and the pad has not asked for its own.
  var isBack: Bool { state == .back }

  /// When `time(_:)` must be called (CLOCK_MONOTONIC); nil: never.
  var deadline: Int64? {
    switch state {
    case .coming(let until), .leaving(let until): until
    case .front, .back: retry
    case .releasing: nil
    }
  }

  private var isNeeded: Bool { isInUse || isHeld || isOtherGone }

  // MARK: - What the pad needs

  /// The pad has started: asks for the panel if it needs it, and returns it if it does not.
  mutating func start(at now: Int64) -> Action { follow(now) }

  /// A request or its notice is open, or none is.
  mutating func use(_ isInUse: Bool, at now: Int64) -> Action {
    guard isInUse != self.isInUse else { return .none }
    self.isInUse = isInUse
    return follow(now)
  }

  /// A client holds the pad in front.
  mutating func hold(at now: Int64) -> Action {
    isHeld = true
    return follow(now)
  }

  /// A client returns the panel to the other side, also during a notice.
  mutating func yield(at now: Int64) -> Action {
    (isHeld, isInUse) = (false, false)
    return follow(now)
  }

  private mutating func follow(_ now: Int64) -> Action {
    guard isShared else { return .none }
    switch state {
    case .back where isNeeded: return come(now)
    case .front where !isNeeded: return leave(now)
    case .coming where !isNeeded:
      (state, isLate, retry) = (.back, true, nil)
      return .none
    case .front where isNeeded && !hasPanel, .leaving where isNeeded && !hasPanel: return show()
    case .back where retry != nil:
      retry = nil
      return .none
    case .back, .coming, .front, .leaving, .releasing: return .none
    }
  }

  private mutating func show() -> Action {
    (state, hasPanel) = (.front, true)
    return .acquirePanel
  }

  private mutating func come(_ now: Int64) -> Action {
    (state, retry) = (.coming(until: now + Self.limit), nil)
    return .activatePad
  }

  private mutating func leave(_ now: Int64) -> Action {
    (state, retry) = (.leaving(until: now + Self.limit), nil)
    return .activateOther
  }

  // MARK: - What the kernel does

  /// The pad's terminal is shown.
  mutating func acquired(at now: Int64) -> Action {
    // Signals do not keep their order: the release that was asked for afterwards is under way.
    guard state != .releasing else { return .none }
    // A switch that the pad has given up may come late. Any other one that the pad did not request
    // comes from a person.
    let isUnwanted = isShared && isLate && !isNeeded
    (isLate, retry) = (false, nil)
    if isUnwanted, state == .back { return leave(now) }
    // The other side is looked for again, as it may have returned.
    if isOtherGone { retry = now + Self.retryInterval }
    return show()
  }

  /// The kernel asks for the release of the pad's terminal.
  mutating func releaseAsked(at now: Int64) -> Action {
    guard state != .releasing else { return .none }
    // While leaving, it is the pad's own wish, which a client may have changed.
    var isOutdated = false
    if case .leaving = state { isOutdated = isNeeded }
    if isShared, isInUse || isOutdated, isFront {
      state = .front
      return .refuseSwitch
    }
    // Another side exists, and a person or a program wants it.
    (state, isHeld, isOtherGone, retry) = (.releasing, false, false, nil)
    hasPanel = false
    return .releasePanel
  }

  /// The switch was permitted, and the other terminal is shown.
  ///
  /// - Parameter isOtherGone: The kernel has found the other side dead, and shows a console.
  mutating func released(isOtherGone: Bool = false, at now: Int64) -> Action {
    guard state == .releasing else { return .none }
    (state, self.isOtherGone) = (.back, isOtherGone && isShared)
    return follow(now)
  }

  /// The switch was permitted, and the pad's terminal is still shown: the kernel did not wait for it any longer.
  mutating func kept(at now: Int64) -> Action {
    guard state == .releasing else { return .none }
    retry = isShared && !isNeeded ? now + Self.retryInterval : nil
    return show()
  }

  /// There is no other side whose terminal could be shown.
  mutating func otherIsGone(at now: Int64) -> Action {
    guard case .leaving = state else { return .none }
    isOtherGone = true
    return stay(now)
  }

  /// Remains in front for now, although the pad does not need the panel.
  private mutating func stay(_ now: Int64) -> Action {
    (state, retry) = (.front, now + Self.retryInterval)
    // After a late switch, the pad's terminal would be shown without a picture.
    return hasPanel ? .none : show()
  }

  /// Handles what was due at `now`.
  mutating func time(_ now: Int64) -> Action {
    guard let deadline, deadline <= now else { return .none }
    switch state {
    case .coming:
      // The kernel still performs the switch when the other side releases its terminal.
      // A client that wants the pad in front is refused like a request.
      (state, isLate, isHeld) = (.back, true, false)
      retry = isNeeded ? now + Self.retryInterval : nil
      return .refuseRequest
    case .leaving:
      // Switching is locked (VT_LOCKSWITCH), or the terminal has no owner that would release it.
      return stay(now)
    case .front:
      retry = nil
      isOtherGone = false
      return follow(now)
    case .back:
      retry = nil
      return follow(now)
    case .releasing: return .none
    }
  }
}
