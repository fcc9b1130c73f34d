internal import Linux
public import Raster

/// What the configuration asks of the panel. Everything may be left open.
public struct OutputSelector: Sendable, Equatable {
  /// The card's node, or its name below `/dev/dri/by-path`.
  public var card: String?
  /// The connector, for example `DSI-1`.
  public var connector: String?
  /// The mode.
  public var mode: ModeRequest?
  /// The pixel format.
  public var format: PixelFormat?

  /// Nothing asked, unless said.
  public init(
    card: String? = nil, connector: String? = nil, mode: ModeRequest? = nil,
    format: PixelFormat? = nil
  ) {
    self.card = card
    self.connector = connector
    self.mode = mode
    self.format = format
  }
}

/// The way of the pixels: which plane of which CRTC feeds which connector, in which mode and format.
public struct Pipeline: Sendable, Equatable {
  /// Place of the card in the surveys that were chosen from.
  public var card: Int
  /// The connector as surveyed.
  public var connector: ConnectorSurvey
  /// The CRTC's object number.
  public var crtc: UInt32
  /// Its place in the card's list, which is its pipe.
  public var pipe: Int
  /// The primary plane's object number; nil on a card without universal planes.
  public var plane: UInt32?
  /// The mode to set.
  public var mode: DisplayMode
  /// The format of the buffers.
  public var format: PixelFormat
}

/// Why a connector is not the panel.
public struct UnusedConnector: Sendable, Equatable {
  /// What is in its way.
  public enum Reason: Sendable, Equatable {
    /// Nothing hangs on it.
    case disconnected
    /// The configuration names another card.
    case otherCard
    /// The configuration names another connector.
    case otherConnector
    /// Head-mounted or the like.
    case nonDesktop
    /// The driver lists no mode.
    case noModes
    /// None has the size and rate that the configuration asks for.
    case noSuchMode
    /// No CRTC of the card can drive it.
    case noCRTC
    /// No primary plane takes a format that we can draw.
    case noFormat
    /// It would do; another was preferred.
    case another
  }

  /// The card's node.
  public var card: String
  /// The connector's name.
  public var connector: String
  /// What is in its way.
  public var reason: Reason
}

/// The choice of a panel among all cards.
public struct PanelChoice: Sendable, Equatable {
  /// The best, if there is any.
  public let pipeline: Pipeline?
  /// All others, in the order of the surveys.
  public let unused: [UnusedConnector]

  private enum Fit {
    case pipeline(Pipeline)
    case unfit(UnusedConnector.Reason)
  }

  /// Takes what the configuration names; else connected before unknown, lit before dark, and then
  /// the first.
  public init(among cards: [CardSurvey], selector: OutputSelector) {
    var fits: [(card: String, connector: String, fit: Fit)] = []
    var best: (place: Int, rank: Int, pipeline: Pipeline)?
    for (index, card) in cards.enumerated() {
      for connector in card.connectors {
        let fit = Self.fit(connector, of: card, at: index, selector)
        let rank = Self.rank(connector)
        if case .pipeline(let pipeline) = fit, best.map({ rank < $0.rank }) ?? true {
          best = (fits.count, rank, pipeline)
        }
        fits.append((card.path, connector.name, fit))
      }
    }
    pipeline = best?.pipeline
    unused = fits.enumerated().compactMap { place, found in
      switch found.fit {
      case .unfit(let reason):
        UnusedConnector(card: found.card, connector: found.connector, reason: reason)
      case .pipeline:
        place == best?.place
          ? nil
          : UnusedConnector(card: found.card, connector: found.connector, reason: .another)
      }
    }
  }

  private static func rank(_ connector: ConnectorSurvey) -> Int {
    (connector.status == .connected ? 0 : 2) + (connector.litBy != 0 ? 0 : 1)
  }

  private static func fit(
    _ connector: ConnectorSurvey, of card: CardSurvey, at index: Int, _ selector: OutputSelector
  ) -> Fit {
    if let name = selector.card, !card.isNamed(name) { return .unfit(.otherCard) }
    if let name = selector.connector, !connector.name.isSame(as: name) {
      return .unfit(.otherConnector)
    }
    if connector.isNonDesktop { return .unfit(.nonDesktop) }
    if connector.status == .disconnected { return .unfit(.disconnected) }
    if connector.modes.isEmpty { return .unfit(.noModes) }
    guard let pipe = pipe(for: connector, of: card) else { return .unfit(.noCRTC) }
    let crtc = card.crtcs[pipe]
    guard let mode = mode(for: connector, on: crtc, selector.mode) else {
      return .unfit(.noSuchMode)
    }
    guard let (plane, format) = plane(for: pipe, of: card, selector.format) else {
      return .unfit(.noFormat)
    }
    return .pipeline(
      Pipeline(
        card: index, connector: connector, crtc: crtc.id, pipe: pipe, plane: plane?.id, mode: mode,
        format: format))
  }

  /// The CRTC that lights the connector is kept, so that nothing flashes; else one that lights
  /// nothing; else the first that can.
  private static func pipe(for connector: ConnectorSurvey, of card: CardSurvey) -> Int? {
    let possible = card.crtcs.indices.filter {
      $0 < 32 && connector.possibleCRTCs & (1 << UInt32($0)) != 0
    }
    if let lit = possible.first(where: { card.crtcs[$0].id == connector.litBy }) { return lit }
    let free = possible.first { pipe in
      !card.connectors.contains { $0.litBy == card.crtcs[pipe].id }
    }
    return free ?? possible.first
  }

  /// The configured mode; else the preferred one, the one shown now, the first.
  private static func mode(
    for connector: ConnectorSurvey, on crtc: CRTCSurvey, _ request: ModeRequest?
  ) -> DisplayMode? {
    if let request { return request.choose(from: connector.modes) }
    if let preferred = connector.modes.first(where: { $0.isPreferred }) { return preferred }
    if connector.litBy == crtc.id, let now = crtc.mode,
      let same = connector.modes.first(where: { $0.isShown(as: now) })
    {
      return same
    }
    return connector.modes.first
  }

  /// A primary plane that feeds this CRTC already, or is free, and takes the format: the configured
  /// one, else the best of those that can be drawn. Without universal planes no list of
  /// formats exists, and the buffer's creation has the last word.
  private static func plane(
    for pipe: Int, of card: CardSurvey, _ wanted: PixelFormat?
  ) -> (PlaneSurvey?, PixelFormat)? {
    let formats = wanted.map { [$0] } ?? PixelFormat.preferred(depth: card.preferredDepth)
    if card.planes.isEmpty { return (nil, formats[0]) }
    let usable = card.planes.filter {
      $0.kind == .primary && $0.possibleCRTCs & (1 << UInt32(pipe)) != 0
    }
    let crtc = card.crtcs[pipe].id
    let inOrder =
      usable.filter { $0.feeds == crtc } + usable.filter { $0.feeds == 0 }
      + usable.filter { $0.feeds != 0 && $0.feeds != crtc }
    for format in formats {
      if let plane = inOrder.first(where: { $0.formats.contains(format.fourcc) }) {
        return (plane, format)
      }
    }
    return nil
  }
}
