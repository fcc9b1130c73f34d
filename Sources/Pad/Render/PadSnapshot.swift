internal import Ink

/// What outlives a glass: when the panel changes, or the program is killed and started anew.
struct PadSnapshot: Sendable {
  /// The ink, in millimetres.
  var strokes: [Stroke] = []
  /// *Done* was pressed before the pad was killed.
  var isDone = false
  /// Where things stood; nil: the pad was started anew.
  var session: Session?
  /// What is shown, or waits to be.
  var requests: [PadRequest] = []
  /// Of a request that is left from before a start: when its time is up, CLOCK_MONOTONIC.
  var limit: Int64?
}
