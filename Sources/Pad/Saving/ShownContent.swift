internal import Ink
internal import Raster
internal import Spool

/// What was on the glass beside the ink while a person signed.
struct ShownContent: Equatable, Sendable {
  /// The title; nil: none.
  var title: String?
  /// The text below it, which may be the pad's own; nil: none.
  var prompt: String?
  /// The document that was shown before signing; nil: none.
  var document: ShownDocument?
  /// The glass that was signed on, for a start without a panel; nil: not known, or not needed.
  var glass: Glass?

  /// The size and the resolution of a glass.
  struct Glass: Equatable, Sendable {
    /// In millimetres.
    let size: Point
    /// Pixels per millimetre.
    let scale: Scale
  }
}
