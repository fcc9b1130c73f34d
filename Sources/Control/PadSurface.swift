internal import JSON
internal import Nettle

/// The measures by which a client draws the same pixels as the pad.
public struct PadSurface: Equatable, Sendable {
  /// The size of the glass in pixels.
  public var width: Int, height: Int
  /// Pixels per millimetre.
  public var scaleX: Float, scaleY: Float
  /// The name of the stroke model.
  public var model: String
  /// The narrowest and the widest ink, in millimetres.
  public var narrowest: Float, widest: Float
  /// The lead of the tail, in nanoseconds.
  public var prediction: Int64
  /// The colours of ink and ground, 0xRRGGBB.
  public var ink: UInt32, ground: UInt32

  /// Creates a surface from its parts.
  public init(
    width: Int, height: Int, scaleX: Float, scaleY: Float, model: String, narrowest: Float,
    widest: Float, prediction: Int64, ink: UInt32, ground: UInt32
  ) {
    self.width = width
    self.height = height
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.model = model
    self.narrowest = narrowest
    self.widest = widest
    self.prediction = prediction
    self.ink = ink
    self.ground = ground
  }

  /// The interface's type `Surface`.
  var json: JSONValue {
    .object([
      ("width", .integer(width)), ("height", .integer(height)),
      ("scale_x", .real(Double(scaleX))), ("scale_y", .real(Double(scaleY))),
      ("model", .text(model)), ("narrowest", .real(Double(narrowest))),
      ("widest", .real(Double(widest))),
      ("prediction", .real(Double(prediction) / 1_000_000_000)),
      ("ink", .text(PadSurface.text(of: ink))), ("ground", .text(PadSurface.text(of: ground))),
    ])
  }

  /// A colour as "#rrggbb".
  private static func text(of colour: UInt32) -> String {
    "#" + Hexadecimal.text([16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> $0) })
  }
}
