internal import Ink

/// The caller's action after an input to a session.
enum SessionAction: Equatable, Sendable {
  case none
  /// Begin a stroke.
  case inkBegins(Sample)
  /// Wipe the ink, then begin a stroke: the next signature begins while the last one is shown.
  case inkBeginsAnew(Sample)
  /// Continue the stroke.
  case inkGoesOn(Sample)
  /// End the stroke at its last sample.
  case inkEnds
  /// Remove the last stroke.
  case inkTakenBack
  /// Wipe the ink.
  case wipe
  /// Save the strokes; the ink stays on the glass.
  case save
}
