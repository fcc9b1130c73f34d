internal import Ink
internal import Raster
internal import Signature
internal import Touch

/// All that is on the glass: the session, the ink and the ground, and what of it changed since it was
/// last composed. Without threads, devices and files: a test drives it as the render thread does.
struct Glass: ~Copyable {
  private(set) var session: Session
  private(set) var drawing: DrawingModel
  private(set) var canvas: Canvas
  /// What changed since `compose()`.
  private(set) var damage = PixelRegion()

  private var picture: PadPicture
  private let layout: Layout
  private let minimumLength: Float
  private var now: Int64 = 0

  /// A clean pad on a panel.
  ///
  /// - Parameters:
  ///   - minimumLength: Less ink than this, in millimetres of line, is no signature.
  init(
    width: Int, height: Int, scale: Scale, model: StrokeModel.Kind, theme: Theme,
    minimumLength: Float
  ) {
    layout = Layout(width: Float(width) / scale.x, height: Float(height) / scale.y)
    session = Session(layout: layout)
    drawing = DrawingModel(model, width: width, height: height, scale: scale)
    canvas = Canvas(width: width, height: height, ground: theme.ground, ink: theme.ink)
    picture = PadPicture(layout: layout, scale: scale, theme: theme)
    self.minimumLength = minimumLength
    damage.add(picture.show(session.face, on: &canvas))
  }

  /// The next moment at which `time(_:)` must be called, if any.
  var deadline: Int64? { session.deadline }

  /// Draws strokes of before: the panel has another size now, and the hand goes on where it was.
  mutating func adopt(_ strokes: [Stroke]) {
    for stroke in strokes { damage.add(drawing.draw(stroke)) }
    session.adopt(strokes: strokes.count)
    damage.add(picture.show(session.face, on: &canvas))
  }

  /// What the input thread reports. A contact that follows a gap may be a new one whose predecessor's
  /// end was lost.
  mutating func take(_ contact: GlassContact) -> FinishedSignature? {
    switch contact.phase {
    case .down:
      if contact.isAfterGap { _ = cancel() }
      return down(contact.sample)
    case .move: return move(contact.sample, afterGap: contact.isAfterGap)
    case .up: return up(at: contact.sample.time)
    case .cancel: return cancel(isMistake: contact.isMistake)
    }
  }

  /// A contact came down. Returns a signature that is to be saved, as all inputs do.
  mutating func down(_ sample: Sample) -> FinishedSignature? {
    now = sample.time
    return perform(session.down(sample))
  }

  /// It moved; `afterGap` says that events were lost before this one.
  mutating func move(_ sample: Sample, afterGap: Bool = false) -> FinishedSignature? {
    now = sample.time
    let action = session.move(sample)
    if afterGap, case .inkGoesOn = action {
      draw(drawing.resume(afterGap: sample))
      return nil
    }
    return perform(action)
  }

  /// It left the glass.
  mutating func up(at time: Int64) -> FinishedSignature? {
    now = time
    return perform(session.up())
  }

  /// It is gone without having been lifted; a mistake was none at all, and leaves no ink.
  mutating func cancel(isMistake: Bool = false) -> FinishedSignature? {
    perform(session.cancel(isMistake: isMistake))
  }

  /// The signature is durably in the spool.
  mutating func saved(at time: Int64) { _ = perform(session.saved(at: time)) }

  /// It could not be saved.
  mutating func notSaved() { _ = perform(session.notSaved()) }

  /// There is no room for a signature, or there is again.
  mutating func service(available: Bool) { _ = perform(session.service(available: available)) }

  /// The clock stands at `time`.
  mutating func time(_ time: Int64) { _ = perform(session.time(time)) }

  /// The panel forgot its picture: everything is to be shown again.
  mutating func repaint() { damage.add(canvas.rect) }

  /// Brings the canvas up to date and returns what changed in it.
  mutating func compose() -> PixelRegion {
    let changed = damage
    for index in 0..<changed.count { canvas.compose(changed[index], ink: drawing.planes) }
    damage.clear()
    return changed
  }

  private mutating func perform(_ action: Session.Action) -> FinishedSignature? {
    var finished: FinishedSignature?
    switch action {
    case .none: break
    case .inkBegins(let sample): draw(drawing.begin(sample))
    case .inkGoesOn(let sample): draw(drawing.extend(sample))
    case .inkEnds: damage.add(drawing.end())
    case .inkTakenBack: damage.add(drawing.undo())
    case .wipe: damage.add(drawing.wipe())
    case .save: finished = finish()
    }
    damage.add(picture.show(session.face, on: &canvas))
    return finished
  }

  /// A full store ends the stroke: what is drawn can still be sent.
  private mutating func draw(_ changed: PixelRect?) {
    damage.add(changed ?? drawing.end())
  }

  private mutating func finish() -> FinishedSignature? {
    let strokes = drawing.store.strokes()
    guard SignatureMeasure(of: strokes).length >= minimumLength else {
      _ = session.refused()
      return nil
    }
    return FinishedSignature(
      strokes: strokes, glass: layout.glass, scale: drawing.scale, done: now)
  }
}
