internal import CLinux
public import Configuration
internal import Display
internal import Ink
internal import Linux
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
  private let model: StrokeModel.Kind
  private let ring: ContactRing
  private let render: Mailbox<RenderMessage>
  private let save: Mailbox<SaveMessage>
  private let news: Mailbox<PadNews>
  private let signals: SignalDescriptor
  private var service = ServiceManager()
  private var threads = PadThreads()
  private let source: InputOptions.Source
  private var watchdog: Watchdog
  private var console: Console?

  /// Runs the pad until SIGTERM or SIGINT; returns the exit code.
  public static func run(_ configuration: PadConfiguration) -> Int32 {
    let source: InputOptions.Source
    do throws(RecordingError) {
      source = try PadInput.source(of: configuration.touch)
    } catch {
      StandardError.log(.error, "config: [touch] recording: \(error.text)")
      return 78
    }
    do throws(Errno) {
      return try Appliance(configuration, source).run()
    } catch {
      StandardError.log(.error, "kernel: paraphd cannot start: \(error.text)")
      return 71
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
    model =
      configuration.ink.model.flatMap { StrokeModel.Kind(rawValue: $0) }
      ?? StrokeModel.Kind.standard
    // Before any thread: they inherit the blocked signals.
    signals = try SignalDescriptor([
      SIGTERM, SIGINT, Appliance.releaseSignal, Appliance.acquireSignal,
    ])
    ring = try ContactRing()
    render = try Mailbox()
    save = try Mailbox()
    news = try Mailbox()
    watchdog = Watchdog(period: service.watchdog)
  }

  private func run() throws(Errno) -> Int32 {
    console = takeConsole()
    try startRender()
    var poll = Poll()
    let signalsPlace = poll.add(signals.number)
    let newsPlace = poll.add(news.number)
    var exitCode: Int32?
    while exitCode == nil {
      _ = try poll.wait(milliseconds: watchdog.milliseconds(at: MonotonicClock.now))
      if poll.isReadable(signalsPlace) {
        while let signal = signals.next() {
          switch signal {
          case Appliance.releaseSignal: render.post(.leave)
          case Appliance.acquireSignal: acquireConsole()
          default: exitCode = 0
          }
        }
      }
      if poll.isReadable(newsPlace) {
        for item in news.takeAll() { exitCode = try hear(item) ?? exitCode }
      }
      askThreads()
    }
    service.notify("STOPPING=1")
    threads.stop(render: render, save: save)
    // After the panel: the kernel's text may come back only when the picture is gone.
    console = nil
    return exitCode ?? 0
  }

  /// Takes the console away from the kernel's text, where the pad is on a card.
  private func takeConsole() -> Console? {
    guard configuration.display.card != .memory else { return nil }
    do throws(SystemError) {
      return try Console.take(
        releaseSignal: Appliance.releaseSignal, acquireSignal: Appliance.acquireSignal)
    } catch {
      // On a desk without the right to it, the pad still works; text may flicker through.
      StandardError.log(.warning, "kernel: the console stays with the kernel: \(error.text)")
      return nil
    }
  }

  private func startRender() throws(Errno) {
    var theme = Theme()
    theme.ink = configuration.ink.colour
    let loop = RenderLoop(
      RenderLoop.Options(
        source: PanelSource(configuration.display), model: model, theme: theme,
        minimumLength: configuration.pad.minimumLength,
        blankAfter: configuration.display.blankAfter,
        keepsPicture: configuration.display.picture != nil),
      contacts: ring, messages: render, save: save, news: news)
    try threads.startRender { loop.run() }
  }

  /// What the threads tell. Returns an exit code if the pad cannot go on.
  private func hear(_ item: PadNews) throws(Errno) -> Int32? {
    switch item {
    case .lit(let panel): try begin(on: panel)
    case .waiting(let line):
      StandardError.log(.warning, line)
      service.notify("READY=1\nSTATUS=waiting for a panel")
    case .left: releaseConsole()
    case .renderEnded(let reason):
      guard let reason else { return nil }
      StandardError.log(.error, reason)
      return 69
    case .renderAlive: watchdog.answered()
    case .input(let news): hear(news)
    case .inputEnded(let reason):
      StandardError.log(.error, reason)
      return 71
    }
    return nil
  }

  /// A panel is lit, for the first time or with another size than before.
  private func begin(on panel: PanelFacts) throws(Errno) {
    StandardError.log(.info, "device: the pad is on \(panel.summary)")
    service.notify("READY=1\nSTATUS=the pad is on \(panel.name)")
    guard !threads.hasInput else { return threads.tellInput(panel) }
    try startSave(panel)
    try threads.startInput { () throws(Errno) in
      try PadInput(source, configuration.touch, panel: panel, ring: ring, news: news)
    }
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

  private func hear(_ news: InputNews) {
    switch news {
    case .alive: watchdog.answered()
    case .opened(let line), .lost(let line): StandardError.log(.notice, line)
    case .waiting(let line), .odd(let line): StandardError.log(.warning, line)
    case .played: StandardError.log(.info, "paraph: the recording is over")
    }
  }

  private func startSave(_ panel: PanelFacts) throws(Errno) {
    let files = SignatureFiles(
      wishes: configuration.signature,
      device: configuration.pad.deviceName ?? Process.hostName, panel: panel.name, model: model,
      colour: configuration.ink.colour)
    let loop = SaveLoop(configuration, files: files, messages: save, render: render)
    try threads.startSave { loop.run() }
  }

  private func askThreads() {
    let step = watchdog.step(at: MonotonicClock.now, threads: threads.asked)
    if step == .wait { return }
    if step == .feedAndAsk { service.notify("WATCHDOG=1") }
    render.post(.heartbeat)
    threads.askInput()
    // The disk may have filled up while nobody signed.
    save.post(.checkRoom)
  }
}
