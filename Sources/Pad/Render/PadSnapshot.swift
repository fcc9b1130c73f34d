internal import Control
internal import Ink
internal import Linux
internal import Raster
internal import Screen
internal import Text

/// The state of the pad that outlives a panel or the program.
///
/// Without a panel, the session continues here: clients cancel their requests, and time limits end.
struct PadSnapshot: Sendable {
  /// The ink in millimetres.
  private(set) var strokes: [Stroke]
  /// *Done* was pressed in an earlier start, and the signature is not on its way to the spool.
  private(set) var isDone: Bool
  /// What was shown when it was pressed; nil: that is not known.
  let shown: ShownContent?
  /// The glass on which it was pressed; nil: that is not known.
  private let glass: ShownContent.Glass?
  private(set) var session: Session
  /// The journal still has ink that was wiped.
  private var owesWipe = false

  /// The state on a panel.
  init(strokes: [Stroke], session: Session) {
    (self.strokes, self.session) = (strokes, session)
    (isDone, shown, glass) = (false, nil, nil)
  }

  /// The state of an earlier start: ink, and the open request with its deadline.
  init(
    strokes: [Stroke] = [], isDone: Bool = false, shown: ShownContent? = nil,
    request: TypesetRequest? = nil, rules: SessionRules = SessionRules(), at now: Int64 = 0
  ) {
    var session = Session(resting: Scene(layout: PadSnapshot.layout()), rules: rules)
    if let request { session.show(request, at: now) }
    let action = session.restore(
      strokes: strokes.count, isDone: isDone, document: shown?.document, at: now)
    if rules.awaitsService { session.awaitService() }
    self.strokes = strokes
    self.isDone = action == .save
    glass = shown?.glass
    var shown = shown
    shown?.glass = nil
    self.shown = shown
    self.session = session
    perform(action)
  }

  /// The recovered state, with icons instead of words.
  init(_ state: RecoveredState, undo: Bool, rules: SessionRules, at now: Int64) {
    let request = state.request.map { request in
      var parts = LayoutParts(
        undo: undo, cancel: request.hasButton, countdown: request.deadline != nil)
      parts.hasDocument = request.document.hasValue
      var typeset = TypesetRequest(
        request: request,
        scene: Scene(
          number: request.number, layout: PadSnapshot.layout(parts),
          title: request.title.map { Typesetter.shown($0) },
          prompt: request.text.map { Typesetter.shown($0) }))
      // The session begins to read before there is a panel.
      let glass = typeset.scene.layout.glass.size
      typeset.scene = typeset.iconScene(glass: glass, scale: Scale(x: 1, y: 1))
      return typeset
    }
    self.init(
      strokes: state.strokes, isDone: state.isDone, shown: state.shown, request: request,
      rules: rules, at: now)
  }

  /// A layout of an arbitrary size, because the panel's is not known.
  private static func layout(_ parts: LayoutParts = LayoutParts()) -> Layout {
    Layout(width: 100, height: 60, parts: parts)
  }

  // MARK: - Without a panel

  /// The signature of an earlier start that must be saved, once, if its glass is known.
  mutating func takeFinished(at now: Int64) -> FinishedSignature? {
    guard isDone, let shown, let glass else { return nil }
    isDone = false
    let request = session.requests.signature
    return FinishedSignature(
      strokes: strokes, glass: Area(x: 0, y: 0, width: glass.size.x, height: glass.size.y),
      scale: glass.scale, request: request?.number, reference: request?.reference,
      requester: request?.requester, shown: shown, done: now)
  }

  /// The pad is hidden: nothing is abandoned.
  mutating func hide(at now: Int64) { session.setVisible(false, at: now) }

  /// When the session's `time(_:)` must be called; nil: never.
  var deadline: Int64? { session.deadline }

  /// Handles an input to the session.
  mutating func handle(_ input: (inout Session) -> SessionAction) { perform(input(&session)) }

  private mutating func perform(_ action: SessionAction) {
    guard case .wipe = action else { return }
    strokes = []
    owesWipe = true
  }

  /// Whether the journal has ink that was wiped. Returns true once for each wipe.
  mutating func takeWipe() -> Bool {
    defer { owesWipe = false }
    return owesWipe
  }

  /// Removes and returns the session's events for clients, in their order.
  mutating func takeEvents() -> [ControlEvent] {
    var events: [ControlEvent] = []
    session.report { events.append($0) }
    return events
  }
}
