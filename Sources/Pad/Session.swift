public import Ink

/// What happens on the glass, as a state machine: contacts and answers in, one action out. It neither
/// draws nor saves nor reads a clock.
///
///     ready ──ink──▶ signed ──Done──▶ saving ──saved──▶ acknowledged ──time──▶ ready
///       ▲              │                  └──failed──▶ out of service ──service──▶ signed
///       └────Clear─────┘
///
/// A contact belongs to what it came down on: ink stays ink when it runs over a button, and a button
/// acts when it is released inside.
public struct Session: Sendable {
  /// What is to be done after an input.
  public enum Action: Equatable, Sendable {
    /// Nothing.
    case none
    /// A stroke begins.
    case inkBegins(Sample)
    /// It goes on.
    case inkGoesOn(Sample)
    /// It ends at its last sample.
    case inkEnds
    /// The stroke was none: take it back.
    case inkTakenBack
    /// Wipe the ink.
    case wipe
    /// Save the strokes; the ink stays on the glass.
    case save
  }

  /// What a contact that is down does.
  private enum Hand: Equatable, Sendable {
    case none
    case inking
    case pressing(Button, inside: Bool)
    /// It came down where or when nothing can be done; it is let go.
    case ignored
  }

  private enum State: Equatable, Sendable {
    case ready
    case signed
    case saving
    case acknowledged(until: Int64)
    case outOfService(signed: Bool)
  }

  /// How long the acknowledgement stays, in nanoseconds.
  public static let acknowledgement: Int64 = 1_200_000_000

  private let layout: Layout
  private var state = State.ready
  private var hand = Hand.none
  /// Strokes on the pad.
  private var strokes = 0

  /// A clean pad.
  public init(layout: Layout) { self.layout = layout }

  /// The next moment at which `time(_:)` must be called, if any; CLOCK_MONOTONIC.
  public var deadline: Int64? {
    if case .acknowledged(let until) = state { until } else { nil }
  }

  /// What the pad shows besides the ink.
  public var face: Face {
    let canAct = state == .signed
    func look(_ button: Button) -> Face.ButtonLook {
      if !canAct { return .faint }
      return hand == .pressing(button, inside: true) ? .pressed : .plain
    }
    return Face(clear: look(.clear), done: look(.done), mark: mark)
  }

  private var mark: Face.Mark {
    switch state {
    case .ready, .signed, .saving: .invitation
    case .acknowledged: .saved
    case .outOfService: .outOfService
    }
  }

  /// A contact came down.
  public mutating func down(_ sample: Sample) -> Action {
    guard hand == .none else { return .none }
    if let button = layout.button(at: sample.position) {
      hand = state == .signed ? .pressing(button, inside: true) : .ignored
      return .none
    }
    guard state == .ready || state == .signed, layout.signing.contains(sample.position) else {
      hand = .ignored
      return .none
    }
    hand = .inking
    state = .signed
    strokes += 1
    return .inkBegins(sample)
  }

  /// The contact moved.
  public mutating func move(_ sample: Sample) -> Action {
    switch hand {
    case .none, .ignored: return .none
    case .inking: return .inkGoesOn(sample)
    case .pressing(let button, _):
      hand = .pressing(button, inside: layout.area(of: button).contains(sample.position))
      return .none
    }
  }

  /// The contact left the glass.
  public mutating func up() -> Action {
    defer { hand = .none }
    switch hand {
    case .none, .ignored, .pressing(_, inside: false): return .none
    case .inking: return .inkEnds
    case .pressing(.clear, inside: true):
      return wipe()
    case .pressing(.done, inside: true):
      state = .saving
      return .save
    }
  }

  /// The contact is gone without having been lifted, as when the screen is unplugged: a button is let
  /// go without acting; ink that was drawn stays. A contact that turned out to be none, a palm or a
  /// ghost, leaves no ink either.
  public mutating func cancel(isMistake: Bool = false) -> Action {
    defer { hand = .none }
    guard hand == .inking else { return .none }
    guard isMistake else { return .inkEnds }
    strokes -= 1
    if strokes == 0 { state = .ready }
    return .inkTakenBack
  }

  /// The signature is durably in the spool.
  public mutating func saved(at now: Int64) -> Action {
    guard state == .saving else { return .none }
    state = .acknowledged(until: now + Session.acknowledgement)
    return .none
  }

  /// The signature could not be saved; it stays on the glass and can be sent again.
  public mutating func notSaved() -> Action {
    guard state == .saving else { return .none }
    state = .outOfService(signed: true)
    return .none
  }

  /// What was to be saved is not enough ink for a signature: it stays, and more can be added.
  public mutating func refused() -> Action {
    if state == .saving { state = .signed }
    return .none
  }

  /// There is no room for a signature, or there is again.
  public mutating func service(available: Bool) -> Action {
    switch (state, available) {
    // Who has begun to sign may go on: the signature is refused, if at all, when it is sent.
    case (.ready, false): state = .outOfService(signed: false)
    case (.outOfService(let signed), true): state = signed ? .signed : .ready
    default: return .none
    }
    return .none
  }

  /// There is ink from before.
  mutating func adopt(strokes: Int) {
    self.strokes = strokes
    if state == .ready && strokes > 0 { state = .signed }
  }

  /// The clock stands at `now`.
  public mutating func time(_ now: Int64) -> Action {
    guard case .acknowledged(let until) = state, now >= until else { return .none }
    return wipe()
  }

  private mutating func wipe() -> Action {
    state = .ready
    strokes = 0
    return .wipe
  }
}
