internal import CLinux
public import Configuration
internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Screen
internal import Spool
internal import Touch

/// paraphd: four threads and what connects them.
///
/// Contacts go from the input thread through the ring to the render thread; everything else goes
/// through mailboxes. Nothing calls back up.
public final class Appliance {
  /// What `[ink] model` can be.
  public static var modelNames: [String] { StrokeModel.Kind.allCases.map { $0.rawValue } }

  /// The console asks by signal (VT_PROCESS).
  private static let releaseSignal = SIGUSR1
  private static let acquireSignal = SIGUSR2

  private let configuration: PadConfiguration
  private let drawing: SignatureDrawing
  /// What manifests name as the device.
  private let device: String
  private let ring: ContactRing
  /// What the ink does, from the render thread to the save thread.
  private let ink: ContactRing
  private let render: Mailbox<RenderMessage>
  private let save: Mailbox<SaveMessage>
  private let main: Mailbox<MainMessage>
  private let signals: SignalDescriptor
  private var service = ServiceManager()
  private var threads = PadThreads()
  private let source: InputOptions.Source
  private var watchdog: Watchdog
  private let control: PadControl
  /// What the pad has left that ran before.
  private var recovery: JournalRecovery
  private var console: Console?
  private var backlight: BacklightPower
  /// A thread looks for input devices, and whether there are others since it began.
  private var isSurveying = false
  private var isSurveyStale = false
  /// The panel that is lit, or was lit last.
  private var panel: PanelFacts?

  /// Runs the pad until SIGTERM or SIGINT; returns the exit code.
  public static func run(_ configuration: PadConfiguration) -> Int32 {
    // Pictures of signatures come and go.
    Process.returnFreedMemory()
    let problems = PadExamination(configuration).problems
    log(problems)
    if problems.areFatal { return 78 }
    let source: InputOptions.Source
    do throws(RecordingError) {
      source = try PadInput.source(of: configuration.touch)
    } catch {
      StandardError.log(.error, "config: [touch] recording: \(error.text)")
      return 78
    }
    do throws(Errno) {
      let appliance = try Appliance(configuration, source)
      do throws(SystemError) {
        try appliance.control.open()
      } catch {
        StandardError.log(.error, "config: the control socket cannot be opened: \(error.text)")
        return 78
      }
      // Whatever the end: it is an orderly one.
      defer { appliance.recovery.isOver() }
      return try appliance.run()
    } catch {
      StandardError.log(.error, "kernel: paraphd cannot start: \(error.text)")
      return 71
    }
  }

  private static func log(_ problems: [ConfigurationProblem]) {
    for problem in problems {
      StandardError.log(problem.severity == .error ? .error : .warning, "config: \(problem.text)")
    }
  }

  /// What `ExecStopPost=` calls: gives the console back that a killed pad could not; the exit code.
  public static func restoreConsole() -> Int32 {
    do throws(SystemError) {
      _ = try Console.repair()
      return 0
    } catch {
      StandardError.log(.error, "kernel: the console cannot be given back: \(error.text)")
      return 71
    }
  }

  private init(
    _ configuration: PadConfiguration, _ source: InputOptions.Source
  ) throws(Errno) {
    self.configuration = configuration
    self.source = source
    drawing = SignatureDrawing(
      wishes: configuration.signature,
      model: StrokeModel.Kind(configuration.ink),
      theme: Theme(configuration))
    // Before any thread: they inherit the blocked signals.
    device = configuration.pad.deviceName ?? Process.hostName
    signals = try SignalDescriptor([
      SIGTERM, SIGINT, SIGHUP, Appliance.releaseSignal, Appliance.acquireSignal,
    ])
    ring = try ContactRing()
    ink = try ContactRing()
    render = try Mailbox()
    save = try Mailbox()
    main = try Mailbox()
    watchdog = Watchdog(period: service.watchdog)
    backlight = BacklightPower(configuration.display.backlight)
    control = PadControl(
      configuration, drawing, device: device, render: render, save: save)
    recovery = JournalRecovery { Spool.hasDraft($0, at: configuration.spool.path) }
  }

