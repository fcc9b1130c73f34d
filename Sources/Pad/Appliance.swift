internal import CLinux
public import Configuration
internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Raster
internal import Screen
internal import Spool
internal import Text
internal import Touch

/// The daemon paraphd: four threads, others for surveys, slides and screenshots, and the mailboxes between them.
///
/// Contacts go through a ring from the input thread to the render thread, the ink from there to the save thread;
/// everything else goes through mailboxes.
public final class Appliance {
  /// The values of `[ink] model`.
  public static var modelNames: [String] { StrokeModel.Kind.allCases.map { $0.rawValue } }

  private let configuration: PadConfiguration
  private let drawing: SignatureDrawing
  /// The device name in manifests.
  private let device: String
  private let ring: ContactRing
  /// The ink, from the render thread to the save thread.
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
  /// The state of an earlier start.
  private var recovery: JournalRecovery
  private var backlight: BacklightPower
  private var survey: TouchscreenSurvey
  private var slides: SlideShow?
  /// The last panel that was opened.
  private var panel: PanelFacts?

  /// Runs the pad until SIGTERM or SIGINT; returns the exit code.
  public static func run(_ configuration: PadConfiguration) -> Int32 {
    // Each signature allocates a picture and frees it.
    Process.returnFreedMemory()
    let problems = PadExamination(configuration).problems
    log(problems)
    if problems.areFatal { return 78 }
    // RLIMIT_CORE does not apply where the kernel pipes core dumps to a program (core(5)).
    if configuration.seal.isActive { CLinux_forbidDumps() }
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
        StandardError.log(.error, "config: cannot open the control socket: \(error.text)")
        return 78
      }
      // A start that ends here has not crashed.
      defer {
        appliance.recovery.finish()
        appliance.control.stopPreparing()
      }
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

