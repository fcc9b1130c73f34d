internal import Configuration
internal import Ink
internal import Raster
internal import Text

/// Paints what the pad shows besides the ink onto the canvas's ground.
struct PadPicture: ~Copyable {
  let scale: Scale
  let colours: ThemeColours
  private var path = Path()
  private var shown: (face: Face, scene: Scene)?

  init(scale: Scale, colours: ThemeColours) {
    self.scale = scale
    self.colours = colours
  }

  /// Brings the ground from what was shown last to this face of this scene; returns what changed.
  mutating func show(_ face: Face, _ scene: Scene, on canvas: inout Canvas) -> PixelRect {
    guard let (before, last) = shown, last === scene, before.mark == face.mark else {
      shown = (face, scene)
      return paintAll(face, scene, on: &canvas)
    }
    if before == face { return .empty }
    shown = (face, scene)
    var damage = PixelRect.empty
    if face.mark == .invitation {
      if before.isSaving != face.isSaving || before.isTooShort != face.isTooShort {
        damage = damage.union(erase(headers(scene), on: &canvas))
        paint(header(face, scene), face, on: &canvas)
      }
      if before.secondsLeft != face.secondsLeft, let countdown = scene.countdown {
        damage = damage.union(erase(scene.layout.countdown, on: &canvas))
        paint(countdown, face, on: &canvas)
      }
    }
    for button in shownButtons(face, scene) where before.look(of: button) != face.look(of: button) {
      damage = damage.union(paint(button, face, scene, on: &canvas))
    }
    return damage
  }

  private mutating func paintAll(
    _ face: Face, _ scene: Scene, on canvas: inout Canvas
  ) -> PixelRect {
    if let notice = notice(face.mark) {
      canvas.fillGround(notice.ground)
    } else {
      // A scene that was set for a glass of before is shown until the next one comes.
      let fits = scene.picture.map { $0.width == canvas.width && $0.height == canvas.height }
      canvas.fillGround(colours.ground, under: fits == true ? scene.picture : nil)
    }
    switch face.mark {
    case .idle: break
    case .invitation:
      paintLine(scene.layout, on: &canvas)
      paint(header(face, scene), face, on: &canvas)
      if let countdown = scene.countdown { paint(countdown, face, on: &canvas) }
    case .message: paint(scene.texts.message, face, on: &canvas)
    case .saved:
      paintDisc(scene.layout.disc(withWords: false), colours.saved, on: &canvas, Sign.check)
      paint(scene.texts.saved, face, on: &canvas)
    case .cancelled: paintNotice(scene.texts.cancelled, face, scene, on: &canvas, Sign.no)
    case .timedOut: paintNotice(scene.texts.timedOut, face, scene, on: &canvas, Sign.hands)
    case .outOfService: paintNotice(scene.texts.outOfService, face, scene, on: &canvas, Sign.bar)
    }
    for button in shownButtons(face, scene) { _ = paint(button, face, scene, on: &canvas) }
    return canvas.rect
  }

  private func shownButtons(_ face: Face, _ scene: Scene) -> [Button] {
    face.mark == .invitation || face.mark == .message ? scene.layout.buttons : []
  }

  private func header(_ face: Face, _ scene: Scene) -> [PlacedText] {
    if face.isSaving { return scene.texts.saving }
    return face.isTooShort ? scene.texts.tooShort : scene.texts.header
  }

  /// Around everything that can stand in the header.
  private func headers(_ scene: Scene) -> Area {
    var around = scene.layout.header
    for text in scene.texts.header + scene.texts.tooShort + scene.texts.saving {
      around = around.union(text.area)
    }
    return around
  }

  private func notice(_ mark: Face.Mark) -> ThemeColours.Notice? {
    switch mark {
    case .idle, .invitation, .message: nil
    case .saved: colours.saved
    case .cancelled, .timedOut: colours.ended
    case .outOfService: colours.outOfService
    }
  }

  /// Accents and round letters rise above their place, and tails hang below: both are erased with it.
  private func erase(_ area: Area, on canvas: inout Canvas) -> PixelRect {
    let area = Area(
      x: area.origin.x, y: max(0, area.origin.y - 2), width: area.size.x,
      height: area.end.y + 2 - max(0, area.origin.y - 2))
    return canvas.clearGround(PixelRect(around: area, scale: scale))
  }

  private mutating func paint(_ texts: [PlacedText], _ face: Face, on canvas: inout Canvas) {
    for text in texts {
      let colour =
        switch text.colour {
        case .text: colours.words
        case .quiet: colours.quietWords
        case .warning: colours.warning
        case .notice: notice(face.mark)?.words ?? colours.words
        }
      paint(text, colour, on: &canvas)
    }
  }

  private func paint(_ text: PlacedText, _ colour: UInt32, on canvas: inout Canvas) {
    canvas.fillGround(text.line.path, colour, scale: scale, offset: scale.pixels(text.origin))
  }

  private mutating func paint(
    _ countdown: CountdownText, _ face: Face, on canvas: inout Canvas
  ) {
    guard let seconds = face.secondsLeft else { return }
    paint([countdown.label] + countdown.lines(seconds), face, on: &canvas)
  }

  private mutating func paintLine(_ layout: Layout, on canvas: inout Canvas) {
    let (left, right) = layout.line
    fill(colours.line, on: &canvas) { path in
      path.polyline([left, right], width: 0.35)
      Sign.cross(at: layout.cross, size: 3, width: 0.45, into: &path)
    }
  }

  private mutating func paint(
    _ button: Button, _ face: Face, _ scene: Scene, on canvas: inout Canvas
  ) -> PixelRect {
    let area = scene.layout.area(of: button)
    let colours = colours(of: button, face.look(of: button))
    let pixels = canvas.clearGround(PixelRect(around: area, scale: scale))
    fill(colours.face, on: &canvas) { path in
      path.roundedRectangle(area, radius: min(area.size.x, area.size.y) * 0.22)
    }
    guard let label = scene.label(of: button) else { return pixels }
    if let place = label.sign {
      fill(colours.words, on: &canvas) { path in Sign.of(button, in: place, into: &path) }
    }
    if let word = label.word { paint(word, colours.words, on: &canvas) }
    return pixels
  }

  private func colours(of button: Button, _ look: Face.ButtonLook) -> ThemeColours.Button {
    switch (look, button) {
    case (.faint, _): colours.faint
    case (.pressed, _): colours.pressed
    case (.plain, .clear), (.plain, .undo): colours.clear
    case (.plain, .done), (.plain, .understood): colours.done
    case (.plain, .cancel): colours.cancel
    }
  }

  private mutating func paintNotice(
    _ words: [PlacedText], _ face: Face, _ scene: Scene, on canvas: inout Canvas,
    _ draw: (Area, inout Path) -> Void
  ) {
    guard let notice = notice(face.mark) else { return }
    paintDisc(scene.layout.disc(withWords: !words.isEmpty), notice, on: &canvas, draw)
    paint(words, face, on: &canvas)
  }

  /// A disc with a sign, behind the ink.
  private mutating func paintDisc(
    _ area: Area, _ notice: ThemeColours.Notice, on canvas: inout Canvas,
    _ draw: (Area, inout Path) -> Void
  ) {
    fill(notice.disc, on: &canvas) { path in path.disc(area.centre, radius: area.size.x / 2) }
    fill(notice.sign, on: &canvas) { path in draw(area, &path) }
  }

  private mutating func fill(
    _ colour: UInt32, on canvas: inout Canvas, _ draw: (inout Path) -> Void
  ) {
    path.removeAll()
    draw(&path)
    canvas.fillGround(path, colour, scale: scale)
  }
}
