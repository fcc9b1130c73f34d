internal import Linux
public import Raster

/// The panel that shows the pad: a card's or one in memory.
///
/// Compose the upright picture in a `Canvas` of `width` × `height` pixels and `present` it with its damage. When
/// `descriptor` is readable, call `handleEvents`, then `present`. Frames are shown at the panel's pace; each shows the
/// canvas as it is then. Neither call allocates memory.
///
/// A panel belongs to the thread that opened it: mastership of a card may be bound to that thread (kernels 6.6 and
/// early 6.7).
public struct Panel: ~Copyable {
  /// The mapping of the canvas to the panel.
  public let geometry: PanelGeometry
  /// Pixels per millimetre of the canvas.
  public let scale: Scale
  /// The buffers' pixel format.
  public let format: PixelFormat
  var presenter: FramePresenter
  private var lifecycle = PanelLifecycle()
  /// Nil for a panel in memory.
  private let monitor: ConnectorMonitor?
  private var probes = ProbeSchedule()
  private var events: PanelEvents

  /// Opens the panel that the options select, and becomes master of its card.
  ///
  /// Nothing is shown until the first `present`. At its end, the former state of the card is restored.
  public init(_ options: PanelOptions) throws(DisplayError) {
    let events = try PanelEvents(watchingCards: true)
    let opened = try OpenedPipeline(options.selector)
    let pipeline = opened.pipeline
    let geometry = options.geometry(of: pipeline)
    let card = try CardOutput(opened, options, geometry)
    try events.add(card: card.card.fd)
    presenter = FramePresenter(
      .card(card), geometry, period: pipeline.mode.period, isFront: options.isFront)
    self.geometry = geometry
    scale = options.scale(of: pipeline)
    format = pipeline.format
    monitor = ConnectorMonitor(options: options)
    self.events = events
  }

  /// Opens a panel in memory.
  public init(_ options: MemoryPanelOptions) throws(DisplayError) {
    let geometry = PanelGeometry(
      panelWidth: options.width, panelHeight: options.height, rotation: options.rotation)
    let period = options.refreshMilliHertz.map { 1_000_000_000_000 / Int64($0) }
    let events = try PanelEvents(watchingCards: false)
    let memory = try MemoryOutput(
      geometry, format: options.format, period: period, flips: options.flips,
      checks: options.checks)
    presenter = FramePresenter(.memory(memory), geometry, period: period, isFront: options.isFront)
    self.geometry = geometry
    scale = geometry.scale(configured: options.size, reported: nil)
    format = options.format
    monitor = nil
    self.events = events
  }

  /// Closes the panel and restores the former state of its card.
  public consuming func close() {}

  /// Columns of the canvas.
  public var width: Int { geometry.width }
  /// Rows of the canvas.
  public var height: Int { geometry.height }

  /// The counters and latencies since the panel was opened.
  public var statistics: PanelStatistics { presenter.statistics }

  /// The descriptor for poll(2): when it is readable, call `handleEvents` and `present`.
  public var descriptor: Int32 { events.number }

  /// The time of the next step, in nanoseconds of CLOCK_MONOTONIC; nil: after the next event.
  ///
  /// `descriptor` becomes readable then.
  public var nextDeadline: Int64? {
    let frame = lifecycle.isActive ? presenter.deadline : nil
    return Self.earlier(Self.earlier(frame, lifecycle.retryTime), presenter.simulatedFlip)
  }

  /// The time of the next `check` that may probe; nil: no hotplug notice is pending.
  public var nextProbe: Int64? {
    guard case .card = presenter.output, lifecycle.allowsProbing else { return nil }
    return probes.due
  }

  private static func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// The connector's name, for example "DSI-1"; nil for a panel in memory.
  public var connector: String? {
    if case .card(let card) = presenter.output { return card.pipeline.connector.name }
    return nil
  }

  /// The panel's name for logs and manifests: "DSI-1 of vc4" or "memory".
  public var name: String {
    switch presenter.output {
    case .card(let card): "\(card.pipeline.connector.name) of \(card.survey.driver)"
    case .memory: "memory"
    case .absent: "no card"
    }
  }

  /// One line for the log, for example
  /// "HDMI-A-1 on /dev/dri/card0 (vc4), 1280×800 at 60.00 Hz, XRGB8888, atomic with damage".
  public var summary: String {
    switch presenter.output {
    case .card(let card): card.summary
    case .memory: "memory, \(geometry.panelWidth)×\(geometry.panelHeight), \(format.name)"
    case .absent: "no card"
    }
  }

  /// The pixels of a panel in memory, in its scan-out; nil for a card's panel, whose memory is not read.
  public func picture() -> PanelPicture? {
    if case .memory(let memory) = presenter.output { return memory.picture }
    return nil
  }

