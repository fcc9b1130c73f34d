internal import Linux

/// What a card offers, as plain values: everything that the choice of a panel looks at.
public struct CardSurvey: Sendable, Equatable {
  /// Its node, for example `/dev/dri/card0`.
  public var path: String
  /// Other names of the node below `/dev/dri/by-path`.
  public var links: [String]
  /// The kernel driver, for example `vc4`.
  public var driver: String
  /// The depth the driver would rather have (DRM_CAP_DUMB_PREFERRED_DEPTH); 16 on most SPI panels.
  public var preferredDepth: Int
  /// In the order of GETRESOURCES.
  public var connectors: [ConnectorSurvey]
  /// In the order of GETRESOURCES: the masks of `possibleCRTCs` count in it.
  public var crtcs: [CRTCSurvey]
  /// Empty where the driver has no universal planes: then there is no atomic commit either.
  public var planes: [PlaneSurvey]
  /// Whether states are committed as a whole (DRM_CLIENT_CAP_ATOMIC).
  public var isAtomic: Bool
  /// Whether another program was the card's master when it was asked: only that one can draw.
  public var isHeld: Bool

  /// A card with what it has.
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

  /// Removes the connectors that are not listed any more: a commit that names one is refused (ENOENT).
  mutating func keep(connectors listed: [UInt32]) {
    connectors.removeAll { !listed.contains($0.id) }
  }

  /// Whether the configuration's `card` means this one: its node or a name by path, whole or only
  /// the last part.
  public func isNamed(_ name: String) -> Bool {
    ([path] + links).contains { $0.isPath(named: name) }
  }
}

/// A connector: a socket, or a soldered panel.
public struct ConnectorSurvey: Sendable, Equatable {
  /// Whether something hangs on it. Embedded panels often say `unknown`.
  public enum Status: Sendable, Equatable {
    /// A panel answers.
    case connected
    /// The driver cannot tell.
    case unknown
    /// Nothing there.
    case disconnected
  }

  /// The kernel's object number.
  public var id: UInt32
  /// For example `HDMI-A-1`, `DSI-1`, `SPI-1`.
  public var name: String
  /// Whether something hangs on it.
  public var status: Status
  /// A head-mounted display or the like (property `non-desktop`).
  public var isNonDesktop: Bool
  /// The link failed to train (property `link-status`): the mode must be set again.
  public var hasBadLink: Bool
  /// The property `panel orientation`.
  public var orientation: PanelOrientation
  /// The size of the visible area as the panel tells it.
  public var size: PhysicalSize?
  /// In the driver's order, the preferred one usually first.
  public var modes: [DisplayMode]
  /// Bit i: the card's CRTC i can drive it.
  public var possibleCRTCs: UInt32
  /// The CRTC that lights it now, or 0.
  public var litBy: UInt32
  /// The base block of its EDID, which tells one monitor from another; empty where it has none.
  public var edid: [UInt8]

  /// A connector as found.
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

/// A scan-out engine of a card.
public struct CRTCSurvey: Sendable, Equatable {
  /// The kernel's object number.
  public var id: UInt32
  /// What it shows now.
  public var mode: DisplayMode?

  /// A CRTC as found.
  public init(id: UInt32, mode: DisplayMode? = nil) {
    self.id = id
    self.mode = mode
  }
}

/// A plane of a card: what a CRTC takes pixels from.
public struct PlaneSurvey: Sendable, Equatable {
  /// The property `type`.
  public enum Kind: UInt64, Sendable, Equatable {
    /// On top of the primary one.
    case overlay = 0
    /// The one that covers the CRTC.
    case primary = 1
    /// The mouse pointer's.
    case cursor = 2
  }

  /// The kernel's object number.
  public var id: UInt32
  /// The property `type`.
  public var kind: Kind
  /// Bit i: the card's CRTC i can take from it.
  public var possibleCRTCs: UInt32
  /// The CRTC that it feeds now, or 0.
  public var feeds: UInt32
  /// Fourccs, as the driver lists them.
  public var formats: [UInt32]
  /// Whether the driver can be told what changed (property `FB_DAMAGE_CLIPS`).
  public var takesDamage: Bool

  /// A plane as found.
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

extension String {
  /// Whether this path is `name`, or ends in it after a slash.
  func isPath(named name: String) -> Bool {
    if isSame(as: name) { return true }
    let (path, tail) = (Array(utf8), Array(name.utf8))
    return !tail.isEmpty && path.count > tail.count && path.suffix(tail.count).elementsEqual(tail)
      && path[path.count - tail.count - 1] == UInt8(ascii: "/")
  }
}
