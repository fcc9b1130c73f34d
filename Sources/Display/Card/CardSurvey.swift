internal import Linux

/// A card's objects and capabilities as plain values: the input of `PanelChoice`.
public struct CardSurvey: Sendable, Equatable {
  /// The device node, for example `/dev/dri/card0`.
  public var path: String
  /// Links to the node below `/dev/dri/by-path`.
  public var links: [String]
  /// The kernel driver, for example `vc4`.
  public var driver: String
  /// The driver's preferred depth (DRM_CAP_DUMB_PREFERRED_DEPTH); 16 on most SPI panels.
  public var preferredDepth: Int
  /// In the order of GETRESOURCES.
  public var connectors: [ConnectorSurvey]
  /// In the order of GETRESOURCES, which numbers the bits of `possibleCRTCs`.
  public var crtcs: [CRTCSurvey]
  /// Empty if the driver has no universal planes, and thus no atomic commits.
  public var planes: [PlaneSurvey]
  /// Whether atomic commits are supported (DRM_CLIENT_CAP_ATOMIC).
  public var isAtomic: Bool
  /// Whether another program was the card's master, and thus the only one that can draw.
  public var isHeld: Bool

  /// A survey of the given values.
  public init(
    path: String, links: [String] = [], driver: String, preferredDepth: Int = 24,
    connectors: [ConnectorSurvey], crtcs: [CRTCSurvey], planes: [PlaneSurvey],
    isAtomic: Bool = false, isHeld: Bool = false
  ) {
    self.path = path
    self.links = links
    self.driver = driver
    self.preferredDepth = preferredDepth
    self.connectors = connectors
    self.crtcs = crtcs
    self.planes = planes
    self.isAtomic = isAtomic
    self.isHeld = isHeld
  }

  /// Removes connectors that are no longer listed; a commit that names one fails (ENOENT).
  mutating func keep(connectors listed: [UInt32]) {
    connectors.removeAll { !listed.contains($0.id) }
  }

  /// Whether `name` is this card's node or a link to it, in full or only the last part.
  public func isNamed(_ name: String) -> Bool {
    ([path] + links).contains { $0.isPath(named: name) }
  }
}

/// A connector: a socket or a built-in panel.
public struct ConnectorSurvey: Sendable, Equatable {
  /// Whether a panel is connected. Built-in panels often report `unknown`.
  public enum Status: Sendable, Equatable {
    /// A panel is detected.
    case connected
    /// The driver cannot detect panels.
    case unknown
    /// Nothing is connected.
    case disconnected
  }

  /// The kernel's object number.
  public var id: UInt32
  /// For example `HDMI-A-1`, `DSI-1`, `SPI-1`.
  public var name: String
  /// Whether a panel is connected.
  public var status: Status
  /// A head-mounted display or the like (property `non-desktop`).
  public var isNonDesktop: Bool
  /// Whether link training failed (property `link-status`): the mode must be set again.
  public var hasBadLink: Bool
  /// The property `panel orientation`.
  public var orientation: PanelOrientation
  /// The visible area as the panel reports it.
  public var size: PhysicalSize?
  /// In the driver's order, the preferred one usually first.
  public var modes: [DisplayMode]
  /// Bit i is set if the card's CRTC i can drive it.
  public var possibleCRTCs: UInt32
  /// The CRTC that drives it now, or 0.
  public var litBy: UInt32
  /// The EDID's base block, which identifies the monitor; empty if there is none.
  public var edid: [UInt8]

  /// A survey of the given values.
  public init(
    id: UInt32, name: String, status: Status, isNonDesktop: Bool = false, hasBadLink: Bool = false,
    orientation: PanelOrientation = .normal, size: PhysicalSize? = nil, modes: [DisplayMode],
    possibleCRTCs: UInt32, litBy: UInt32 = 0, edid: [UInt8] = []
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.isNonDesktop = isNonDesktop
    self.hasBadLink = hasBadLink
    self.orientation = orientation
    self.size = size
    self.modes = modes
    self.possibleCRTCs = possibleCRTCs
    self.litBy = litBy
    self.edid = edid
  }
}

/// A CRTC: a scan-out engine of a card.
public struct CRTCSurvey: Sendable, Equatable {
  /// The kernel's object number.
  public var id: UInt32
  /// The mode that it shows now.
  public var mode: DisplayMode?

  /// A survey of the given values.
  public init(id: UInt32, mode: DisplayMode? = nil) {
    self.id = id
    self.mode = mode
  }
}

/// A plane: the source of a CRTC's pixels.
public struct PlaneSurvey: Sendable, Equatable {
  /// The property `type`.
  public enum Kind: UInt64, Sendable, Equatable {
    /// Above the primary plane.
    case overlay = 0
    /// The plane that covers the CRTC.
    case primary = 1
    /// The mouse pointer.
    case cursor = 2
  }

  /// The kernel's object number.
  public var id: UInt32
  /// The property `type`.
  public var kind: Kind
  /// Bit i is set if it can feed the card's CRTC i.
  public var possibleCRTCs: UInt32
  /// The CRTC that it feeds now, or 0.
  public var feeds: UInt32
  /// The fourccs that the driver lists.
  public var formats: [UInt32]
  /// Whether the driver takes damage (property `FB_DAMAGE_CLIPS`).
  public var takesDamage: Bool

  /// A survey of the given values.
  public init(
    id: UInt32, kind: Kind, possibleCRTCs: UInt32, feeds: UInt32 = 0, formats: [UInt32],
    takesDamage: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.possibleCRTCs = possibleCRTCs
    self.feeds = feeds
    self.formats = formats
    self.takesDamage = takesDamage
  }
}
