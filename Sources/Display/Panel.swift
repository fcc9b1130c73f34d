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
  }

  /// How the upright canvas lies on the panel.
  public let geometry: PanelGeometry
  /// Pixels per millimetre of the canvas.
  public let scale: Scale
  /// How the panel takes its pixels.
  public let format: PixelFormat
  /// What it has done so far.
  public internal(set) var statistics = PanelStatistics()

  let output: Output
  let isFront: Bool
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
    guard case .memory(let memory) = output, let event = memory.nextEvent else {
      return pacer.deadline
    }
    return min(event, pacer.deadline ?? event)
  }

  /// One line for the log: what was lit and how, for example
  /// "HDMI-A-1 on /dev/dri/card0 (vc4), 1280×800 at 60.00 Hz, XRGB8888, atomic with damage".
  public var summary: String {
    switch output {
    case .card(let card): card.summary
    case .memory: "memory, \(geometry.panelWidth)×\(geometry.panelHeight), \(format.name)"
    }
  }

  /// Whether a frame is on its way to the glass.
  public var isFlipInFlight: Bool { pacer.isInFlight }

  /// Whether the display stands still: three flips in a row never came. A watchdog should know.
  public var isStuck: Bool { pacer.lostInARow >= 3 }

  /// Opens the panel that the options choose among all cards, and becomes master of its card. Nothing
  /// is shown until the first `present`. When it ends, the former picture is put back.
  public init(_ options: PanelOptions) throws(DisplayError) {
    let found = try FoundPanel(options.wishes)
    let route = found.route
    let geometry = PanelGeometry(
      panelWidth: route.mode.width, panelHeight: route.mode.height,
      rotation: options.rotation ?? route.connector.orientation.rotation)
    let output = try CardOutput(
      found.card, survey: found.survey, route: route, geometry: geometry,
      buffers: options.isFront ? 1 : 2, isLegacy: options.isLegacy)
    let scale = geometry.scale(configured: options.size, told: route.connector.size)
    try self.init(
      .card(output), geometry, scale, route.format, period: route.mode.period,
      isFront: options.isFront, events: output.card.fd)
  }

  /// A panel in memory.
  public init(_ options: MemoryPanelOptions) throws(DisplayError) {
    let geometry = PanelGeometry(
      panelWidth: options.width, panelHeight: options.height, rotation: options.rotation)
    let period = options.refreshMilliHertz.map { 1_000_000_000_000 / Int64($0) }
    let output = try MemoryOutput(geometry, format: options.format, period: period)
    let scale = geometry.scale(configured: options.size, told: nil)
    try self.init(
      .memory(output), geometry, scale, options.format, period: period, isFront: options.isFront,
      events: nil)
  }

  private init(
    _ output: Output, _ geometry: PanelGeometry, _ scale: Scale, _ format: PixelFormat,
    period: Int64?, isFront: Bool, events: Int32?
  ) throws(DisplayError) {
    let waiting = try PanelWaiting(events: events)
    self.geometry = geometry
    self.scale = scale
    self.format = format
    self.output = output
    self.isFront = isFront
    self.waiting = waiting
    pacer = FramePacer(period: period, isFront: isFront)
    history = DamageHistory(
      buffers: isFront ? 1 : 2, panelWidth: geometry.panelWidth, panelHeight: geometry.panelHeight)
  }

  /// Ends it now: the former picture is put back.
  public consuming func close() {}
}
