import CLinux
import Configuration
import Display
import Ink
import Linux
import PNG
import Pad
import Raster

/// The pad's panel with a white canvas for commands that draw on it.
struct Sketch: ~Copyable {
  private var panel: Panel
  private var canvas: Canvas
  private let noInk: InkPlanes
  private var damage = PixelRegion()
  private var path = Path(capacity: 64)
  private let picture: String?

  /// Enables the panel that the pad would use.
  init(_ wishes: DisplayConfiguration) throws(ToolError) {
    do throws(DisplayError) { panel = try Panel(wishes) } catch { throw ToolError(error) }
    canvas = Canvas(width: panel.width, height: panel.height)
    noInk = InkPlanes(width: panel.width, height: panel.height)
    picture = wishes.card == .memory ? wishes.picture : nil
    damage.add(canvas.rect)
  }

  /// The size of the picture in millimetres, as the viewer sees it.
  var size: Point {
    Point(Float(panel.width) / panel.scale.x, Float(panel.height) / panel.scale.y)
  }

  /// The clockwise quarter turns from the picture to the panel's scan-out.
  var quarterTurns: Int { panel.geometry.rotation.quarterTurns }

  /// A description of the panel.
  var summary: String { panel.summary }

  /// The descriptor for poll(2): readable when `show` must be called.
  var number: Int32 { panel.descriptor }

  /// Clears the canvas to white.
  mutating func clear() {
    canvas.fillGround(0xFFFFFF)
    compose(canvas.rect)
  }

  /// Draws a disc. Lengths are in millimetres, colours 0xRRGGBB.
  mutating func disc(_ centre: Point, diameter: Float, _ colour: UInt32) {
    path.removeAll()
    path.pen(from: centre, to: centre, width: diameter)
    fill(colour)
  }

  /// Draws a circle.
  mutating func ring(_ centre: Point, diameter: Float, width: Float, _ colour: UInt32) {
    disc(centre, diameter: diameter, colour)
    disc(centre, diameter: diameter - 2 * width, 0xFFFFFF)
  }

  /// Draws a line through points, with round ends.
  mutating func line(_ points: [Point], width: Float, _ colour: UInt32) {
    path.removeAll()
    for (a, b) in zip(points, points.dropFirst()) { path.pen(from: a, to: b, width: width) }
    fill(colour)
  }

  private mutating func fill(_ colour: UInt32) {
    compose(canvas.fillGround(path, colour, scale: panel.scale))
  }

  private mutating func compose(_ rect: PixelRect) {
    canvas.compose(rect, ink: noInk)
    damage.add(rect)
  }

  /// Presents the drawing, now or when the panel is ready.
  mutating func show() throws(ToolError) {
    do throws(DisplayError) {
      try panel.handleEvents()
      try panel.present(canvas, damage: damage)
      damage.clear()
    } catch { throw ToolError(error) }
  }

  /// Waits until the drawing is shown, and saves the memory panel's picture.
  mutating func finish() throws(ToolError) {
    var poll = Poll()
    poll.add(number)
    try show()
    while panel.nextDeadline != nil {
      _ = try? poll.wait()
      try show()
    }
    guard let picture, let shown = panel.picture() else { return }
    let header = PNGHeader(
      width: shown.width, height: shown.height, pixels: .xrgb, scale: panel.scale)
    let file: [UInt8]
    do throws(PNGError) {
      file = try unsafe PNGFile.encode(shown.pixels.span.bytes, as: header)
    } catch { throw ToolError(.software, error.text) }
    try OutputFile.write(file, to: picture)
  }
}

extension ToolError {
  /// The error of an unusable panel.
  init(_ error: DisplayError) {
    switch error {
    case .held: self.init(.tempfail, "\(error.text); \(ToolError.stopPad)")
    case .refused(_, let errno) where errno.rawValue == EACCES || errno.rawValue == EPERM:
      self.init(.noPermission, error.text + " (only root and the group video may)")
    default: self.init(.unavailable, error.text)
    }
  }
}
