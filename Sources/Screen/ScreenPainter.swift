public import Configuration
internal import Ink
public import Raster
internal import Text

/// Paints everything besides the ink onto the canvas's ground.
public struct ScreenPainter: ~Copyable {
  private let scale: Scale
  private let colours: ThemeColours
  private var path = Path()
  private var shown: (state: ViewState, scene: Scene, slide: GroundPicture?)?
  /// The page of a document that is painted.
  private var shownSheet: Sheet?

  /// A painter for a canvas on which nothing is painted yet.
  ///
  /// - Parameter scale: Pixels per millimetre.
  public init(scale: Scale, colours: ThemeColours) {
    self.scale = scale
    self.colours = colours
  }

  /// Repaints what differs from the state shown last, and returns the damage.
  ///
  /// - Parameters:
  ///   - slide: The picture that fills the idle page instead of its notes; nil: none.
  ///   - sheet: The page of the document that is read; nil: it is not ready.
  public mutating func show(
    _ state: ViewState, _ scene: Scene, slide: GroundPicture? = nil, sheet: Sheet? = nil,
    on canvas: inout Canvas
  ) -> PixelRect {
    canvas.hidesInk = state.page == .reading
    // A picture for a panel of another size is not shown.
    let fits = slide.map { $0.width == canvas.width && $0.height == canvas.height } == true
    let slide = fits && state.page == .idle ? slide : nil
    guard let (before, last, lastSlide) = shown, last === scene, before.page == state.page,
      lastSlide === slide
    else {
      shown = (state, scene, slide)
      shownSheet = sheet
      return paintAll(state, scene, slide, on: &canvas)
    }
    let sameSheet = Self.isSame(shownSheet, sheet)
    if before == state && sameSheet { return .empty }
    shown = (state, scene, slide)
    shownSheet = sheet
    var damage = PixelRect.empty
    if let last = before.reading, let now = state.reading, let reading = scene.reading {
      damage = PageArea(reading, scale, on: canvas).show(
        now, after: sameSheet && last.page == now.page ? last : nil, sheet, on: &canvas)
      if case .text(let text) = sheet, last.page != now.page || !sameSheet {
        paint(text.lines, state, on: &canvas)
      }
      if last.page != now.page {
        damage = damage.union(paintCounter(state, reading, on: &canvas))
      }
    }
    if state.page == .invitation {
      if before.isSaving != state.isSaving || before.isTooShort != state.isTooShort {
        damage = damage.union(erase(headers(scene), on: &canvas))
        paint(header(state, scene) + scene.texts.notes, state, on: &canvas)
      }
    }
    if before.secondsLeft != state.secondsLeft, state.page.hasCountdown,
      let countdown = scene.countdown
    {
      damage = damage.union(erase(scene.layout.countdown, on: &canvas))
      paint(countdown, state, on: &canvas)
    }
    if before.isMirrored != state.isMirrored {
      damage = damage.union(paintEye(state, scene.layout, on: &canvas))
    }
    for button in shownButtons(state, scene)
    where before.state(of: button) != state.state(of: button) {
      damage = damage.union(paint(button, state, scene, on: &canvas))
    }
    return damage
  }

