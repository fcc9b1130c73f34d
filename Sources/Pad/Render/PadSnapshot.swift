internal import Control
internal import Ink
internal import Linux
internal import Screen
internal import Text

/// The state of the pad that outlives a panel or the program.
final class PadSnapshot: Sendable {
  /// The ink in millimetres.
  let strokes: [Stroke]
  /// *Done* was pressed in an earlier start.
  let isDone: Bool
  /// What was shown when it was pressed; nil: that is not known.
  let shown: ShownContent?
  /// The session on the last panel; nil: the program has started anew.
  let session: Session?
  /// The open request of an earlier start, with its deadline.
  let request: TypesetRequest?

  init(
    strokes: [Stroke] = [], isDone: Bool = false, shown: ShownContent? = nil,
    session: Session? = nil, request: TypesetRequest? = nil
  ) {
    self.strokes = strokes
    self.isDone = isDone
    self.shown = shown
    self.session = session
    self.request = request
  }

  /// The recovered state for the first panel, which replaces the scene's words by icons.
  convenience init(_ state: RecoveredState, undo: Bool) {
    let request = state.request.map { request in
      var parts = LayoutParts(
        undo: undo, cancel: request.hasButton, countdown: request.deadline != nil)
      parts.hasDocument = request.document.hasValue
      return TypesetRequest(
        request: request,
        scene: Scene(
          number: request.number, layout: Layout(width: 100, height: 60, parts: parts),
          title: request.title.map { Typesetter.shown($0) },
          prompt: request.text.map { Typesetter.shown($0) }))
    }
    self.init(
      strokes: state.strokes, isDone: state.isDone, shown: state.shown, request: request)
  }
}
