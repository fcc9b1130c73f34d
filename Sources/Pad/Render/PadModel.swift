internal import Configuration
internal import Control
internal import Ink
internal import Linux
internal import Raster
internal import Screen
internal import Signature
internal import Touch

/// Everything on the glass: session, ink and ground, and the damage since it was last composed.
///
/// Without threads, devices and files, so that tests drive it as the render thread does. Each input returns a
/// signature that must be saved.
struct PadModel: ~Copyable {
  private(set) var session: Session
  private(set) var drawing: DrawingModel
  private(set) var canvas: Canvas
  /// The pixels that changed since `compose()`.
  private(set) var damage = PixelRegion()

  private var lanes = StrokeSerializer()
  private var painter: ScreenPainter
  /// A resting scene that waits for the end of a stroke.
  private var nextResting: Scene?
  /// The picture that the idle pad shows.
  private var slide: GroundPicture?
  private var sheets = DocumentSheets()
  /// The state that is painted.
  private var painted: ViewState?
  /// A page was scrolled, and its position is not painted yet.
  private(set) var isScrolled = false
  private let glass: Area
  private let minimumLength: Float
  private var now: Int64 = 0
  /// Ink was wiped since `releaseMemory()`.
  private var hasWiped = false
  /// Records the ink for the journal. `.cancel` without `isMistake` means that all ink was wiped.
  private let record: (GlassContact) -> Void

  /// Creates a clean pad, with icons instead of words until `setScenes`.
  ///
  /// - Parameters:
  ///   - minimumLength: The length of the shortest signature, in millimetres of line.
  ///   - capacity: The number of samples stored.
  init(
    width: Int, height: Int, scale: Scale, model: StrokeModel.Kind, theme: Theme,
    minimumLength: Float, rules: SessionRules = SessionRules(),
    capacity: Int = StrokeStore.defaultCapacity,
    record: @escaping (GlassContact) -> Void = { _ in }
  ) {
    self.record = record
    let layout = Layout(width: Float(width) / scale.x, height: Float(height) / scale.y)
    let resting = Scene(layout: layout)
    glass = layout.glass
    session = Session(resting: resting, rules: rules)
    drawing = DrawingModel(
      model, width: width, height: height, scale: scale, law: theme.law,
      prediction: theme.prediction, capacity: capacity)
    // Swift 6.2 cannot mutate a property before all constants are initialised.
    var canvas = Canvas(
      width: width, height: height, ground: theme.colours.ground, ink: theme.ink)
    var painter = ScreenPainter(scale: scale, colours: theme.colours)
    damage.add(painter.show(session.viewState, resting, on: &canvas))
    self.canvas = canvas
    self.painter = painter
    self.minimumLength = minimumLength
  }

  // MARK: - Contacts

  /// Handles a contact of the touchscreen. Strokes drawn at the same time are drawn one after the other.
  mutating func take(_ contact: GlassContact) -> FinishedSignature? {
    lanes.put(contact)
    var finished: FinishedSignature?
    while let next = lanes.next() { finished = takeAlone(next) ?? finished }
    return finished
  }

  private mutating func takeAlone(_ contact: GlassContact) -> FinishedSignature? {
    switch contact.phase {
    case .down:
      // After a gap, the end of the last contact may be lost.
      if contact.isAfterGap { _ = cancel(at: contact.sample.time) }
      return down(contact.sample)
    case .move: return move(contact.sample, afterGap: contact.isAfterGap)
    case .up: return up(at: contact.sample.time)
    case .cancel: return cancel(isMistake: contact.isMistake, at: contact.sample.time)
    }
  }

  /// A contact came down.
  mutating func down(_ sample: Sample) -> FinishedSignature? {
    now = sample.time
    return perform(session.down(sample))
  }

  /// The contact moved. `afterGap`: reports were lost before this one.
  mutating func move(_ sample: Sample, afterGap: Bool = false) -> FinishedSignature? {
    now = sample.time
    let action = session.move(sample)
    if afterGap, case .inkGoesOn = action {
      draw(GlassContact(.move, sample, isAfterGap: true), drawing.resume(afterGap: sample))
      return nil
    }
    return perform(action)
  }

  /// The contact was lifted.
  mutating func up(at time: Int64) -> FinishedSignature? {
    now = time
    return perform(session.up(at: time))
  }

  /// The contact ended without being lifted. A mistake leaves no ink.
  mutating func cancel(isMistake: Bool = false, at time: Int64 = .min) -> FinishedSignature? {
    perform(session.cancel(isMistake: isMistake, at: time))
  }

  /// Ends all contacts because the pad is hidden. Ink stays; buttons do not act.
  mutating func endContacts(at time: Int64) -> FinishedSignature? {
    now = max(now, time)
    var finished: FinishedSignature?
    while let contact = lanes.current {
      finished = take(GlassContact(.cancel, nowhere, contact: contact)) ?? finished
    }
    return finished
  }

