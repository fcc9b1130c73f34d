internal import Linux
public import Raster

/// The configuration's requirements for the panel; each is optional.
public struct OutputSelector: Sendable, Equatable {
  /// The card's node or its name below `/dev/dri/by-path`.
  public var card: String?
  /// The connector, for example `DSI-1`.
  public var connector: String?
  /// The mode.
  public var mode: ModeRequest?
  /// The pixel format.
  public var format: PixelFormat?

  /// No requirement unless one is given.
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

/// A display pipeline: plane, CRTC and connector with mode and format.
public struct Pipeline: Sendable, Equatable {
  /// The card's index in the surveys.
  public var card: Int
  /// The connector.
  public var connector: ConnectorSurvey
  /// The CRTC's object number.
  public var crtc: UInt32
  /// The CRTC's index in the card's list.
  public var pipe: Int
  /// The primary plane's object number; nil if the card has no universal planes.
  public var plane: UInt32?
  /// The mode to set.
  public var mode: DisplayMode
  /// The format of the buffers.
  public var format: PixelFormat
}

/// A connector that was not chosen, with the reason.
public struct UnusedConnector: Sendable, Equatable {
  /// Why it was not chosen.
  public enum Reason: Sendable, Equatable {
    /// Nothing is connected.
    case disconnected
    /// The configuration names another card.
    case otherCard
    /// The configuration names another connector.
    case otherConnector
    /// A head-mounted display or similar.
    case nonDesktop
    /// The driver lists no modes.
    case noModes
    /// No mode has the configured size and rate.
    case noSuchMode
    /// No CRTC of the card can drive it.
    case noCRTC
    /// No primary plane takes a supported format.
    case noFormat
    /// It is usable, but another is preferred.
    case another
  }

  /// The card's node.
  public var card: String
  /// The connector's name.
  public var connector: String
  /// Why it was not chosen.
  public var reason: Reason
}

/// The choice of a panel among all cards.
public struct PanelChoice: Sendable, Equatable {
  /// The best pipeline, if any.
  public let pipeline: Pipeline?
  /// The other connectors in the order of the surveys.
  public let unused: [UnusedConnector]

  private enum Fit {
    case pipeline(Pipeline)
    case unfit(UnusedConnector.Reason)
  }

  /// Prefers connected connectors to unknown ones, then those that are in use, then the first.
  public init(among cards: [CardSurvey], selector: OutputSelector) {
    var fits: [(card: String, connector: String, fit: Fit)] = []
    var best: (index: Int, rank: Int, pipeline: Pipeline)?
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
    unused = fits.enumerated().compactMap { index, found in
      switch found.fit {
      case .unfit(let reason):
        UnusedConnector(card: found.card, connector: found.connector, reason: reason)
      case .pipeline:
        index == best?.index
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

  /// Prefers the connector's present CRTC, which avoids a flash, then an unused one, then the first possible.
  private static func pipe(for connector: ConnectorSurvey, of card: CardSurvey) -> Int? {
    let possible = card.crtcs.indices.filter {
      $0 < 32 && connector.possibleCRTCs & (1 << UInt32($0)) != 0
    }
    if let present = possible.first(where: { card.crtcs[$0].id == connector.litBy }) {
      return present
    }
    let free = possible.first { pipe in
      !card.connectors.contains { $0.litBy == card.crtcs[pipe].id }
    }
    return free ?? possible.first
  }

  /// The configured mode; else the preferred, the present or the first one.
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

  /// A primary plane and the best format that it takes.
  ///
  /// Prefers a plane that feeds the CRTC already, then a free one. A card without universal planes lists no
  /// formats; the buffer's creation fails if it cannot take the format.
  private static func plane(
    for pipe: Int, of card: CardSurvey, _ wanted: PixelFormat?
  ) -> (PlaneSurvey?, PixelFormat)? {
    let formats = wanted.map { [$0] } ?? PixelFormat.preferred(depth: card.preferredDepth)
    if card.planes.isEmpty { return (nil, formats[0]) }
    let primary = card.planes.filter {
      $0.kind == .primary && $0.possibleCRTCs & (1 << UInt32(pipe)) != 0
    }
    let crtc = card.crtcs[pipe].id
    let ordered =
      primary.filter { $0.feeds == crtc } + primary.filter { $0.feeds == 0 }
      + primary.filter { $0.feeds != 0 && $0.feeds != crtc }
    for format in formats {
      if let plane = ordered.first(where: { $0.formats.contains(format.fourcc) }) {
        return (plane, format)
      }
    }
    return nil
  }
}

/// The chosen pipeline with its open card.
///
/// All other cards are closed again, and no longer have this process as their master.
struct OpenedPipeline {
  /// The card, open.
  let card: Card
  /// The card's survey.
  let survey: CardSurvey
  /// The chosen pipeline on the card.
  let pipeline: Pipeline

  /// Surveys all cards and opens the choice.
  ///
  /// - Throws: `noPanel` if no connector fits; if no card can be surveyed, the last card's error or `noCard`.
  init(_ selector: OutputSelector, in folder: String = "/dev/dri") throws(DisplayError) {
    var cards: [Card] = []
    var surveys: [CardSurvey] = []
    var failure: DisplayError?
    for path in Card.nodes(in: folder) {
      do throws(DisplayError) {
        let card = try Card(opening: path)
        do throws(UnusedCard) {
          surveys.append(try SurveyReader(card).read())
          cards.append(card)
        } catch {
          if case .failed(let reason) = error { failure = reason }
        }
      } catch {
        failure = error
      }
    }
    if surveys.isEmpty { throw failure ?? .noCard }
    let choice = PanelChoice(among: surveys, selector: selector)
    guard let pipeline = choice.pipeline else { throw .noPanel(choice.unused) }
    self.pipeline = pipeline
    survey = surveys[pipeline.card]
    card = cards[pipeline.card]
  }
}
