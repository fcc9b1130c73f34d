internal import Display
internal import Raster

/// What the render thread is told besides contacts.
enum RenderMessage: Sendable {
  /// The signature is durably in the spool.
  case saved
  /// It could not be saved.
  case notSaved
  /// There is room for signatures, or there is none.
  case service(available: Bool)
  /// Answer that the thread is alive.
  case heartbeat
  /// End, and put the former picture back.
  case stop
}

/// What the save thread is asked for.
enum SaveMessage: Sendable {
  /// Publish a signature.
  case publish(FinishedSignature)
  /// Keep what the memory panel showed when *Done* was pressed.
  case keep(PanelPicture)
  /// Look whether there is room for signatures.
  case checkRoom
  /// End after what was asked for before.
  case stop
}

/// What the threads tell the main one.
enum PadNews: Sendable {
  /// The panel is open, and its first picture on the way.
  case lit(PanelFacts)
  /// The render thread has ended, with a line that says why unless it was asked to.
  case renderEnded(reason: String?)
  /// The render thread is alive.
  case renderAlive
  /// The input thread is alive.
  case inputAlive
  /// The touchscreen is there, or is not, with a line for the log.
  case touch(line: String)
  /// The recording has been played to its end.
  case played
}

/// What the rest of the pad has to know about the panel.
struct PanelFacts: Sendable {
  /// Pixels of the upright canvas.
  let width: Int, height: Int
  /// Pixels per millimetre.
  let scale: Scale
  /// For logs and manifests.
  let name: String

  /// The visible glass, in millimetres.
  var size: (width: Float, height: Float) { (Float(width) / scale.x, Float(height) / scale.y) }
}
