internal import Linux

/// All cards with all they have, and which panel would be lit: for people. The daemon looks for itself.
public struct DisplaySurvey: Sendable {
  /// A card and what is known of it.
  public struct Card: Sendable {
    /// Its node.
    public let path: String
    /// The kernel driver.
    public let driver: String
    /// What `/sys` says.
    public let sysfs: SysfsCard
    /// What the driver says; nil where it was not asked.
    public let survey: CardSurvey?
    /// Why it has no part in the choice; nil if it has, or if nothing hangs on it.
    public let unused: UnusedCard?
    /// Programs that have it open, as far as `/proc` may be read.
    public let holders: [String]
  }

  /// In the order of their numbers.
  public let cards: [Card]
  /// What the daemon would choose, among the cards that could be asked.
  public let choice: PanelChoice

  /// Looks at `/sys`, and then opens each card on which something may hang, briefly: if it had no master
  /// we are it for a few milliseconds.
  public init(_ selector: OutputSelector = OutputSelector()) {
    self.init(selector, sysfs: "/sys/class/drm", devices: "/dev/dri")
  }

  init(_ selector: OutputSelector, sysfs: String, devices: String) {
    cards = SysfsCard.all(in: sysfs).map { Self.look($0, in: devices) }
    choice = PanelChoice(among: cards.compactMap { $0.survey }, selector: selector)
  }

  /// The pipeline to the panel that would be lit, if it is on this card.
  public func pipeline(on card: Card) -> Pipeline? {
    guard let pipeline = choice.pipeline else { return nil }
    let asked = cards.compactMap { $0.survey }
    return asked[pipeline.card].path.isSame(as: card.path) ? pipeline : nil
  }

  private static func look(_ sysfs: SysfsCard, in devices: String) -> Card {
    let path = "\(devices)/\(sysfs.name)"
    var survey: CardSurvey?
    var unused: UnusedCard?
    if sysfs.connectors.isEmpty {
      unused = .renderOnly
    } else if sysfs.connectors.contains(where: { $0.status != .disconnected }) {
      do throws(UnusedCard) { survey = try ask(path) } catch { unused = error }
    }
    return Card(
      path: path, driver: survey?.driver ?? sysfs.driver, sysfs: sysfs, survey: survey,
      unused: unused, holders: CardHolders.names(of: path))
  }

  private static func ask(_ path: String) throws(UnusedCard) -> CardSurvey {
    let card: Display.Card
    do throws(DisplayError) { card = try Display.Card(opening: path) } catch {
      throw .failed(error)
    }
    return try card.survey()
  }
}
