internal import Configuration
internal import Control
internal import Ink
internal import Raster
internal import Screen
internal import Signature
internal import Touch

/// All that is on the glass: the session, the ink and the ground, and what of it changed since it was
/// last composed. Without threads, devices and files: a test drives it as the render thread does.
struct PadModel: ~Copyable {
  private(set) var session: Session
  private(set) var drawing: DrawingModel
  private(set) var canvas: Canvas
  /// What changed since `compose()`.
  private(set) var damage = PixelRegion()

  private var lanes = StrokeSerializer()
  private var painter: ScreenPainter
  /// What the pad says by itself.
  private var resting: Scene
  /// What is shown, or waits to be.
  private var requests: [PadRequest] = []
  private let glass: Area
  private let minimumLength: Float
  private var now: Int64 = 0
  /// Ink was wiped since memory was given back.
  private var hasWiped = false
  /// Is told what the ink does, for the journal; `cancel` that is no mistake stands for all of it.
  private let trace: (GlassContact) -> Void

  /// A clean pad on a panel, with signs instead of words until `setWords` brings them.
  ///
  /// - Parameters:
  ///   - minimumLength: Less ink than this, in millimetres of line, is no signature.
  ///   - capacity: Samples that there is room for.
  init(
    width: Int, height: Int, scale: Scale, model: StrokeModel.Kind, theme: Theme,
    minimumLength: Float, rules: SessionRules = SessionRules(),
    capacity: Int = StrokeStore.defaultCapacity,
    trace: @escaping (GlassContact) -> Void = { _ in }
  ) {
    self.trace = trace
    let layout = Layout(width: Float(width) / scale.x, height: Float(height) / scale.y)
    glass = layout.glass
    resting = Scene(layout: layout)
    session = Session(layout: layout, rules: rules)
    drawing = DrawingModel(
      model, width: width, height: height, scale: scale, law: theme.law,
      prediction: theme.prediction, capacity: capacity)
    // Beside constants that wait for their value, Swift 6.2 lets no property of itself be changed here.
    var canvas = Canvas(
      width: width, height: height, ground: theme.colours.ground, ink: theme.ink)
    var painter = ScreenPainter(scale: scale, colours: theme.colours)
    damage.add(painter.show(session.viewState, resting, on: &canvas))
    self.canvas = canvas
    self.painter = painter
    self.minimumLength = minimumLength
  }

  /// The next moment at which `time(_:)` must be called, if any.
  var deadline: Int64? { session.deadline }

  /// What the input thread reports: of contacts that draw at the same time one after the other.
  mutating func take(_ contact: GlassContact) -> FinishedSignature? {
    lanes.put(contact)
    var finished: FinishedSignature?
    while let next = lanes.next() { finished = takeAlone(next) ?? finished }
    return finished
  }