  private mutating func paintAll(
    _ state: ViewState, _ scene: Scene, _ slide: GroundPicture?, on canvas: inout Canvas
  ) -> PixelRect {
    if let slide {
      canvas.fillGround(colours.ground, under: slide)
      return canvas.rect
    }
    if let notice = notice(state.page) {
      canvas.fillGround(notice.ground)
    } else {
      // A scene for a panel of another size is shown until it is replaced.
      let fits = scene.picture.map { $0.width == canvas.width && $0.height == canvas.height }
      // A logo would lie over the words of a document, which cover the whole area.
      let isShown = fits == true && state.page != .reading
      canvas.fillGround(colours.ground, under: isShown ? scene.picture : nil)
    }
    let texts = scene.texts
    switch state.page {
    case .idle: paint(texts.notes, state, on: &canvas)
    case .invitation:
      paintLine(scene.layout, on: &canvas)
      paint(header(state, scene) + texts.notes, state, on: &canvas)
    case .message, .question: paint(texts.message, state, on: &canvas)
    case .reading: paintPage(state, scene, on: &canvas)
    case .saved:
      // Behind the ink, in the middle; its words replace the header.
      paintDisc(scene.layout.disc(withWords: false), .check, colours.saved, on: &canvas)
      paint(texts.saved, state, on: &canvas)
    case .cancelled: paintNotice(.cross, texts.cancelled, state, scene, on: &canvas)
    case .timedOut: paintNotice(.clock, texts.timedOut, state, scene, on: &canvas)
    case .outOfService: paintNotice(.bar, texts.outOfService, state, scene, on: &canvas)
    }
    if state.page.hasCountdown, let countdown = scene.countdown {
      paint(countdown, state, on: &canvas)
    }
    _ = paintEye(state, scene.layout, on: &canvas)
    for button in shownButtons(state, scene) { _ = paint(button, state, scene, on: &canvas) }
    return canvas.rect
  }

  private func shownButtons(_ state: ViewState, _ scene: Scene) -> [Button] {
    state.page.hasButtons ? scene.layout(of: state.page).buttons : []
  }

  private static func isSame(_ a: Sheet?, _ b: Sheet?) -> Bool {
    if let a, let b { a === b } else { a == nil && b == nil }
  }

  private mutating func paintPage(
    _ state: ViewState, _ scene: Scene, on canvas: inout Canvas
  ) {
    guard let reading = scene.reading, let now = state.reading else { return }
    _ = PageArea(reading, scale, on: canvas).show(now, after: nil, shownSheet, on: &canvas)
    if case .text(let text) = shownSheet { paint(text.lines, state, on: &canvas) }
    _ = paintCounter(state, reading, on: &canvas)
  }

  private mutating func paintCounter(
    _ state: ViewState, _ reading: Reading, on canvas: inout Canvas
  ) -> PixelRect {
    guard let area = reading.layout.counter else { return .empty }
    let pixels = canvas.clearGround(PixelRect(around: area, scale: scale))
    if let page = state.reading?.page, reading.counters.indices.contains(page) {
      paint([reading.counters[page]], state, on: &canvas)
    }
    return pixels
  }

  private func header(_ state: ViewState, _ scene: Scene) -> [PlacedText] {
    if state.isSaving { return scene.texts.saving }
    return state.isTooShort ? scene.texts.tooShort : scene.texts.header
  }

  /// The area of all texts that replace one another in the header, and of the notes below it.
  private func headers(_ scene: Scene) -> Area {
    var around = scene.layout.header
    let texts = scene.texts
    for text in texts.header + texts.tooShort + texts.saving + texts.notes {
      around = around.union(text.area)
    }
    return around
  }

  private func notice(_ page: ViewState.Page) -> ThemeColours.Notice? {
    switch page {
    case .idle, .reading, .invitation, .message, .question: nil
    case .saved: colours.saved
    case .cancelled, .timedOut: colours.ended
    case .outOfService: colours.outOfService
    }
  }

  /// Clears an area, and 2 mm above and below it for accents and descenders.
  private func erase(_ area: Area, on canvas: inout Canvas) -> PixelRect {
    let area = Area(
      x: area.origin.x, y: max(0, area.origin.y - 2), width: area.size.x,
      height: area.end.y + 2 - max(0, area.origin.y - 2))
    return canvas.clearGround(PixelRect(around: area, scale: scale))
  }

  private mutating func paint(
    _ texts: [PlacedText], _ state: ViewState, on canvas: inout Canvas
  ) {
    for text in texts {
      let colour =
        switch text.colour {
        case .text: colours.words
        case .quiet: colours.quietWords
        case .warning: colours.warning
        case .notice: notice(state.page)?.words ?? colours.words
        }
      paint(text, colour, on: &canvas)
    }
  }

  private func paint(_ text: PlacedText, _ colour: UInt32, on canvas: inout Canvas) {
    canvas.fillGround(text.line.path, colour, scale: scale, offset: scale.pixels(text.origin))
  }

