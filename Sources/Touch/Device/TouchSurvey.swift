internal import Linux

/// All event devices, and which of them would draw. Opens each for a moment, without a grab.
public struct TouchSurvey: Sendable {
  /// One node.
  public struct Entry: Sendable {
    /// The node, for example "/dev/input/event5".
    public let path: String
    /// The device's kernel name.
    public let name: String
    /// The links in `by-path` and `by-id`.
    public let links: [String]
    /// The device; nil if it could not be opened.
    public let device: FoundDevice?
    /// The device's kind; nil if it is not suitable.
    public let kind: DeviceKind?
    /// Why the device would not draw; nil if it would.
    public internal(set) var unused: String?
  }

  /// The nodes in the order of their numbers.
  public private(set) var entries: [Entry]

  /// Surveys all nodes.
  ///
  /// - Parameter panel: The panel with the picture; nil prefers the touchscreen with the lowest number.
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
        kind: nil, unused: "open failed: \(error.errno.text)")
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