  /// The panel's condition. While it is not active, `present` only collects damage.
  public var condition: PanelCondition { lifecycle.condition }

  /// Whether a flip is in flight.
  public var isFlipInFlight: Bool { presenter.isFlipInFlight }

  /// Whether the canvas is visible, as far as the driver reports it.
  public var isShowing: Bool { lifecycle.isActive && presenter.hasMode }

  /// Whether the display has failed, for a watchdog: three lost flips or refused modes in a row.
  ///
  /// An inactive panel shows nothing, and has not failed; nor has one whose monitor is being woken.
  public var isStuck: Bool {
    lifecycle.isActive && !lifecycle.isWaking && presenter.isStuck
  }

  /// The next change that was not reported yet.
  public mutating func nextEvent() -> PanelEvent? { lifecycle.nextEvent() }

  /// Records the kernel's time stamp of a sample that the next `present` shows, for the latencies.
  ///
  /// Samples without damage are not measured.
  public mutating func record(sampleAt stamp: Int64) { presenter.record(sampleAt: stamp) }

  /// Announces a change that takes long to paint, in the pass before `present`.
  ///
  /// Returns whether to paint it now: its frame is due then, or nothing is shown. Otherwise announce it again after
  /// `handleEvents`, and paint its latest state.
  public mutating func announce(at now: Int64? = nil) -> Bool {
    guard lifecycle.isActive else { return true }
    return presenter.announce(at: now ?? MonotonicClock.now)
  }

  /// Shows the canvas now, or as soon as the panel's pace allows.
  ///
  /// - Parameters:
  ///   - canvas: The whole upright picture, as large as the panel.
  ///   - damage: Changes since the last call, in pixels of the canvas; may overhang it.
  ///   - now: The time, for tests with a clock of their own.
  /// - Throws: The driver's refusal of the first mode; `changed` if the connector has vanished: open the panel anew.
  ///   Later errors are events, and retried.
  public mutating func present(
    _ canvas: borrowing Canvas, damage: PixelRegion, at now: Int64? = nil
  ) throws(DisplayError) {
    precondition(canvas.width == width && canvas.height == height)
    presenter.add(damage, isActive: lifecycle.isActive, at: now ?? MonotonicClock.now)
    if lifecycle.isActive {
      let wasAtomic = presenter.isAtomic
      do {
        try presenter.present(canvas, at: now)
      } catch {
        try presentFailed(error, at: now ?? MonotonicClock.now)
      }
      if lifecycle.isActive, presenter.isAtomic != wasAtomic { lifecycle.interfaceChanged() }
    }
    events.setTimer(nextDeadline)
  }

  private mutating func presentFailed(_ error: DisplayError, at now: Int64) throws(DisplayError) {
    if fail(error, at: now) { return }
    if presenter.modeRefused(at: now) { lifecycle.modeRefused(error) }
    guard presenter.statistics.modeSets == 0 else { return }
    guard case .card(let card) = presenter.output else { throw error }
    let id = card.pipeline.connector.id
    let connector: ConnectorSurvey?
    do throws(DisplayError) {
      connector = try SurveyReader(card.card).connector(id, probing: false)
    } catch _ { throw error }
    throw error.ofFirstMode(on: connector)
  }

  /// Handles all pending events: flips, timer, hotplug, resume. Call it before `present`.
  ///
  /// - Parameters:
  ///   - now: The time, for tests with a clock of their own.
  ///   - mayProbe: As for `check(at:mayProbe:)`.
  /// - Throws: `changed` if another panel was connected: open it anew.
  public mutating func handleEvents(
    at now: Int64? = nil, mayProbe: Bool = true
  ) throws(DisplayError) {
    let ready = events.read()
    let time = now ?? MonotonicClock.now
    if ready.contains(.hotplug) {
      probes.changed(at: time)
      try check(at: time, mayProbe: mayProbe)
    }
    if ready.contains(.resume) { refresh(at: time) }
    switch lifecycle.retry(at: time) {
    case .check: try check(at: time, mayProbe: mayProbe)
    case .acquire: acquire(at: time)
    case .none, .setMode, .close: break
    }
    do throws(DisplayError) {
      // Reads the time again: a check may take several frames, and flips during it are not in the
      // future.
      try presenter.handleFlip(
        at: now ?? MonotonicClock.now, isReadable: ready.contains(.card))
    } catch {
      fail(error, at: time)
    }
    events.setTimer(nextDeadline)
  }

  /// Releases the card for another terminal. Acknowledge the switch afterwards.
  public mutating func release() {
    if case .card(let card) = presenter.output { card.card.dropMaster() }
    lifecycle.released()
    events.setTimer(nextDeadline)
  }

