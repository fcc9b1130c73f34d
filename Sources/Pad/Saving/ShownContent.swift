internal import Spool

/// What was on the glass beside the ink while a person signed.
struct ShownContent: Equatable, Sendable {
  /// The title; nil: none.
  var title: String?
  /// The text below it, which may be the pad's own; nil: none.
  var prompt: String?
  /// The document that was shown before signing; nil: none.
  var document: ShownDocument?
}
