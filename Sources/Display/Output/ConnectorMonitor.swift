internal import Raster

/// Checks whether an open card still drives the panel that it was opened for.
struct ConnectorMonitor {
  /// The state of the connector.
  enum Status: Equatable {
    /// The panel is connected.
    case connected
    /// The panel is connected, but link training failed: the mode must be set again.
    case badLink
    /// The panel is connected again.
    case reconnected
    /// Nothing is connected.
    case disconnected
  }

  /// The options of the panel.
  let options: PanelOptions

  /// Reads the connector's present state; probes only a panel that was unplugged, when nothing is shown.
  ///
  /// - Throws: `changed` if another panel is connected.
  func check(_ card: CardOutput, wasUnplugged: Bool) throws(DisplayError) -> Status {
    let (reader, pipeline) = (SurveyReader(card.card), card.pipeline)
    let found = try reader.connector(pipeline.connector.id, probing: false)
    guard let found, found.status != .disconnected else { return .disconnected }
    if wasUnplugged {
      let probed = try reader.connector(found.id, probing: true)
      guard let probed, options.fits(pipeline, on: probed),
        !options.isAnother(probed, than: pipeline)
      else { throw .changed }
      return .reconnected
    }
    if options.isAnother(found, than: pipeline) { throw .changed }
    return found.hasBadLink ? .badLink : .connected
  }

  /// Finds a monitor that was swapped between two checks: until it is probed, the driver reports the old EDID.
  ///
  /// - Throws: `changed` if another panel is connected.
  func probe(_ card: CardOutput) throws(DisplayError) {
    let pipeline = card.pipeline
    guard let found = try SurveyReader(card.card).connector(pipeline.connector.id, probing: true),
      found.status != .disconnected
    else { return }
    if options.isAnother(found, than: pipeline) { throw .changed }
  }

  /// Whether a panel is connected to another connector, which may be new (DisplayPort hubs).
  ///
  /// An unknown status does not count: it would match forever.
  func findsOtherPanel(than card: CardOutput) -> Bool {
    guard let survey = try? SurveyReader(card.card).read() else { return false }
    let choice = PanelChoice(among: [survey], selector: options.selector)
    return choice.pipeline?.connector.status == .connected
  }

  /// Opens the selected panel in place of a card that was removed.
  ///
  /// A driver that replaces the firmware's (simpledrm) is another card with the same panel. simpledrm reports a size
  /// for 96 dpi, which the panel's own corrects.
  ///
  /// - Throws: `changed` if the panel needs another canvas.
  func reopen(
    for geometry: PanelGeometry, scale: Scale, format: PixelFormat
  ) throws(DisplayError) -> CardOutput {
    let opened = try OpenedPipeline(options.selector)
    let pipeline = opened.pipeline
    guard options.geometry(of: pipeline) == geometry, options.scale(of: pipeline) == scale,
      pipeline.format == format
    else { throw .changed }
    return try CardOutput(opened, options, geometry)
  }
}

/// When a connector is probed after hotplug notices.
///
/// Some drivers answer each probe with a notice. A notice soon after a probe is treated as such an answer: the
/// next probe waits, twice as long each time. Any other notice causes a probe at once.
struct ProbeSchedule {
  /// Nanoseconds after a probe in which a notice is its answer; also the shortest pause.
  static let answerTime: Int64 = 1_000_000_000
  /// The longest pause in nanoseconds between a probe and the one that its answer causes.
  static let longestPause: Int64 = 300_000_000_000

  /// The time of the next probe; nil: no notice is pending.
  private(set) var due: Int64?
  /// The end of the last probe.
  private var ended = Int64.min / 2
  private var pause = ProbeSchedule.answerTime
  private var isAnswered = false

  /// No notice and no probe yet.
  init() {}

  /// A notice arrived.
  mutating func changed(at now: Int64) {
    guard now - ended < Self.answerTime else {
      pause = Self.answerTime
      due = min(due ?? now, now)
      return
    }
    if !isAnswered { pause = min(2 * pause, Self.longestPause) }
    isAnswered = true
    due = due ?? ended + pause
  }

  /// Whether to probe now.
  func isDue(at now: Int64) -> Bool { due.map { now >= $0 } ?? false }

  /// A probe ended; it may have taken seconds.
  mutating func probed(at now: Int64) {
    due = nil
    ended = now
    isAnswered = false
  }
}