  /// A contact that follows a gap may be a new one whose predecessor's end was lost.
  private mutating func takeAlone(_ contact: GlassContact) -> FinishedSignature? {
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
      draw(GlassContact(.move, sample, isAfterGap: true), drawing.resume(afterGap: sample))
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

  /// Ends all contacts that are down, as the pad is not visible any more. Ink stays; buttons do not act.
  mutating func endContacts(at time: Int64) -> FinishedSignature? {
    now = max(now, time)
    var finished: FinishedSignature?
    while let contact = lanes.current {
      finished = take(GlassContact(.cancel, nowhere, contact: contact)) ?? finished
    }
    return finished
  }

  /// The signature is durably in the spool.
  mutating func saved(at time: Int64) { _ = perform(session.saved(at: time)) }

  /// It could not be saved.
  mutating func notSaved() { _ = perform(session.notSaved()) }

  /// There is no room for a signature, or there is again.
  mutating func service(available: Bool) { _ = perform(session.service(available: available)) }

  /// The pad can be seen, or something else is shown in its place.
  mutating func setVisible(_ isVisible: Bool, at time: Int64) {
    session.setVisible(isVisible, at: time)
  }

  /// The clock stands at `time`.
  mutating func time(_ time: Int64) { _ = perform(session.time(time)) }

  /// The pad's own words, and those of what is open, for this glass.
  mutating func setWords(_ scene: Scene, _ requests: [PadRequest] = []) {
    resting = scene
    for index in self.requests.indices {
      let number = self.requests[index].number
      guard let request = requests.first(where: { $0.number == number }) else { continue }
      self.requests[index].scene = request.scene
    }
    let layouts = self.requests.map { ($0.number, $0.scene.layout) }
    session.layOut(resting.layout) { number in layouts.first { $0.0 == number }?.1 }
    _ = perform(.none)
  }

  /// A program asks for a signature.
  mutating func ask(_ request: PadRequest, at time: Int64) {
    requests.append(request)
    _ = perform(session.ask(request.invitation, at: time))
  }

  /// A program shows a message.
  mutating func show(_ request: PadRequest, at time: Int64) {
    requests.append(request)
    _ = perform(session.show(request.invitation, at: time))
  }

  /// A program ends what it has asked for.
  mutating func withdraw(_ number: Int64, at time: Int64) {
    _ = perform(session.withdraw(number, at: time))
  }

  /// Goes on with what was on another glass, or before the pad was started, with signs instead of words
  /// until `setWords` brings them. Returns a signature that was sent then and is still to be saved.
  mutating func restore(_ other: PadSnapshot, at time: Int64) -> FinishedSignature? {
    now = time
    let size = glass.size
    requests = other.requests.map { request in
      var request = request
      let parts = request.scene.layout.parts
      request.scene = Scene(
        number: request.number, layout: Layout(width: size.x, height: size.y, parts: parts),
        title: request.scene.title, prompt: request.scene.prompt)
      return request
    }
    if let session = other.session {
      self.session = session
      setWords(resting, requests)
    } else if let request = requests.first {
      session.resume(request.invitation, until: other.limit)
    }
    for stroke in other.strokes { damage.add(drawing.draw(stroke)) }
    guard other.session == nil else { return perform(.none) }
    return perform(
      session.adopt(strokes: other.strokes.count, isDone: other.isDone, at: time))
  }

  /// What the next glass goes on with.
  var snapshot: PadSnapshot {
    PadSnapshot(strokes: drawing.store.strokes(), session: session, requests: requests)
  }

  /// Whether a stroke is being drawn.
  var isDrawing: Bool { drawing.isDrawing }

  /// Whether somebody is waited for.
  var isAsked: Bool { session.viewState.request != nil }

  /// Where the parts are that are shown.
  var shownLayout: Layout {
    let shown = session.viewState.request
    return requests.first { $0.number == shown }?.scene.layout ?? resting.layout
  }

  /// Gives away what programs are to be told.
  mutating func report(_ body: (ControlEvent) -> Void) { session.report(body) }

  /// Brings the canvas up to date and returns what changed in it.
  mutating func compose() -> PixelRegion {
    let changed = damage
    for index in 0..<changed.count { canvas.compose(changed[index], ink: drawing.planes) }
    damage.clear()
    return changed
  }

  /// Gives back the memory of ink that was wiped, once that is composed. After the frame: nobody waits then.
  mutating func releaseMemory() {
    guard hasWiped, drawing.isEmpty, damage.isEmpty else { return }
    hasWiped = false
    drawing.releaseMemory()
    canvas.releaseMemory()
  }

  /// Has the memory ready for what the hand draws next. After the frame: nobody waits then.
  mutating func prefault() { canvas.prefault(drawing.prefault()) }

  private mutating func perform(_ action: Session.Action) -> FinishedSignature? {
    var finished: FinishedSignature?
    switch action {
    case .none: break
    case .inkBegins(let sample): begin(sample)
    case .inkBeginsAnew(let sample):
      trace(GlassContact(.cancel, nowhere))
      damage.add(drawing.wipe())
      begin(sample)
    case .inkGoesOn(let sample): draw(GlassContact(.move, sample), drawing.extend(sample))
    case .inkEnds: end()
    case .inkTakenBack:
      trace(GlassContact(.cancel, nowhere, isMistake: true))
      damage.add(drawing.undo())
    case .wipe:
      trace(GlassContact(.cancel, nowhere))
      damage.add(drawing.wipe())
      hasWiped = true
    case .save: finished = finish()
    }
    let state = session.viewState
    damage.add(painter.show(state, scene(of: state), on: &canvas))
    return finished
  }

  private var nowhere: Sample { Sample(time: now, position: .zero) }

  /// Where there is no room, it is as if nothing had come down: there is no stroke to take back.
  private mutating func begin(_ sample: Sample) {
    guard let changed = drawing.begin(sample) else {
      _ = session.cancel(isMistake: true)
      return
    }
    draw(GlassContact(.down, sample), changed)
  }

  /// A full store ends the stroke: what is drawn can still be sent. Only what was drawn is traced, or a
  /// cloth on the pad would fill the journal without end.
  private mutating func draw(_ step: GlassContact, _ changed: PixelRect?) {
    guard let changed else { return end() }
    trace(step)
    damage.add(changed)
  }

  private mutating func end() {
    guard drawing.isDrawing else { return }
    trace(GlassContact(.up, nowhere))
    damage.add(drawing.end())
  }

  /// The scene of a state. Forgets requests that have ended.
  private mutating func scene(of state: ViewState) -> Scene {
    if requests.isEmpty { return resting }
    for index in requests.indices.reversed() where !session.knows(requests[index].number) {
      requests.remove(at: index)
    }
    guard let number = state.request else { return resting }
    return requests.first { $0.number == number }?.scene ?? resting
  }

  private mutating func finish() -> FinishedSignature? {
    let strokes = drawing.store.strokes()
    let length = strokes.reduce(0) { $0 + $1.length }
    guard length >= minimumLength else {
      _ = perform(session.refused())
      return nil
    }
    let number = session.request
    let request = requests.first { $0.number == number }
    let scene = request?.scene ?? resting
    return FinishedSignature(
      strokes: strokes, glass: glass, scale: drawing.scale, request: number,
      reference: request?.reference, title: scene.title, prompt: scene.prompt, done: now)
  }
}
