internal import Ink
internal import Raster

/// Paints what the pad shows besides the ink onto the canvas's ground.
struct PadPicture: ~Copyable {
  let layout: Layout
  let scale: Scale
  let theme: Theme
  private var path = Path()
  private var shown: Face?

  init(layout: Layout, scale: Scale, theme: Theme) {
    self.layout = layout
    self.scale = scale
    self.theme = theme
  }

  /// Brings the ground from the face that was shown last to this one; returns what changed.
  mutating func show(_ face: Face, on canvas: inout Canvas) -> PixelRect {
    defer { shown = face }
    guard let before = shown, before.mark == face.mark else { return paintAll(face, on: &canvas) }
    var damage = PixelRect.empty
    for button in Button.allCases where before.look(of: button) != face.look(of: button) {
      damage = damage.union(paint(button, face, on: &canvas))
    }
    return damage
  }

  private mutating func paintAll(_ face: Face, on canvas: inout Canvas) -> PixelRect {
    canvas.fillGround(ground(of: face.mark))
    switch face.mark {
    case .invitation:
      paintLine(on: &canvas)
      for button in Button.allCases { _ = paint(button, face, on: &canvas) }
    case .saved: paintDisc(theme.saved.disc, theme.saved.sign, on: &canvas, Sign.check)
    case .outOfService:
      paintDisc(theme.outOfService.disc, theme.outOfService.sign, on: &canvas, Sign.bar)
    }
    return canvas.rect
  }

  private func ground(of mark: Face.Mark) -> UInt32 {
    switch mark {
    case .invitation: theme.ground
    case .saved: theme.saved.ground
    case .outOfService: theme.outOfService.ground
    }
  }

  private mutating func paintLine(on canvas: inout Canvas) {
    let (left, right) = layout.line
    fill(theme.line, on: &canvas) { path in
      path.polyline([left, right], width: 0.35)
      Sign.cross(at: left - Point(3.2, 2.2), size: 3, width: 0.45, into: &path)
    }
  }

  private mutating func paint(
    _ button: Button, _ face: Face, on canvas: inout Canvas
  ) -> PixelRect {
    let area = layout.area(of: button)
    let colours = colours(of: button, face.look(of: button))
    let pixels = PixelRect(around: area, scale: scale)
    canvas.fillGround(pixels, theme.ground)
    fill(colours.fill, on: &canvas) { path in
      path.roundedRectangle(area, radius: min(area.size.x, area.size.y) * 0.22)
    }
    fill(colours.sign, on: &canvas) { path in
      switch button {
      case .clear: Sign.turnBack(in: area, into: &path)
      case .done: Sign.check(in: area, into: &path)
      }
    }
    return pixels.intersection(canvas.rect)
  }

  private func colours(of button: Button, _ look: Face.ButtonLook) -> (fill: UInt32, sign: UInt32) {
    switch (look, button) {
    case (.faint, _): theme.faint
    case (.pressed, _): theme.pressed
    case (.plain, .clear): theme.clear
    case (.plain, .done): theme.done
    }
  }

  /// A disc with a sign, as large as fits, behind the ink.
  private mutating func paintDisc(
    _ disc: UInt32, _ sign: UInt32, on canvas: inout Canvas,
    _ draw: (Area, inout Path) -> Void
  ) {
    let glass = layout.glass
    let size = min(glass.size.x, glass.size.y) * 0.6
    let area = Area(
      x: glass.centre.x - size / 2, y: glass.centre.y - size / 2, width: size, height: size)
    fill(disc, on: &canvas) { path in path.disc(area.centre, radius: size / 2) }
    fill(sign, on: &canvas) { path in draw(area, &path) }
  }

  private mutating func fill(
    _ colour: UInt32, on canvas: inout Canvas, _ draw: (inout Path) -> Void
  ) {
    path.removeAll()
    draw(&path)
    canvas.fillGround(path, colour, scale: scale)
  }
}
