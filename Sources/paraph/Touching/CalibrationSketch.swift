import Configuration
import Ink

/// The panel of `paraph calibrate`: the current target and the progress, without words in any language.
struct CalibrationSketch: ~Copyable {
  /// How a target looks.
  enum Look {
    case plain
    /// A finger is on the glass.
    case pressed
    /// The last touch was refused.
    case refused
  }

  /// Larger than a fingertip, so that the middle stays recognisable.
  private static let diameter: Float = 12
  private static let (blue, green, red): (UInt32, UInt32, UInt32) = (0x0055CC, 0x007A5A, 0xCC2222)
  private static let grey: UInt32 = 0xC0C0C0

  private var sketch: Sketch

  init(_ wishes: DisplayConfiguration) throws(ToolError) {
    sketch = try Sketch(wishes)
    sketch.clear()
  }

  /// For poll(2): readable when `show` has something to do.
  var number: Int32 { sketch.number }

  /// Millimetres of the picture, and how it is turned.
  var size: Point { sketch.size }
  var quarterTurns: Int { sketch.quarterTurns }

  /// Draws the target at a place in millimetres, as the only one.
  mutating func draw(_ target: Point, _ look: Look, done: Int, of count: Int) {
    let colour =
      switch look {
      case .plain: Self.blue
      case .pressed: Self.green
      case .refused: Self.red
      }
    sketch.clear()
    progress(done, of: count)
    let arm = Self.diameter / 2
    sketch.ring(target, diameter: Self.diameter, width: 0.6, colour)
    sketch.line([target - Point(arm, 0), target + Point(arm, 0)], width: 0.3, Self.grey)
    sketch.line([target - Point(0, arm), target + Point(0, arm)], width: 0.3, Self.grey)
    sketch.disc(target, diameter: 2, colour)
  }

  /// Draws a check mark or a cross.
  mutating func drawEnd(isGood: Bool) {
    sketch.clear()
    let middle = size / 2
    let unit = min(size.x, size.y) / 3
    func place(_ x: Float, _ y: Float) -> Point { middle + Point(x, y) * unit }
    if isGood {
      sketch.line(
        [place(-0.5, 0.05), place(-0.15, 0.4), place(0.5, -0.35)], width: unit / 6, Self.green)
    } else {
      sketch.line([place(-0.4, -0.4), place(0.4, 0.4)], width: unit / 6, Self.red)
      sketch.line([place(-0.4, 0.4), place(0.4, -0.4)], width: unit / 6, Self.red)
    }
  }

  /// A dot for each target, at the middle of the lower edge.
  private mutating func progress(_ done: Int, of count: Int) {
    for index in 0..<count {
      let x = size.x / 2 + (Float(index) - Float(count - 1) / 2) * 3
      let place = Point(x, size.y * 0.94)
      sketch.disc(place, diameter: 1.6, index < done ? Self.green : Self.grey)
    }
  }

  /// Shows what was drawn.
  mutating func show() throws(ToolError) { try sketch.show() }

  /// Shows what was drawn, and waits for the panel.
  mutating func finish() throws(ToolError) { try sketch.finish() }
}
