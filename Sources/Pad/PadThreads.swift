internal import Linux

/// The threads besides the main one. They end in the order of the data flow: contacts are drawn, signatures saved.
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

  /// Tells the input thread the size and orientation of the panel.
  borrowing func setPanel(_ panel: PanelFacts) {
    switch input {
    case .some(let input): input.setPanel(panel)
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

  /// The input thread has grabbed or released the touchscreen. Returns whether to release the console.
  mutating func touchAnswered() -> Bool { handover.touchAnswered() }

  /// The panel is released. Returns whether to release the console.
  mutating func panelReleased(at now: Int64) -> Bool { handover.panelReleased(at: now) }

  /// When `isHandoverLate(at:)` must be called; nil: never.
  var handoverDeadline: Int64? { handover.deadline }

  /// Whether to release the console although the touchscreen is not released.
  mutating func isHandoverLate(at now: Int64) -> Bool { handover.time(now) }

  /// The threads that run and answer heartbeats.
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

  /// Sends the input thread a heartbeat.
  borrowing func checkInput() {
    switch input {
    case .some(let input): input.checkAlive()
    case .none: break
    }
  }

  /// Ends the input thread, then the render thread.
  mutating func stopDrawing(render messages: Mailbox<RenderMessage>) {
    if let input = input.take() { input.stop() }
    messages.post(.stop)
    if let thread = render.take() { thread.join() }
  }

  /// Ends the save thread.
  mutating func stopSaving(save jobs: Mailbox<SaveMessage>) {
    jobs.post(.stop)
    if let thread = save.take() { thread.join() }
  }
}

/// Decides when the console may show another virtual terminal: after panel and touchscreen are released. Pure.
///
/// The kernel's permission (VT_RELDISP) waits for both, so that the other terminal receives its first touch. It does
/// not wait for a driver that hangs: meanwhile, the panel would show neither.
struct TerminalHandover {
  /// The number of grabs and releases that the input thread has not answered.
  private var unanswered = 0
  /// When the console is released without the touchscreen; nil: no terminal waits.
  private(set) var deadline: Int64?
  /// How long the touchscreen may take, in nanoseconds.
  static let limit: Int64 = 1_000_000_000

  init() {}

  /// The input thread was told to grab or release its devices.
  mutating func touchAsked() { unanswered += 1 }

  /// The input thread has done so. Returns whether to release the console.
  mutating func touchAnswered() -> Bool {
    unanswered = max(0, unanswered - 1)
    guard deadline != nil, unanswered == 0 else { return false }
    deadline = nil
    return true
  }

  /// The panel is released. Returns whether to release the console.
  mutating func panelReleased(at now: Int64) -> Bool {
    deadline = unanswered > 0 ? now + Self.limit : nil
    return deadline == nil
  }

  /// Returns whether to release the console without the touchscreen at `now`.
  mutating func time(_ now: Int64) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    return true
  }
}