  // MARK: - Results and time

  /// The signature is in the spool.
  mutating func saved(at time: Int64) { _ = perform(session.saved(at: time)) }

  /// Saving failed.
  mutating func notSaved() { _ = perform(session.notSaved()) }

  /// The spool takes signatures, or it does not.
  mutating func service(available: Bool) { _ = perform(session.service(available: available)) }

  /// The pad is visible, or it is hidden.
  mutating func setVisible(_ isVisible: Bool, at time: Int64) {
    session.setVisible(isVisible, at: time)
  }

  /// When `time(_:)` must be called; nil: never.
  var deadline: Int64? { session.deadline }

  /// Handles what was due at `time`.
  mutating func time(_ time: Int64) {
    now = max(now, time)
    _ = perform(session.time(time))
  }

  // MARK: - Requests

  /// Replaces the resting scene and that of the open request, which were typeset for this panel.
  mutating func setScenes(_ resting: Scene, _ request: TypesetRequest? = nil) {
    nextResting = nil
    // The contact that draws belongs to the former scene.
    end()
    session.replaceScenes(resting: resting) { old in
      old.number == request?.number ? request?.scene : nil
    }
    _ = perform(.none)
  }

  /// Replaces the resting scene with one of the same layout, after the stroke that a finger draws: painting all of
  /// the panel would delay the ink.
  mutating func setResting(_ scene: Scene) {
    nextResting = scene
    _ = perform(.none)
  }

  /// Replaces the picture that the idle pad shows; nil: none.
  mutating func setSlide(_ slide: GroundPicture?) {
    self.slide = slide
    session.setSlides(available: slide != nil)
    _ = perform(.none)
  }

  /// Takes a page of the document of the request that has this scene.
  mutating func take(_ sheet: Sheet, page: Int, of scene: Scene, at time: Int64) {
    now = max(now, time)
    sheets.take(sheet, page: page, of: scene)
    _ = perform(.none)
  }

  /// The pages of the open request's document that must be prepared, each of them once, and the one that is read; nil: none.
  mutating func takeWantedPages() -> (scene: Scene, pages: [Int], read: Int)? {
    guard let scene = session.requests.shown?.scene, scene.reading != nil else { return nil }
    let wanted = session.wantedPages
    let pages = sheets.want(wanted, of: scene)
    guard !pages.isEmpty, let read = wanted.first else { return nil }
    return (scene, pages, read)
  }

  /// Opens a request.
  mutating func open(_ request: TypesetRequest, at time: Int64) {
    now = max(now, time)
    _ = perform(session.open(request, at: time))
  }

  /// Ends a request of a client.
  mutating func withdraw(
    _ number: Int64, by canceller: ControlEvent.Canceller = .program, at time: Int64
  ) {
    _ = perform(session.withdraw(number, by: canceller, at: time))
  }

  /// Ends a request for a client if it has no ink, or reports to the client that it stays.
  mutating func withdrawWithoutInk(_ number: Int64, for client: Int, at time: Int64) {
    _ = perform(session.withdrawWithoutInk(number, for: client, at: time))
  }

  /// Presses a button for the person, and reports to the client whether that had an effect.
  mutating func press(_ button: Button, for client: Int, at time: Int64) -> FinishedSignature? {
    now = max(now, time)
    let action = session.press(button, at: time)
    if case .none = action {
      session.answerPress(of: client, isDone: false)
      return nil
    }
    // The stroke that a finger draws ends here.
    end()
    let finished = perform(action)
    // The ink may be too short to be saved.
    session.answerPress(of: client, isDone: action != .save || finished.hasValue)
    return finished
  }

  /// Shows whether clients watch the ink.
  mutating func setMirrored(_ isMirrored: Bool) {
    session.setMirrored(isMirrored)
    _ = perform(.none)
  }

  // MARK: - Snapshots

  /// The state for the next panel.
  var snapshot: PadSnapshot { PadSnapshot(strokes: drawing.store.strokes(), session: session) }

  /// Restores another panel or an earlier start, with icons instead of words until `setScenes`.
  ///
  /// Returns a signature of an earlier start that must still be saved.
  mutating func restore(_ snapshot: PadSnapshot, at time: Int64) -> FinishedSignature? {
    now = time
    let (size, scale) = (glass.size, drawing.scale)
    let resting = session.requests.resting
    session = snapshot.session
    session.replaceScenes(resting: resting) { $0.iconScene(glass: size, scale: scale) }
    // The pictures of the last panel do not fit this one.
    session.setSlides(available: false)
    for stroke in snapshot.strokes { damage.add(drawing.draw(stroke)) }
    var finished = perform(snapshot.isDone ? .save : .none)
    // The words are not typeset yet.
    if let shown = snapshot.shown { finished?.shown = shown }
    return finished
  }

