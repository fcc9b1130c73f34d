public import Ink

extension Session {
  /// What is to be done after an input.
  public enum Action: Equatable, Sendable {
    /// Nothing.
    case none
    /// A stroke begins.
    case inkBegins(Sample)
    /// The next signature begins while the last one is still shown: wipe that one first.
    case inkBeginsAnew(Sample)
    /// It goes on.
    case inkGoesOn(Sample)
    /// It ends at its last sample.
    case inkEnds
    /// The last stroke was none, or is not wanted: take it back.
    case inkTakenBack
    /// Wipe the ink.
    case wipe
    /// Save the strokes; the ink stays on the glass.
    case save
  }
}
