internal import Linux

/// All event devices, which of them would draw, and why not the others. Each is opened for a moment and
/// not grabbed.
public struct TouchSurvey: Sendable {
  /// One node.
  public struct Entry: Sendable {
    /// For example "/dev/input/event5".
    public let path: String
    /// What the kernel calls the device.
    public let name: String
    /// Links in `by-path` and `by-id`.
    public let links: [String]
    /// What the device says of itself; nil where it could not be opened.
    public let device: FoundDevice?
    /// What it is to a pad; nil where it is nothing.
    public let kind: DeviceKind?
    /// Why it would not draw; nil if it would.
    public internal(set) var unused: String?
  }

  /// In the order of their numbers.
  public private(set) var entries: [Entry]

  /// Looks at all nodes, for what `choice` would take.
  ///
  /// - Parameter panel: Where the picture is shown; nil: the touchscreen with the lowest number draws.
  public init(_ choice: DeviceChoice = .automatic, on panel: PanelLocation? = nil) {
    entries = EventNodes.paths().map { TouchSurvey.entry($0, choice, on: panel) }
    guard case .automatic = choice else { return }
    let kinds = entries.compactMap { $0.unused == nil ? $0.kind : nil }
    var drawing: [DeviceKind] = []
    let fitness = entries.map { entry in entry.device.flatMap { panel?.fitness(of: $0) } ?? 0 }
    for index in PanelLocation.order(fitness) where entries[index].unused == nil {
      guard let kind = entries[index].kind else { continue }
      entries[index].unused = kind.rejection(beside: drawing, others: kinds)
      if entries[index].unused == nil { drawing.append(kind) }
    }
  }

  private static func entry(
    _ path: String, _ choice: DeviceChoice, on panel: PanelLocation?
  ) -> Entry {
    let links = EventNodes.links(to: path)
    let device: EventDevice
    do throws(SystemError) { device = try EventDevice(opening: path) } catch {
      return Entry(
        path: path, name: EventNodes.attribute("name", of: path) ?? "", links: links, device: nil,
        kind: nil, unused: "it cannot be opened: \(error.errno.text)")
    }
    let found = FoundDevice(
      path: path, description: device.description, properties: EventNodes.properties(of: path))
    let (kind, reason): (DeviceKind?, String?) =
      switch choice.judge(found, on: panel) {
      case .suitable(let kind): (kind, nil)
      case .unsuitable(let reason): (nil, reason)
      }
    return Entry(
      path: path, name: found.description.name, links: links, device: found, kind: kind,
      unused: reason)
  }
}

extension DeviceChoice {
  /// What a device is where this was chosen.
  func judge(_ found: FoundDevice, on panel: PanelLocation? = nil) -> DeviceSuitability {
    if case .automatic = self {
      if let panel, panel.fitness(of: found) == nil {
        return .unsuitable(reason: "it lies on another output (WL_OUTPUT)")
      }
      return DeviceSuitability(found.description, found.properties)
    }
    guard names(found) else { return .unsuitable(reason: "it is not the one that is configured") }
    if let reason = DeviceSuitability.hindrance(found.description) {
      return .unsuitable(reason: reason)
    }
    return .suitable(DeviceSuitability.kind(found.description))
  }
}
