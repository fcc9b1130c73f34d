@testable import Pad

/// The kernel's terminals, a program on the other one, clients and persons, for a `Foreground`.
struct TerminalWorld {
  private enum Terminal { case pad, other }
  private enum Signal { case release, acquire }

  private var foreground = Foreground(isShared: true, isShown: false)
  private var random: UInt64
  private var now: Int64 = 0
  private var shown = Terminal.other
  /// The switch that the owner of the terminal in front must permit.
  private var pending: Terminal?
  /// The kernel keeps one of a kind, and not their order.
  private var signals: Set<Signal> = []
  /// The pad releases its panel, which takes a while.
  private var isReleasing = false
  private var hasPanel = false
  private var isOtherWilling = true
  private var isOtherAlive = true
  private var isInUse = false
  private var isHeld = false
  /// When the request came that the pad has neither shown nor refused.
  private var asked: Int64?
  /// A rule that was broken.
  private(set) var flaw: String?

  init(seed: UInt64) { random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// A number below `count` (xorshift64).
  private mutating func below(_ count: UInt64) -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random % count
  }

  mutating func step() {
    switch below(12) {
    case 0:
      if !isInUse { asked = now }
      isInUse = true
      perform(foreground.use(true, at: now))
      if foreground.isFront { asked = nil }
    case 1: rest()
    case 2:
      isHeld = true
      perform(foreground.hold(at: now))
    case 3:
      // The pad refuses Back while a request is open.
      if isInUse { break }
      isHeld = false
      perform(foreground.yield(at: now))
    case 4: activate(.pad)
    case 5: activate(.other)
    case 6: isOtherWilling.toggle()
    case 7:
      isOtherAlive = below(3) > 0
    case 8: wait(Int64(below(3_000)) * 1_000_000)
    default: deliver()
    }
    kernel()
    check()
  }

  /// Lets everything come to its end beside a willing program.
  mutating func settle() {
    (isOtherWilling, isOtherAlive) = (true, true)
    for _ in 0..<20 {
      kernel()
      deliver()
      deliver()
      wait(1_000_000_000)
      check()
    }
    if isInUse, !foreground.isFront { flaw = flaw ?? "a request is not in front" }
  }

  private mutating func rest() {
    (isInUse, asked) = (false, nil)
    perform(foreground.use(false, at: now))
  }

  private mutating func wait(_ nanoseconds: Int64) {
    let end = now + nanoseconds
    while let deadline = foreground.deadline, deadline <= end {
      now = max(now, deadline)
      perform(foreground.time(now))
      kernel()
    }
    now = end
    if let asked, now - asked > Foreground.limit, isInUse, !foreground.isFront, !isReleasing,
      signals.isEmpty, foreground.deadline == nil
    {
      flaw = flaw ?? "a request waits for ever"
    }
  }

  /// Delivers a signal, or ends the release of the panel.
  private mutating func deliver() {
    // The release takes a while, in which signals come.
    if isReleasing, signals.isEmpty || below(2) == 0 {
      isReleasing = false
      guard pending == .other else { return perform(foreground.kept(at: now)) }
      (shown, pending) = (.other, nil)
      return perform(foreground.released(isOtherGone: !isOtherAlive, at: now))
    }
    // signalfd(2) delivers the lowest number first, which is the release's.
    if signals.remove(.release) != nil {
      perform(foreground.releaseAsked(at: now))
    } else if signals.remove(.acquire) != nil, shown == .pad {
      perform(foreground.acquired(at: now))
    }
  }

  /// VT_ACTIVATE.
  private mutating func activate(_ terminal: Terminal) {
    guard terminal != shown else { return }
    if shown == .pad, pending == nil { signals.insert(.release) }
    pending = terminal
  }

  /// The other side permits a switch, or is dead.
  private mutating func kernel() {
    guard shown == .other, pending == .pad, isOtherWilling || !isOtherAlive else { return }
    (shown, pending) = (.pad, nil)
    signals.insert(.acquire)
  }

  private mutating func perform(_ action: Foreground.Action) {
    switch action {
    case .none: break
    case .activatePad: activate(.pad)
    case .activateOther:
      if isOtherAlive { activate(.other) } else { perform(foreground.otherIsGone(at: now)) }
    case .acquirePanel:
      if shown != .pad { flaw = "the panel is acquired behind another terminal" }
      (hasPanel, asked) = (true, nil)
    case .releasePanel:
      if isInUse, hasPanel { flaw = "the panel is taken from a request" }
      (hasPanel, isReleasing, isHeld) = (false, true, false)
    case .refuseSwitch:
      if !isInUse, !isHeld { flaw = "a switch is refused without a request" }
      pending = nil
    case .refuseRequest:
      isHeld = false
      rest()
    }
  }

  private mutating func check() {
    if foreground.isFront, shown != .pad { flaw = flaw ?? "the pad believes to be in front" }
    if foreground.isFront, !hasPanel { flaw = flaw ?? "the pad is in front without its panel" }
    if foreground.isBack, hasPanel { flaw = flaw ?? "the pad is back with the panel" }
  }
}