  /// Acquires the card again after `release()`; the next `present` sets the mode and shows everything.
  ///
  /// If another program is master it is retried each second.
  public mutating func acquire(at now: Int64? = nil) {
    let time = now ?? MonotonicClock.now
    var action = PanelLifecycle.Action.none
    do throws(DisplayError) {
      if case .card(let card) = presenter.output { try card.card.becomeMaster() }
      action = lifecycle.acquired(hasCard: monitor != nil, at: time)
    } catch {
      action = lifecycle.acquireFailed(error, at: time)
    }
    perform(action, at: time)
  }

  /// Switches the panel off until `unblank()`.
  ///
  /// - Returns: False if it was inactive already, or its driver cannot switch it off.
  @discardableResult
  public mutating func blank(at now: Int64? = nil) -> Bool {
    guard lifecycle.isActive else { return false }
    do throws(DisplayError) {
      if case .card(let card) = presenter.output { try card.disable() }
    } catch {
      fail(error, at: now ?? MonotonicClock.now)
      return false
    }
    lifecycle.blanked()
    events.setTimer(nextDeadline)
    return true
  }

  /// Switches the panel on again; the next `present` shows the canvas.
  public mutating func unblank(at now: Int64? = nil) {
    let time = now ?? MonotonicClock.now
    perform(lifecycle.unblanked(at: time), at: time)
  }

  /// Shows everything anew with the next `present` while the panel is active: mode and canvas.
  ///
  /// The panel does it by itself after a suspend, as not every driver restores what was shown.
  public mutating func refresh(at now: Int64? = nil) {
    presenter.invalidate(at: now ?? MonotonicClock.now)
    events.setTimer(nextDeadline)
  }

  /// Checks whether the panel is still connected; cheap, as the driver's present state is read.
  ///
  /// The panel does it by itself after a hotplug notice; where a sandbox blocks these, call it now and then. Does
  /// nothing while another terminal is shown.
  ///
  /// - Parameter mayProbe: Whether the monitor's EDID may be read after a notice, which is slow enough to disturb
  ///   drawing; else a later check reads it.
  /// - Throws: `changed` if another panel is connected: open it anew. Other errors are events.
  public mutating func check(
    at now: Int64? = nil, mayProbe: Bool = true
  ) throws(DisplayError) {
    let time = now ?? MonotonicClock.now
    guard !lifecycle.isAway else { return }
    if case .memory(let memory) = presenter.output { try memory.check() }
    guard let monitor else { return }
    switch presenter.output {
    case .memory: return
    case .absent: try reopen(by: monitor, at: time)
    case .card(let card):
      let isDue = mayProbe && probes.isDue(at: time)
      do throws(DisplayError) {
        try checkConnector(of: card, by: monitor, at: time)
        if isDue, lifecycle.allowsProbing { try monitor.probe(card) }
      } catch {
        if case .changed = error { throw error }
        perform(lifecycle.checkFailed(error, at: time), at: time)
      }
      if isDue { probes.probed(at: now ?? MonotonicClock.now) }
    }
    events.setTimer(nextDeadline)
  }

  private mutating func checkConnector(
    of card: CardOutput, by monitor: ConnectorMonitor, at now: Int64
  ) throws(DisplayError) {
    switch try monitor.check(card, wasUnplugged: lifecycle.isUnplugged) {
    case .connected: perform(lifecycle.connected(), at: now)
    case .badLink:
      perform(lifecycle.connected(), at: now)
      if lifecycle.isActive { presenter.requestMode(at: now) }
    case .reconnected: perform(lifecycle.reconnected(), at: now)
    case .disconnected:
      lifecycle.disconnected(card.pipeline.connector.name, on: card.survey.path, at: now)
      if monitor.findsOtherPanel(than: card) { throw .changed }
    }
  }

  private mutating func reopen(by monitor: ConnectorMonitor, at now: Int64) throws(DisplayError) {
    let card: CardOutput
    do throws(DisplayError) {
      card = try monitor.reopen(for: geometry, scale: scale, format: format)
    } catch {
      if case .changed = error { throw error }
      return lifecycle.openFailed(error, at: now)
    }
    presenter.replaceOutput(by: card)
    try events.add(card: card.card.fd)
    perform(lifecycle.opened(), at: now)
  }

  /// Handles an error that concerns the ownership of the card; false for any other.
  @discardableResult
  mutating func fail(_ error: DisplayError, at now: Int64) -> Bool {
    guard let action = lifecycle.failed(error, at: now) else { return false }
    perform(action, at: now)
    return true
  }

  private mutating func perform(_ action: PanelLifecycle.Action, at now: Int64) {
    switch action {
    case .setMode:
      presenter.forgetFailures()
      presenter.requestMode(at: now)
    case .close: presenter.close()
    case .none, .acquire, .check: break
    }
    events.setTimer(nextDeadline)
  }
}
