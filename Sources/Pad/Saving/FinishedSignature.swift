internal import Ink
internal import Raster
internal import Screen

/// What the render thread hands to the save thread: a plain copy, so that neither waits for the other.
struct FinishedSignature: Equatable, Sendable {
  /// As the panel reported them.
  let strokes: [Stroke]
  /// The glass, in millimetres.
  let glass: Area
  /// Pixels per millimetre of the panel.
  let scale: Scale
  /// The request that it answers, and what was signed for.
  var request: Int64?
  var reference: String?
  /// What was shown while it was signed.
  var title: String?, prompt: String?
  /// When *Done* was released: CLOCK_MONOTONIC.
  let done: Int64
}
