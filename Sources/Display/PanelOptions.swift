public import Raster

/// How a card's panel is to be used.
public struct PanelOptions: Sendable {
  /// Which one.
  public var selector = OutputSelector()
  /// How the picture is turned; nil: as `panel orientation` says.
  public var rotation: Rotation?
  /// The visible area in scan-out orientation; nil: as the panel says.
  public var size: PhysicalSize?
  /// Draw into the buffer that is shown, instead of two that take turns.
  public var isFront = false
  /// Which calls set modes and frames.
  public var commit = CommitChoice.automatic

  /// Everything left to the panel.
  public init() {}
}

/// A panel in memory.
public struct MemoryPanelOptions: Sendable {
  /// The scan-out, in pixels.
  public var width: Int, height: Int
  /// The visible area in scan-out orientation; nil: 96 dpi.
  public var size: PhysicalSize?
  /// How the picture is turned.
  public var rotation = Rotation.none
  /// How its buffers hold pixels.
  public var format = PixelFormat.xrgb8888
  /// Its simulated vblank; nil: flips are shown at once and paced by the timer.
  public var refreshMilliHertz: Int? = 60_000
  /// Draw into the buffer that is shown.
  public var isFront = false
  /// What becomes of its flips.
  public var flips = Flips.shown

  /// What a driver can do with a flip.
  public enum Flips: Sendable {
    /// It is shown, and its event comes.
    case shown
    /// It is refused, as by a driver that has none.
    case refused
    /// It is accepted, and nothing ever comes of it.
    case lost
  }

  /// A panel of so many pixels, at 60 Hz.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
