public import Ink

/// The samples of a signature as the panel reported them: strokes.json.
public struct RecordedStrokes: Equatable, Sendable {
  /// The glass that could be drawn on, in millimetres.
  public var width: Float, height: Float
  /// The panel's pixels per millimetre.
  public var scaleX: Float, scaleY: Float
  /// The name of the stroke model that drew.
  public var model: String
  /// From the narrowest to the widest ink, in millimetres; nil: the model's own.
  public var inkWidth: ClosedRange<Float>?
  /// In the order in which they were begun.
  public var strokes: [Stroke]

  /// All of it; lengths in millimetres, scales in pixels per millimetre.
  public init(
    width: Float, height: Float, scaleX: Float, scaleY: Float, model: String,
    inkWidth: ClosedRange<Float>? = nil, strokes: [Stroke]
  ) {
    (self.width, self.height) = (width, height)
    (self.scaleX, self.scaleY) = (scaleX, scaleY)
    self.model = model
    self.inkWidth = inkWidth
    self.strokes = strokes
  }
}
