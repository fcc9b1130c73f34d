internal import Linux

/// The threads that the main one has started, joined in the order in which data flows: what the input
/// thread saw is drawn, and what was sent is saved.
struct PadThreads: ~Copyable {
  private var input: PadInput?
  private var render: Thread?
  private var save: Thread?
  private var holdsTouch = true
  private var handover = TerminalHandover()

  init() {}

  /// Whether the input thread runs.
  var hasInput: Bool { input != nil }

  /// Whether the save thread runs.
  var hasSave: Bool { save != nil }

  /// The panel has another size.
  borrowing func tellInput(_ panel: PanelFacts) {
    switch input {
    case .some(let input): input.tell(panel)
    case .none: break
    }
  }

  /// Grabs the touchscreen, or releases it.
  mutating func grabTouch(_ isHeld: Bool) {
    holdsTouch = isHeld
    switch input {
    case .some(let input):
      input.grab(isHeld)
      handover.touchAsked()
    case .none: break
    }
  }

  /// The input thread has grabbed the touchscreen or released it. Returns whether to release the console.
  mutating func touchAnswered() -> Bool { handover.touchAnswered() }

  /// The panel is released. Returns whether to release the console.
  mutating func panelReleased(at now: Int64) -> Bool { handover.panelReleased(at: now) }

  /// When `isHandoverLate(at:)` must be called, if ever.
  var handoverDeadline: Int64? { handover.deadline }

  /// Whether the console is to be released without the touchscreen.
  mutating func isHandoverLate(at now: Int64) -> Bool { handover.time(now) }

  /// Those that run, and answer a heartbeat.
  var running: Watchdog.Threads {
    var running: Watchdog.Threads = .render
    if hasInput { running.insert(.input) }
    if hasSave { running.insert(.save) }
    return running
  }

  mutating func startInput(_ start: () throws(Errno) -> PadInput) throws(Errno) {
    input = try start()
    grabTouch(holdsTouch)
  }

  mutating func startRender(_ run: @escaping @Sendable () -> Void) throws(Errno) {
    render = try Thread(name: "paraph-render", run: run)
  }

  mutating func startSave(_ run: @escaping @Sendable () -> Void) throws(Errno) {
    save = try Thread(name: "paraph-save", run: run)
  }

  /// Asks the input thread whether it is alive.
  borrowing func askInput() {
    switch input {
    case .some(let input): input.askAlive()
    case .none: break
    }
  }

  /// Ends what comes from the finger to the glass.
  mutating func stopDrawing(render messages: Mailbox<RenderMessage>) {
    if let input = input.take() { input.stop() }
    messages.post(.stop)
    if let thread = render.take() { thread.join() }
  }

  /// Then, when nothing more can be sent, ends saving.
  mutating func stopSaving(save jobs: Mailbox<SaveMessage>) {
    jobs.post(.stop)
    if let thread = save.take() { thread.join() }
  }
}
