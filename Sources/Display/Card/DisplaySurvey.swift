internal import Linux

/// All cards, and the panel that the pad would use: for `paraph devices` and `paraph doctor`.
public struct DisplaySurvey: Sendable {
  /// One card.
  public struct Card: Sendable {
    /// The device node.
    public let path: String
    /// The kernel driver.
    public let driver: String
    /// The card in `/sys`.
    public let sysfs: SysfsCard
    /// The driver's own description; nil if the card was not opened.
    public let survey: CardSurvey?
    /// Why the card cannot be used; nil if it can, or if nothing is connected.
    public let unused: UnusedCard?
    /// Programs that have the card open, as far as `/proc` is readable.
    public let holders: [String]
  }

  /// The cards by number.
  public let cards: [Card]
  /// The daemon's choice among the cards that were opened.
  public let choice: PanelChoice

  /// Reads `/sys`, and opens each card that may have something connected.
  ///
  /// Opening a card without a master makes this process its master for a few milliseconds.
  public init(_ selector: OutputSelector = OutputSelector()) {
    self.init(selector, sysfs: "/sys/class/drm", devices: "/dev/dri")
  }

  init(_ selector: OutputSelector, sysfs: String, devices: String) {
    cards = SysfsCard.all(in: sysfs).map { Self.read($0, in: devices) }
    choice = PanelChoice(among: cards.compactMap { $0.survey }, selector: selector)
  }

  /// The chosen pipeline, if it is on this card.
  public func pipeline(on card: Card) -> Pipeline? {
    guard let pipeline = choice.pipeline else { return nil }
    let opened = cards.compactMap { $0.survey }
    return opened[pipeline.card].path.isSame(as: card.path) ? pipeline : nil
  }

  private static func read(_ sysfs: SysfsCard, in devices: String) -> Card {
    let path = "\(devices)/\(sysfs.name)"
    var survey: CardSurvey?
    var unused: UnusedCard?
    if sysfs.connectors.isEmpty {
      unused = .renderOnly
    } else if sysfs.connectors.contains(where: { $0.status != .disconnected }) {
      do throws(UnusedCard) { survey = try open(path) } catch { unused = error }
    }
    return Card(
      path: path, driver: survey?.driver ?? sysfs.driver, sysfs: sysfs, survey: survey,
      unused: unused, holders: Display.Card.holders(of: path))
  }

  private static func open(_ path: String) throws(UnusedCard) -> CardSurvey {
    let card: Display.Card
    do throws(DisplayError) { card = try Display.Card(opening: path) } catch {
      throw .failed(error)
    }
    return try SurveyReader(card).read()
  }
}

/// A card in `/sys/class/drm`, read without opening the device.
public struct SysfsCard: Sendable, Equatable {
  /// For example `card0`.
  public let name: String
  /// The device's kernel driver, for example `vc4-drm`; empty if it has none.
  public let driver: String
  /// The connectors in byte order of their names.
  public let connectors: [SysfsConnector]

  /// All cards below a folder, by number.
  static func all(in folder: String = "/sys/class/drm") -> [SysfsCard] {
    let names = (try? Folder.names(of: folder)) ?? []
    let cards = names.compactMap { Display.Card.number($0) }.sorted().map { "card\($0)" }
    return cards.map { card in
      let driver = Folder.target(ofLink: "\(folder)/\(card)/device/driver")
      let prefix = "\(card)-"
      let connectors = names.filter { $0.utf8.starts(with: prefix.utf8) }
      return SysfsCard(
        name: card, driver: driver?.lastPathComponent ?? "",
        connectors: connectors.map { SysfsConnector(folder, $0, dropping: prefix.utf8.count) })
    }
  }
}

/// A connector in `/sys/class/drm`.
public struct SysfsConnector: Sendable, Equatable {
  /// For example `HDMI-A-1`.
  public let name: String
  /// The status at the last probe.
  public let status: ConnectorSurvey.Status
  /// Visible sizes, for example `1280x800`; sysfs has no rates.
  public let modes: [String]
  /// The panel's EDID, if it has one.
  public let edid: EDID?

  fileprivate init(_ folder: String, _ entry: String, dropping prefix: Int) {
    let path = "\(folder)/\(entry)"
    name = String(Substring(entry.utf8.dropFirst(prefix)))
    status = Self.status(Folder.line(of: "\(path)/status"))
    let lines = Folder.content(of: "\(path)/modes") ?? []
    modes = lines.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    edid = EDID(Folder.content(of: "\(path)/edid", limit: 65536) ?? [])
  }

  private static func status(_ line: String?) -> ConnectorSurvey.Status {
    guard let line else { return .unknown }
    if line.isSame(as: "connected") { return .connected }
    return line.isSame(as: "disconnected") ? .disconnected : .unknown
  }
}