  private func run() throws(Errno) -> Int32 {
    console = takeConsole()
    control.adopt(recovery.left, at: MonotonicClock.now)
    try startRender()
    var poll = Poll()
    let signalsPlace = poll.add(signals.number)
    let newsPlace = poll.add(main.number)
    let controlPlace = poll.add(control.number)
    var exitCode: Int32?
    while exitCode == nil {
      _ = try poll.wait(milliseconds: milliseconds(at: MonotonicClock.now))
      if poll.isReadable(signalsPlace) {
        while let signal = signals.next() {
          switch signal {
          case Appliance.releaseSignal: render.post(.leave)
          case Appliance.acquireSignal: acquireConsole()
          case SIGHUP:
            for line in ReloadedConfiguration(of: configuration).lines {
              StandardError.log(line.priority, line.text)
            }
          default:
            recovery.isOver()
            exitCode = 0
          }
        }
      }
      if poll.isReadable(newsPlace) {
        for item in main.takeAll() { exitCode = hear(item) ?? exitCode }
      }
      let now = MonotonicClock.now
      if poll.isReadable(controlPlace) { control.turn(at: now) }
      if let deadline = control.deadline, now >= deadline { control.time(now) }
      if threads.isHandoverLate(at: now) {
        StandardError.log(
          .warning, "device: the touchscreen does not answer; another terminal gets the panel")
        releaseConsole()
      }
      askThreads()
    }
    service.notify("STOPPING=1")
    threads.stopDrawing(render: render)
    hearTheRest()
    threads.stopSaving(save: save)
    hearTheRest()
    // Ink and request are in the journal: the next start goes on with them, as after a crash.
    control.end(at: MonotonicClock.now)
    // What was told after the save thread had ended.
    if let path = Process.runtimeDirectory {
      for message in save.takeAll() {
        switch message {
        case .forgetSigned(let id): InkJournal.forget(signed: id, in: path)
        case .noteRequest(nil): InkJournal.forgetRequest(in: path)
        default: break
        }
      }
    }
    backlight.setBlanked(false)
    // After the panel: the kernel's text may come back only when the picture is gone.
    console = nil
    return exitCode ?? 0
  }

  /// What threads that have ended said of requests and signatures.
  private func hearTheRest() {
    let now = MonotonicClock.now
    for item in main.takeAll() {
      switch item {
      case .told(let events): control.hear(events, at: now)
      case .published(let signature, let request):
        control.published(signature, request: request, at: now)
      case .journalLost: control.journalIsLost()
      default: break
      }
    }
  }

  /// How long poll(2) may wait.
  private func milliseconds(at now: Int64) -> Int32 {
    let watchdog = watchdog.milliseconds(at: now)
    guard let deadline = earlier(control.deadline, threads.handoverDeadline) else {
      return watchdog
    }
    let control = Int32(clamping: max(0, (deadline - now) / 1_000_000 + 1))
    return watchdog < 0 ? control : min(watchdog, control)
  }

  /// Takes the console away from the kernel's text, where the pad is on a card.
  private func takeConsole() -> Console? {
    guard configuration.display.card != .memory else { return nil }
    do throws(SystemError) {
      return try Console.open(
        releaseSignal: Appliance.releaseSignal, acquireSignal: Appliance.acquireSignal)
    } catch {
      // On a desk without the right to it, the pad still works; text may flicker through.
      StandardError.log(.warning, "kernel: the console stays with the kernel: \(error.text)")
      return nil
    }
  }

  private func startRender() throws(Errno) {
    let loop = RenderLoop(
      RenderLoop.Options(
        source: PanelSource(configuration.display), model: drawing.model, theme: drawing.theme,
        minimumLength: configuration.pad.minimumLength, rules: rules, snapshot: snapshot,
        blankAfter: configuration.display.blankAfter,
        keepsPicture: configuration.display.picture != nil),
      contacts: ring, ink: ink, messages: render, save: save, main: main)
    try threads.startRender { loop.run() }
  }

  private var rules: SessionRules {
    var rules = SessionRules()
    rules.invites = configuration.pad.invitesAlways
    rules.abandonment = configuration.pad.abandonAfter
    return rules
  }

  /// What was left, as the glass takes it over; its words come when there is a panel.
  private var snapshot: PadSnapshot {
    let left = recovery.left
    var snapshot = PadSnapshot(strokes: left.strokes, isDone: left.isDone)
    guard let open = left.request else { return snapshot }
    let parts = LayoutParts(
      undo: configuration.pad.undo, cancel: open.request.cancellable,
      countdown: open.limit != nil)
    snapshot.limit = open.limit
    snapshot.requests = [
      PadRequest(
        number: open.request.number, reference: open.request.reference,
        scene: Scene(
          number: open.request.number, layout: Layout(width: 100, height: 60, parts: parts),
          title: open.request.title, prompt: open.request.prompt))
    ]
    return snapshot
  }