  /// Restores the console after a crash, for `ExecStopPost=`; returns the exit code.
  public static func restoreConsole() -> Int32 {
    do throws(SystemError) {
      _ = try Console.repair()
      return 0
    } catch {
      StandardError.log(.error, "kernel: cannot restore the console: \(error.text)")
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
    device = configuration.pad.deviceName ?? Process.hostName
    // Before any thread: threads inherit the blocked signals.
    signals = try SignalDescriptor([
      SIGTERM, SIGINT, SIGHUP, PadTerminal.releaseSignal, PadTerminal.acquireSignal,
    ])
    ring = try ContactRing()
    ink = try ContactRing()
    render = try Mailbox()
    save = try Mailbox()
    main = try Mailbox()
    watchdog = Watchdog(period: service.watchdog)
    backlight = BacklightPower(configuration.display.backlight)
    recovery = JournalRecovery { Spool.hasDraft($0, at: configuration.spool.path) }
    control = PadControl(
      configuration, drawing, device: device, render: render, save: save, main: main,
      keeping: recovery.state.request?.document)
    survey = TouchscreenSurvey(source, main: main)
    slides = SlideShow(configuration, main: main)
  }

  private func run() throws(Errno) -> Int32 {
    let terminal = PadTerminal(configuration, recovery.state, render: render)
    control.terminal = terminal
    control.restore(recovery.state, at: MonotonicClock.now)
    control.watchNotes()
    try startRender(isAway: !terminal.isFront)
    try startTerminal(terminal)
    var poll = Poll()
    let signalsPlace = poll.add(signals.number)
    let mainPlace = poll.add(main.number)
    let controlPlace = poll.add(control.number)
    let notesPlace = poll.add(control.notesNumber)
    var exitCode: Int32?
    while exitCode == nil {
      _ = try poll.wait(milliseconds: milliseconds(at: MonotonicClock.now))
      if poll.isReadable(signalsPlace) {
        while let signal = signals.next() {
          switch signal {
          case PadTerminal.releaseSignal:
            let now = MonotonicClock.now
            control.handle(terminal.releaseAsked(at: now), at: now)
          case PadTerminal.acquireSignal:
            let now = MonotonicClock.now
            control.handle(terminal.acquired(at: now), at: now)
          case SIGHUP:
            let reloaded = ReloadedConfiguration(of: configuration)
            for line in reloaded.lines { StandardError.log(line.priority, line.text) }
            if let paths = reloaded.recipients { save.post(.recipients(paths)) }
            control.findUsers()
          default:
            recovery.finish()
            exitCode = 0
          }
        }
      }
      if poll.isReadable(mainPlace) {
        for item in main.takeAll() { exitCode = handle(item) ?? exitCode }
      }
      if poll.isReadable(notesPlace) { control.readNotes() }
      let now = MonotonicClock.now
      if poll.isReadable(controlPlace) { control.turn(at: now) }
      if let deadline = control.deadline, now >= deadline { control.time(now) }
      if threads.isHandoverLate(at: now) {
        StandardError.log(
          .warning, "device: the touchscreen does not answer; switching the terminal without it")
        releaseTerminal()
      }
      if control.needsSurvey(at: now) { survey.start(on: panel) }
      slides?.turn(at: now, isResting: control.isResting)
      sendHeartbeats()
    }
    service.notify("STOPPING=1")
    threads.stopDrawing(render: render)
    handleTheRest()
    threads.stopSaving(save: save)
    handleTheRest()
    // Ink and request are in the journal: the next start restores them, as after a crash.
    control.end(at: MonotonicClock.now)
    // Records in the journal what was posted to the save thread after its end.
    if let path = Process.runtimeDirectory {
      InkJournal.amend(in: path, save.takeAll().compactMap { $0.journalRecord })
    }
    backlight.setBlanked(false)
    terminal.end()
    // After the panel: the kernel's text would draw over the picture.
    control.terminal = nil
    return exitCode ?? 0
  }

  /// Handles the last messages of threads that have ended.
  private func handleTheRest() {
    let now = MonotonicClock.now
    for item in main.takeAll() {
      switch item {
      case .told(let events): control.handle(events, at: now)
      case .published(let signature, let request):
        control.published(signature, request: request, at: now)
      case .journalLost: control.journalIsLost()
      case .journalReturned: control.journalHasReturned()
      default: break
      }
    }
  }

  /// How long poll(2) may wait.
  private func milliseconds(at now: Int64) -> Int32 {
    let watchdog = watchdog.milliseconds(at: now)
    let slide = slides?.deadline(isResting: control.isResting)
    guard let deadline = earlier(earlier(control.deadline, slide), threads.handoverDeadline) else {
      return watchdog
    }
    let control = Int32(clamping: max(0, (deadline - now) / 1_000_000 + 1))
    return watchdog < 0 ? control : min(watchdog, control)
  }

  /// Asks for the panel, or leaves it to the other side.
  private func startTerminal(_ terminal: PadTerminal) throws(Errno) {
    if !terminal.isFront {
      try startSave()
      // The panel is opened when the pad comes to the front for the first time: its card belongs to the other side.
      survey.start(on: nil)
      service.notify("READY=1\nSTATUS=another terminal is shown")
      // While the pad waits, a crash can be due to the journal only until it is rewritten.
      if !terminal.needsPanel { save.post(.settle) }
    }
    let now = MonotonicClock.now
    control.handle(terminal.start(at: now), at: now)
  }

  private func startRender(isAway: Bool) throws(Errno) {
    let rules = SessionRules(configuration)
    let loop = RenderLoop(
      RenderLoop.Options(
        source: PanelSource(configuration.display), model: drawing.model, theme: drawing.theme,
        minimumLength: configuration.pad.minimumLength, rules: rules,
        snapshot: PadSnapshot(
          recovery.state, undo: configuration.pad.undo, rules: rules, at: MonotonicClock.now),
        blankAfter: configuration.display.blankAfter,
        keepsPicture: configuration.display.picture != nil, startsAway: isAway),
      contacts: ring, ink: ink, messages: render, save: save, main: main)
    try threads.startRender { loop.run() }
  }

  /// Handles a message of a thread. Returns an exit code if the pad cannot continue.
  private func handle(_ item: MainMessage) -> Int32? {
    switch item {
    case .lit(let panel):
      // Before the scenes, which take long: contacts must have the millimetres of this glass.
      threads.setPanel(panel)
      control.lit(panel, at: MonotonicClock.now)
      slides?.lit(panel.screen)
      do throws(Errno) {
        try begin(on: panel)
      } catch {
        StandardError.log(.error, "kernel: paraphd cannot continue: \(error.text)")
        return 71
      }
    case .moved(let panel):
      control.returned(panel)
      announce(panel)
      backlight.panelReturned()
      self.panel = panel
      threads.setPanel(panel)
      // Which devices are used depends on the panel.
      survey.devicesChanged(on: panel)
    case .told(let events): control.handle(events, at: MonotonicClock.now)
    case .pagesWanted(let scene, let pages, let read):
      control.prepare(pages, read: read, of: scene)
    case .sheet(let answer): control.prepared(answer, at: MonotonicClock.now)
    case .slide(let answer):
      slides?.answered(answer) {
        StandardError.log(.warning, $0)
      } show: { [render] in
        render.post(.setSlide($0))
      }
    case .measured(let latency): control.measured(latency)
    case .surveyed(let touchscreens):
      if survey.finished(on: panel) { control.surveyed(touchscreens, at: MonotonicClock.now) }
    case .journalLost: control.journalIsLost()
    case .journalReturned: control.journalHasReturned()
    case .published(let signature, let request):
      control.published(signature, request: request, at: MonotonicClock.now)
      render.post(.saved)
    case .ink(let steps): control.handle([.ink(steps)], at: MonotonicClock.now)
    case .room(let reason): control.room(reason)
    case .waiting(let line):
      StandardError.log(.warning, line)
      control.panelIsGone()
      do throws(Errno) {
        try startSave()
      } catch {
        StandardError.log(.error, "kernel: paraphd cannot continue: \(error.text)")
        return 71
      }
      // No input thread reports devices yet.
      survey.start(on: nil)
      service.notify("READY=1\nSTATUS=waiting for a panel")
      // While the pad waits, a crash can be due to the journal only until it is rewritten.
      save.post(.settle)
    case .shown(let time):
      StandardError.log(.info, "paraph: first frame shown (monotonic \(time))")
      do throws(Errno) {
        try startInput()
      } catch {
        StandardError.log(.error, "kernel: paraphd cannot continue: \(error.text)")
        return 71
      }
      // The ink is on the glass. The answer to this message means that saving has ended.
      save.post(.settle)
    case .settled: recovery.finish()
    case .inFront(let time):
      StandardError.log(.info, "paraph: the pad is in front (monotonic \(time))")
    case .left: if threads.panelReleased(at: MonotonicClock.now) { releaseTerminal() }
    case .blanked(let isBlanked):
      backlight.setBlanked(isBlanked)
      slides?.isBlanked = isBlanked
    case .renderEnded(let reason):
      guard let reason else { return nil }
      StandardError.log(.error, reason)
      return 69
    case .grabsTouch(let isHeld):
      threads.grabTouch(isHeld)
      // The pad has the touchscreen while it is visible.
      slides?.isVisible = isHeld
    case .renderAlive: hasAnswered(.render)
    case .saveAlive: hasAnswered(.save)
    case .input(let message): handle(message)
    case .inputEnded(let reason):
      StandardError.log(.error, reason)
      return 71
    }
    return nil
  }

  /// A panel was opened, the first one or one of another size.
  private func begin(on panel: PanelFacts) throws(Errno) {
    announce(panel)
    backlight.panelOpened()
    self.panel = panel
    let sizeProblem = drawing.sizeProblem(on: panel.glass, panel: panel.scale)
      .map { "config: [signature] dpi: \($0)" }
    if threads.hasSave {
      save.post(.sizeProblem(sizeProblem))
    } else {
      try startSave(sizeProblem)
    }
  }

  /// Starts the input thread when the pad is visible: earlier touches are not meant for it.
  private func startInput() throws(Errno) {
    guard let panel, !threads.hasInput else { return }
    try threads.startInput { () throws(Errno) in
      try PadInput(source, configuration.touch, panel: panel, ring: ring, main: main)
    }
    // The other threads have inherited this one's scheduling; requests of clients yield to ink.
    Thread.becomeOrdinary()
  }

  private func announce(_ panel: PanelFacts) {
    StandardError.log(.info, "device: the pad is on \(panel.summary)")
    service.notify("READY=1\nSTATUS=the pad is on \(panel.name)")
  }

  private func releaseTerminal() {
    let now = MonotonicClock.now
    if let terminal = control.terminal { control.handle(terminal.release(at: now), at: now) }
  }

  private func handle(_ message: InputNotice) {
    switch message {
    case .alive: hasAnswered(.input)
    case .grabbed: if threads.touchAnswered() { releaseTerminal() }
    case .opened(let line), .lost(let line):
      survey.devicesChanged(on: panel)
      StandardError.log(.notice, line)
    case .waiting(let line):
      survey.devicesChanged(on: panel)
      StandardError.log(.warning, line)
    // The warning comes from a device in use, where a survey would compete with the ink.
    case .warning(let line): StandardError.log(.warning, line)
    case .played: StandardError.log(.info, "paraph: the recording is over")
    }
  }

  /// Starts the save thread, unless it runs: with the first panel, or without one. Requests end without a panel, too.
  private func startSave(_ sizeProblem: String? = nil) throws(Errno) {
    guard !threads.hasSave else { return }
    let files = SignatureFiles(drawing: drawing, device: device)
    let loop = SaveLoop(
      configuration, files: files, ink: ink, recovered: recovery.state, sizeProblem: sizeProblem,
      messages: save, render: render, main: main)
    try threads.startSave { loop.run() }
  }

  private func sendHeartbeats() {
    let step = watchdog.step(at: MonotonicClock.now, threads: threads.running)
    if step.feeds { service.notify("WATCHDOG=1") }
    if step.asks.contains(.render) {
      render.post(.heartbeat)
      backlight.retry()
    }
    if step.asks.contains(.input) { threads.checkInput() }
    // The disk may have filled up since the last signature.
    if step.asks.contains(.save) { save.post(.heartbeat) }
  }

  private func hasAnswered(_ thread: Watchdog.Threads) {
    if watchdog.answered(thread, at: MonotonicClock.now) { service.notify("WATCHDOG=1") }
  }
}
