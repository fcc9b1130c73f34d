import CLinux
import Configuration
import Display
import Ink
import Linux
import PNG
import Pad
import Raster

/// The pad's panel with a white canvas, for commands that draw on it: the same way as the pad's own pictures.
struct Sketch: ~Copyable {
  private var panel: Panel
  private var canvas: Canvas
  private let noInk: InkPlanes
  private var damage = PixelRegion()
  private var path = Path(capacity: 64)
  private let picture: String?

  /// Lights the panel that the pad would take.
  init(_ wishes: DisplayConfiguration) throws(ToolError) {
    do throws(DisplayError) { panel = try Panel(wishes) } catch { throw ToolError(error) }
    canvas = Canvas(width: panel.width, height: panel.height)
    noInk = InkPlanes(width: panel.width, height: panel.height)
    picture = wishes.card == .memory ? wishes.picture : nil
    damage.add(canvas.rect)
  }

  /// Millimetres of the picture as it is seen.
  var size: Point {
    Point(Float(panel.width) / panel.scale.x, Float(panel.height) / panel.scale.y)
  }

  /// How far the picture is turned clockwise to lie in the panel's scan-out.
  var quarterTurns: Int { Int(panel.geometry.rotation.rawValue) / 90 }

  /// What it is, for people.
  var summary: String { panel.summary }

  /// For poll(2): readable when `show` has something to do.
  var number: Int32 { panel.descriptor }

  /// A white page.
  mutating func clear() {
    canvas.fillGround(0xFFFFFF)
    compose(canvas.rect)
  }

  /// A disc; places and lengths in millimetres, colours 0xRRGGBB.
  mutating func disc(_ centre: Point, diameter: Float, _ colour: UInt32) {
    path.removeAll()
    path.pen(from: centre, to: centre, width: diameter)
    fill(colour)
  }

  /// A circle.
  mutating func ring(_ centre: Point, diameter: Float, width: Float, _ colour: UInt32) {
    disc(centre, diameter: diameter, colour)
    disc(centre, diameter: diameter - 2 * width, 0xFFFFFF)
  }

  /// A line through points, with round ends.
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

  /// Brings what was drawn to the glass, now or when the panel can take it.
  mutating func show() throws(ToolError) {
    do throws(DisplayError) {
      try panel.handleEvents()
      try panel.present(canvas, damage: damage)
      damage.clear()
    } catch { throw ToolError(error) }
  }

  /// Waits until everything is on the glass, and leaves the memory panel's picture behind.
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
  /// Why there is no panel to draw on.
  init(_ error: DisplayError) {
    switch error {
    case .held: self.init(.tempfail, "\(error.text); \(ToolError.freeIt)")
    case .refused(_, let errno) where errno.rawValue == EACCES || errno.rawValue == EPERM:
      self.init(.noPermission, error.text + " (root and the group video may)")
    default: self.init(.unavailable, error.text)
    }
  }
}