  // MARK: - Output

  /// Whether a stroke is being drawn.
  var isDrawing: Bool { drawing.isDrawing }

  /// Whether a request is shown.
  var isAsked: Bool { session.requests.shown != nil }

  /// Whether there is ink on the glass.
  var hasInk: Bool { !drawing.isEmpty }

  /// Removes and returns the events for clients.
  mutating func report(_ body: (ControlEvent) -> Void) { session.report(body) }

  /// Paints the position of the page that was scrolled last, for the next frame.
  mutating func scroll() { if isScrolled { paint() } }

  /// Brings the canvas up to date; returns the pixels that changed.
  mutating func compose() -> PixelRegion {
    let changed = damage
    for index in 0..<changed.count { canvas.compose(changed[index], ink: drawing.planes) }
    damage.clear()
    return changed
  }

  /// Releases the memory of wiped ink. Called after the frame, when nothing waits.
  mutating func releaseMemory() {
    guard hasWiped, drawing.isEmpty, damage.isEmpty else { return }
    hasWiped = false
    drawing.releaseMemory()
    canvas.releaseMemory()
  }

  /// Touches the memory that the next stroke needs. Called after the frame, when nothing waits.
  mutating func prefault() { canvas.prefault(drawing.prefault()) }

  // MARK: - Actions

  private mutating func perform(_ action: SessionAction) -> FinishedSignature? {
    var finished: FinishedSignature?
    switch action {
    case .none: break
    case .inkBegins(let sample): begin(sample)
    case .inkBeginsAnew(let sample):
      record(GlassContact(.cancel, nowhere))
      damage.add(drawing.wipe())
      begin(sample)
    case .inkGoesOn(let sample): draw(GlassContact(.move, sample), drawing.extend(sample))
    case .inkEnds: end()
    case .inkTakenBack:
      record(GlassContact(.cancel, nowhere, isMistake: true))
      damage.add(drawing.undo())
    case .wipe:
      record(GlassContact(.cancel, nowhere))
      damage.add(drawing.wipe())
      hasWiped = true
    case .save: finished = finish()
    }
    if let scene = nextResting, !drawing.isDrawing {
      session.setResting(scene)
      nextResting = nil
    }
    let scene = session.requests.scene
    session.painted(sheet(of: scene) == nil ? nil : session.viewState.reading?.page, at: now)
    if isScroll(to: session.viewState) { isScrolled = true } else { paint() }
    return finished
  }

  private func sheet(of scene: Scene) -> Sheet? {
    session.viewState.reading.flatMap { sheets.sheet($0.page, of: scene) }
  }

  private mutating func paint() {
    let (state, scene) = (session.viewState, session.requests.scene)
    (painted, isScrolled) = (state, false)
    damage.add(
      painter.show(state, scene, slide: slide, sheet: sheet(of: scene), on: &canvas))
  }

  /// Whether a state differs from the painted one only in the position of a page.
  private func isScroll(to state: ViewState) -> Bool {
    guard var before = painted, before.reading != nil, before.reading != state.reading else {
      return false
    }
    before.reading?.offset = state.reading?.offset ?? 0
    return before == state
  }

  private var nowhere: Sample { Sample(time: now, position: .zero) }

  /// Begins a stroke. If the store is full, the contact counts as a mistake.
  private mutating func begin(_ sample: Sample) {
    guard let changed = drawing.begin(sample) else {
      _ = session.cancel(isMistake: true)
      return
    }
    draw(GlassContact(.down, sample), changed)
  }

  /// Adds to a stroke, which ends if the store is full. Records only what was drawn: otherwise a
  /// cloth on the pad would fill the journal.
  private mutating func draw(_ step: GlassContact, _ changed: PixelRect?) {
    guard let changed else { return end() }
    record(step)
    damage.add(changed)
  }

  private mutating func end() {
    guard drawing.isDrawing else { return }
    record(GlassContact(.up, nowhere))
    damage.add(drawing.end())
  }

  private mutating func finish() -> FinishedSignature? {
    let strokes = drawing.store.strokes()
    let length = strokes.reduce(0) { $0 + $1.length }
    guard length >= minimumLength else {
      _ = perform(session.refused())
      return nil
    }
    let (request, scene) = (session.requests.signature, session.requests.scene)
    return FinishedSignature(
      strokes: strokes, glass: glass, scale: drawing.scale, request: request?.number,
      reference: request?.reference, requester: request?.requester,
      shown: ShownContent(
        title: scene.title, prompt: scene.prompt, document: session.shownDocument),
      done: now)
  }
}