  /// What the threads tell. Returns an exit code if the pad cannot go on.
  private func hear(_ item: MainMessage) -> Int32? {
    switch item {
    case .lit(let panel):
      control.lit(panel, at: MonotonicClock.now)
      do throws(Errno) {
        try begin(on: panel)
      } catch {
        StandardError.log(.error, "kernel: paraphd cannot go on: \(error.text)")
        return 71
      }
    case .moved(let panel):
      control.moved(to: panel.name)
      announce(panel)
      self.panel = panel
      threads.tellInput(panel)
    case .told(let events): control.hear(events, at: MonotonicClock.now)
    case .measured(let latency):
      let now = MonotonicClock.now
      control.measured(latency, at: now)
      if control.needsTouchscreens(at: now) { lookForTouchscreens() }
    case .surveyed(let touchscreens):
      isSurveying = false
      if isSurveyStale {
        lookForTouchscreens()
      } else {
        control.looked(at: touchscreens, at: MonotonicClock.now)
      }
    case .journalLost: control.journalIsLost()
    case .published(let signature, let request):
      control.published(signature, request: request, at: MonotonicClock.now)
      render.post(.saved)
    case .ink(let steps): control.hear([.ink(steps)], at: MonotonicClock.now)
    case .room(let reason): control.room(reason)
    case .waiting(let line):
      StandardError.log(.warning, line)
      service.notify("READY=1\nSTATUS=waiting for a panel")
      // Nothing of the journal is redrawn meanwhile: an end while the pad waits is not its fault.
      recovery.isOver()
    case .shown(let time):
      StandardError.log(.info, "paraph: first frame shown (monotonic \(time))")
      do throws(Errno) {
        try startInput()
      } catch {
        StandardError.log(.error, "kernel: paraphd cannot go on: \(error.text)")
        return 71
      }
      // Redrawn; what is to be saved is saved, or not, when this is answered.
      save.post(.settle)
    case .settled: recovery.isOver()
    case .left: if threads.panelReleased(at: MonotonicClock.now) { releaseConsole() }
    case .blanked(let isBlanked): backlight.setBlanked(isBlanked)
    case .renderEnded(let reason):
      guard let reason else { return nil }
      StandardError.log(.error, reason)
      return 69
    case .grabsTouch(let isHeld): threads.grabTouch(isHeld)
    case .renderAlive: hasAnswered(.render)
    case .saveAlive: hasAnswered(.save)
    case .input(let main): hear(main)
    case .inputEnded(let reason):
      StandardError.log(.error, reason)
      return 71
    }
    return nil
  }

  /// A panel is lit, for the first time or with another size than before.
  private func begin(on panel: PanelFacts) throws(Errno) {
    announce(panel)
    backlight.setBlanked(false)
    self.panel = panel
    let sizeProblem = drawing.sizeProblem(on: panel.glass, panel: panel.scale)
      .map { "config: [signature] dpi: \($0)" }
    if threads.hasSave {
      save.post(.sizeProblem(sizeProblem))
    } else {
      try startSave(sizeProblem)
    }
    threads.tellInput(panel)
  }

  /// What comes before the pad is visible is not meant for it.
  private func startInput() throws(Errno) {
    guard let panel, !threads.hasInput else { return }
    try threads.startInput { () throws(Errno) in
      try PadInput(source, configuration.touch, panel: panel, ring: ring, main: main)
    }
    // All threads are there, with the scheduling of this one: what programs ask gives way to ink.
    Thread.becomeOrdinary()
  }

  private func announce(_ panel: PanelFacts) {
    StandardError.log(.info, "device: the pad is on \(panel.summary)")
    service.notify("READY=1\nSTATUS=the pad is on \(panel.name)")
  }

  private func releaseConsole() {
    switch console {
    case .some(let console): console.release()
    case .none: break
    }
  }

  private func acquireConsole() {
    switch console {
    case .some(let console): console.acquire()
    case .none: break
    }
    render.post(.comeBack)
  }

  private func hear(_ notice: InputNotice) {
    switch notice {
    case .alive: hasAnswered(.input)
    case .grabbed: if threads.touchAnswered() { releaseConsole() }
    case .opened(let line), .lost(let line):
      control.touchscreensChanged()
      isSurveyStale = true
      StandardError.log(.notice, line)
    case .waiting(let line), .warning(let line): StandardError.log(.warning, line)
    case .played: StandardError.log(.info, "paraph: the recording is over")
    }
  }

  private func startSave(_ sizeProblem: String?) throws(Errno) {
    let files = SignatureFiles(drawing: drawing, device: device)
    let loop = SaveLoop(
      configuration, files: files, ink: ink, left: recovery.left, sizeProblem: sizeProblem,
      messages: save, render: render, main: main)
    try threads.startSave { loop.run() }
  }

  /// Looks for all input devices, and why those are not used that are not. Each is opened, which may take as long
  /// as its driver likes: programs wait for that, and this thread does not.
  private func lookForTouchscreens() {
    if isSurveying { return }
    let now = MonotonicClock.now
    guard case .devices(let choice) = source else { return control.looked(at: [], at: now) }
    let (main, location) = (main, panel?.location)
    isSurveyStale = false
    do throws(Errno) {
      try Thread(name: "paraph-survey") {
        Thread.becomeOrdinary()
        let entries = TouchSurvey(choice, on: location).entries
        main.post(
          .surveyed(
            entries.map {
              PadInfo.Touchscreen(node: $0.path, name: $0.name, rejection: $0.unused)
            }))
      }.detach()
      isSurveying = true
    } catch {
      StandardError.log(.warning, "kernel: no thread to list input devices: \(error.text)")
      control.looked(at: [], at: now)
    }
  }

  private func askThreads() {
    let step = watchdog.step(at: MonotonicClock.now, threads: threads.running)
    if step.feeds { service.notify("WATCHDOG=1") }
    if step.asks.contains(.render) { render.post(.heartbeat) }
    if step.asks.contains(.input) { threads.askInput() }
    // The disk may have filled up while nobody signed.
    if step.asks.contains(.save) { save.post(.heartbeat) }
  }

  private func hasAnswered(_ thread: Watchdog.Threads) {
    if watchdog.answered(thread, at: MonotonicClock.now) { service.notify("WATCHDOG=1") }
  }
}