  private mutating func paint(
    _ countdown: CountdownText, _ state: ViewState, on canvas: inout Canvas
  ) {
    guard let seconds = state.secondsLeft else { return }
    paint([countdown.label] + countdown.lines(seconds), state, on: &canvas)
  }

  private mutating func paintLine(_ layout: Layout, on canvas: inout Canvas) {
    let (left, right) = layout.line
    fill(colours.line, on: &canvas) { path in
      path.polyline([left, right], width: 0.35)
      Icon.cross(at: layout.cross, size: 3, width: 0.45, into: &path)
    }
  }

  /// Shows or removes the eye, on the pages that can show ink.
  private mutating func paintEye(
    _ state: ViewState, _ layout: Layout, on canvas: inout Canvas
  ) -> PixelRect {
    let (area, colour): (Area, UInt32)
    switch state.page {
    case .invitation: (area, colour) = (layout.eye, colours.warning)
    case .saved: (area, colour) = (layout.noticeEye, colours.saved.words)
    case .outOfService: (area, colour) = (layout.noticeEye, colours.outOfService.words)
    case .idle, .reading, .message, .question, .cancelled, .timedOut: return .empty
    }
    let pixels = canvas.clearGround(PixelRect(around: area, scale: scale))
    guard state.isMirrored else { return pixels }
    fill(colour, on: &canvas) { path in Icon.eye.draw(in: area, into: &path) }
    return pixels
  }

  private mutating func paint(
    _ button: Button, _ state: ViewState, _ scene: Scene, on canvas: inout Canvas
  ) -> PixelRect {
    let layout = scene.layout(of: state.page)
    let area = layout.area(of: button)
    let colours = colours(of: button, state.state(of: button))
    let pixels = canvas.clearGround(PixelRect(around: area, scale: scale))
    fill(colours.face, on: &canvas) { path in
      path.roundedRectangle(area, radius: min(area.size.x, area.size.y) * 0.22)
    }
    guard let label = scene.label(of: button, on: state.page) else { return pixels }
    if let place = label.icon,
      let icon = Icon(button, rightToLeft: layout.parts.rightToLeft)
    {
      fill(colours.words, on: &canvas) { path in icon.draw(in: place, into: &path) }
    }
    if let word = label.word { paint(word, colours.words, on: &canvas) }
    return pixels
  }

  private func colours(
    of button: Button, _ state: ViewState.ButtonState
  ) -> ThemeColours.Button {
    switch (state, button) {
    case (.disabled, _): colours.faint
    case (.pressed, _): colours.pressed
    case (.normal, .clear), (.normal, .undo), (.normal, .choice), (.normal, .back),
      (.normal, .forward), (.normal, .document):
      colours.clear
    case (.normal, .done), (.normal, .understood), (.normal, .sign): colours.done
    case (.normal, .cancel): colours.cancel
    }
  }

  private mutating func paintNotice(
    _ icon: Icon, _ words: [PlacedText], _ state: ViewState, _ scene: Scene,
    on canvas: inout Canvas
  ) {
    guard let notice = notice(state.page) else { return }
    paintDisc(scene.layout.disc(withWords: !words.isEmpty), icon, notice, on: &canvas)
    paint(words, state, on: &canvas)
  }

  private mutating func paintDisc(
    _ area: Area, _ icon: Icon, _ notice: ThemeColours.Notice, on canvas: inout Canvas
  ) {
    fill(notice.disc, on: &canvas) { path in path.disc(area.centre, radius: area.size.x / 2) }
    fill(notice.sign, on: &canvas) { path in icon.draw(in: area, into: &path) }
  }

  private mutating func fill(
    _ colour: UInt32, on canvas: inout Canvas, _ draw: (inout Path) -> Void
  ) {
    path.removeAll()
    draw(&path)
    canvas.fillGround(path, colour, scale: scale)
  }
}

extension ViewState.Page {
  /// Whether the remaining time is shown.
  fileprivate var hasCountdown: Bool { self == .invitation || self == .question }
}
