public import Raster

/// The glass that shows the pad: a card's panel or one in memory, with one face.
///
/// Compose in a `Canvas` of `width` × `height` pixels, and `present` it with what changed; after
/// `descriptor` became readable, `handleEvents` and `present` again. `present` shows as soon as the
/// panel's pace allows, and until then remembers: whatever the canvas holds by then is shown. Neither
/// allocates memory.
///
/// One thread owns it: the one that opened it, because mastership of a card may be bound to the thread
/// (kernels 6.6 and early 6.7).
public struct Panel: ~Copyable {
  enum Output {
    case card(CardOutput)
    case memory(MemoryOutput)
    /// The card is gone.
    case absent
  }

  /// How the upright canvas lies on the panel.
  public let geometry: PanelGeometry
  /// Pixels per millimetre of the canvas.
  public let scale: Scale
  /// How the panel takes its pixels.
  public let format: PixelFormat
  /// What it has done so far.
  public internal(set) var statistics = PanelStatistics()

  var output: Output
  var darkness = PanelDarkness()
  /// When to look again for a card that is gone or held.
  var retry: Int64?
  /// What to look for; nil for a memory panel.
  let options: PanelOptions?
  var isFront: Bool
  /// Flips that were refused since one was accepted.
  var refusedFlips = 0
  /// Modes that were refused since one was accepted.
  var refusedModes = 0
  var trouble: DisplayError?
  /// Why nothing could be opened in the place of a card that is gone, as it was told last.
  var absence = ""
  var hasReturned = false
  /// When the connector is probed after the kernel's notices.
  var probes = ProbeSchedule()
  /// What the last look was refused, as it was told.
  var lookTrouble: DisplayError?
  var history: DamageHistory
  var pacer: FramePacer
  var stamps = SampleStamps()
  /// The buffer on the glass, or on its way there.
  var shown = 0
  var waiting: PanelWaiting

  /// Columns of the canvas.
  public var width: Int { geometry.width }
  /// Rows of the canvas.
  public var height: Int { geometry.height }

  /// Readable when there is something to do: poll it, then `handleEvents` and `present`.
  public var descriptor: Int32 { waiting.number }

  /// When `present` wants to be called again with nothing new, in nanoseconds of CLOCK_MONOTONIC; nil:
  /// not before something happens. `descriptor` is readable then too.
  public var nextDeadline: Int64? {
    var next = Self.earlier(pacer.deadline, retry)
    if case .memory(let memory) = output { next = Self.earlier(next, memory.nextEvent) }
    return next
  }

  /// When a `look` that may probe is due, in nanoseconds of CLOCK_MONOTONIC; nil: the kernel has told of no change
  /// that was not looked at.
  public var nextProbe: Int64? {
    guard case .card = output, darkness.isDisjoint(with: PanelDarkness.unprobed) else { return nil }
    return probes.due
  }

  private static func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// One line for the log: what was lit and how, for example
  /// "HDMI-A-1 on /dev/dri/card0 (vc4), 1280×800 at 60.00 Hz, XRGB8888, atomic with damage".
  public var summary: String {
    switch output {
    case .card(let card): card.summary
    case .memory: "memory, \(geometry.panelWidth)×\(geometry.panelHeight), \(format.name)"
    case .absent: "no card"
    }
  }

  /// Whether a frame is on its way to the glass.
  public var isFlipInFlight: Bool { pacer.isInFlight }

  /// Whether the canvas is visible, as far as the driver can say: its mode is set, and nothing keeps it dark.
  public var isShowing: Bool { condition == .lit && pacer.isLit }

  /// Whether the display stands still: three flips in a row never came, or the mode was refused three
  /// times. A watchdog should know.
  public var isStuck: Bool { pacer.lostInARow >= 3 || refusedModes >= 3 }

  /// What the driver refused first since the panel was lit, or why there is no panel, if it has not been asked
  /// for yet: for the log.
  public mutating func takeTrouble() -> DisplayError? {
    defer { trouble = nil }
    return trouble
  }

  /// Whether it came back, after its card was gone or its cable out, and this has not been asked for yet: card,
  /// driver and connector may be others than before.
  public mutating func takeReturn() -> Bool {
    defer { hasReturned = false }
    return hasReturned
  }

  /// Opens the panel that the options choose among all cards, and becomes master of its card. Nothing
  /// is shown until the first `present`. When it ends, the former picture is put back.
  public init(_ options: PanelOptions) throws(DisplayError) {
    let waiting = try PanelWaiting(watchingCards: true)
    let found = try FoundPanel(options.selector)
    let pipeline = found.pipeline
    let geometry = options.geometry(of: pipeline)
    let output = try CardOutput(found, options, geometry)
    let scale = options.scale(of: pipeline)
    try waiting.listen(to: output.card.fd)
    self.init(
      .card(output), geometry, scale, pipeline.format, period: pipeline.mode.period,
      options, isFront: options.isFront, waiting)
  }

  /// A panel in memory.
  public init(_ options: MemoryPanelOptions) throws(DisplayError) {
    let geometry = PanelGeometry(
      panelWidth: options.width, panelHeight: options.height, rotation: options.rotation)
    let period = options.refreshMilliHertz.map { 1_000_000_000_000 / Int64($0) }
    let output = try MemoryOutput(
      geometry, format: options.format, period: period, flips: options.flips)
    let scale = geometry.scale(configured: options.size, told: nil)
    self.init(
      .memory(output), geometry, scale, options.format, period: period, nil,
      isFront: options.isFront, try PanelWaiting(watchingCards: false))
  }

  private init(
    _ output: Output, _ geometry: PanelGeometry, _ scale: Scale, _ format: PixelFormat,
    period: Int64?, _ options: PanelOptions?, isFront: Bool,
    _ waiting: consuming PanelWaiting
  ) {
    self.waiting = waiting
    self.options = options
    self.geometry = geometry
    self.scale = scale
    self.format = format
    self.output = output
    self.isFront = isFront
    pacer = FramePacer(period: period, isFront: isFront)
    history = DamageHistory(
      buffers: isFront ? 1 : 2, panelWidth: geometry.panelWidth, panelHeight: geometry.panelHeight)
  }

  /// Ends it now: the former picture is put back.
  public consuming func close() {}
}
