internal import Linux

/// A card as `/sys/class/drm` describes it, without opening anything: nobody becomes master by it.
public struct SysfsCard: Sendable, Equatable {
  /// For example `card0`.
  public let name: String
  /// The kernel driver of its device, for example `vc4-drm`; empty where it has none.
  public let driver: String
  /// Its connectors, in byte order of their names.
  public let connectors: [SysfsConnector]

  /// All cards below `folder`, in the order of their numbers.
  static func all(in folder: String = "/sys/class/drm") -> [SysfsCard] {
    let names = (try? Folder.names(of: folder)) ?? []
    let cards = names.compactMap { CardNodes.number($0) }.sorted().map { "card\($0)" }
    return cards.map { card in
      let driver = Folder.target(ofLink: "\(folder)/\(card)/device/driver")
      let prefix = Array("\(card)-".utf8)
      let connectors = names.filter { Array($0.utf8).starts(with: prefix) }
      return SysfsCard(
        name: card, driver: driver?.lastPathComponent ?? "",
        connectors: connectors.map { SysfsConnector(folder, $0, dropping: prefix.count) })
    }
  }
}

/// A connector in `/sys/class/drm`.
public struct SysfsConnector: Sendable, Equatable {
  /// For example `HDMI-A-1`.
  public let name: String
  /// Whether something hangs on it, as last looked.
  public let status: ConnectorSurvey.Status
  /// Visible sizes, for example `1280x800`; sysfs knows no rates.
  public let modes: [String]
  /// What the panel says about itself, if anything.
  public let edid: EDID?

  fileprivate init(_ folder: String, _ entry: String, dropping prefix: Int) {
    let path = "\(folder)/\(entry)"
    name = String(decoding: Array(entry.utf8).dropFirst(prefix), as: UTF8.self)
    status = Self.status(Folder.line(of: "\(path)/status"))
    let lines = Folder.content(of: "\(path)/modes") ?? []
    modes = lines.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    edid = EDID(Folder.content(of: "\(path)/edid", limit: 65536) ?? [])
  }

  private static func status(_ line: String?) -> ConnectorSurvey.Status {
    guard let line else { return .unknown }
    if line.isSame(as: "connected") { return .connected }
    return line.isSame(as: "disconnected") ? .disconnected : .unknown
  }
}

extension String {
  var lastPathComponent: String {
    let bytes = Array(utf8)
    let slash = UInt8(ascii: "/")
    guard let last = bytes.lastIndex(of: slash) else { return self }
    return String(decoding: bytes[(last + 1)...], as: UTF8.self)
  }
}
