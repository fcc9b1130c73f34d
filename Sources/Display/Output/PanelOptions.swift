public import Raster

/// Options of a card's panel.
public struct PanelOptions: Sendable {
  /// Which panel is used.
  public var selector = OutputSelector()
  /// The rotation; nil: from the property `panel orientation`.
  public var rotation: Rotation?
  /// The visible area in scan-out orientation; nil: as the panel reports it.
  public var size: PhysicalSize?
  /// Whether the buffer on screen is drawn into, instead of flipping between two.
  public var isFront = false
  /// The interface to the driver.
  public var commit = CommitChoice.automatic

  /// The panel's own defaults.
  public init() {}

  /// The geometry on a pipeline's panel.
  public func geometry(of pipeline: Pipeline) -> PanelGeometry {
    PanelGeometry(
      panelWidth: pipeline.mode.width, panelHeight: pipeline.mode.height,
      rotation: rotation ?? pipeline.connector.orientation.rotation)
  }

  /// Pixels per millimetre of the canvas on a pipeline's panel.
  func scale(of pipeline: Pipeline) -> Scale {
    geometry(of: pipeline).scale(configured: size, reported: pipeline.connector.size)
  }

  /// Whether a connector's panel can show the canvas of `pipeline`: same mode, orientation and size.
  ///
  /// An unknown size is accepted: the EDID may be unreadable this time.
  func fits(_ pipeline: Pipeline, on connector: ConnectorSurvey) -> Bool {
    guard connector.modes.contains(where: { $0.isShown(as: pipeline.mode) }) else { return false }
    var other = pipeline
    other.connector = connector
    guard geometry(of: other) == geometry(of: pipeline) else { return false }
    guard size == nil, let now = connector.size else { return true }
    return pipeline.connector.size.map(now.isSameToTheCentimetre(as:)) ?? false
  }

  /// Whether a connector has another panel than the one of `pipeline`.
  ///
  /// Compares the EDIDs, or, if there was none, mode, orientation and size. An unreadable EDID is ignored.
  func isAnother(_ connector: ConnectorSurvey, than pipeline: Pipeline) -> Bool {
    let before = pipeline.connector.edid
    if before.isEmpty { return !fits(pipeline, on: connector) }
    return !connector.edid.isEmpty && connector.edid != before
  }
}

/// Options of a panel in memory.
public struct MemoryPanelOptions: Sendable {
  /// The scan-out's size in pixels.
  public var width: Int, height: Int
  /// The visible area in scan-out orientation; nil: 96 dpi.
  public var size: PhysicalSize?
  /// The rotation.
  public var rotation = Rotation.none
  /// The buffers' pixel format.
  public var format = PixelFormat.xrgb8888
  /// The simulated rate in thousandths of a Hertz; nil: flips are shown at once and paced by the timer.
  public var refreshMilliHertz: Int? = 60_000
  /// Whether the buffer on screen is drawn into.
  public var isFront = false
  /// The simulated behaviour of flips.
  public var flips = Flips.shown
  /// The number of checks after which another panel is connected; nil: it stays.
  public var checks: Int?

  /// A driver's behaviour with flips.
  public enum Flips: Sendable {
    /// Shows the flip and sends its event.
    case shown
    /// Refuses it.
    case refused
    /// Accepts it, and sends no event.
    case lost
  }

  /// A panel of the given size at 60 Hz.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
