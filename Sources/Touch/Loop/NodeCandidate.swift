internal import CLinux
internal import Linux

/// A node that can be opened and is one of those that shall draw.
struct NodeCandidate: ~Copyable {
  let found: FoundDevice
  let kind: DeviceKind
  let fitness: Int
  private let device: EventDevice

  /// Looks at a node; nil if it is none, and then `report` says why.
  init?(
    _ path: String, _ choice: DeviceChoice, on panel: PanelLocation?, _ report: inout ScanReport
  ) {
    // Most nodes are keys and switches: sysfs tells without opening them.
    if let axes = EventNodes.attribute("capabilities/abs", of: path), axes.isSame(as: "0") {
      return nil
    }
    let device: EventDevice
    do throws(SystemError) { device = try EventDevice(opening: path) } catch {
      report.addRefused("\(path) (\(EventNodes.attribute("name", of: path) ?? ""))", error.errno)
      return nil
    }
    let found = FoundDevice(
      path: path, description: device.description, properties: EventNodes.properties(of: path))
    switch choice.judge(found, on: panel) {
    case .suitable(let kind):
      fitness = panel?.fitness(of: found) ?? 0
      self.found = found
      self.kind = kind
      self.device = device
    case .unsuitable(let reason):
      report.add(path, found.description.name, reason)
      return nil
    }
  }

  consuming func takeDevice() -> EventDevice { device }
}

/// Why nothing draws.
struct ScanReport {
  /// What a later scan may find gone.
  private(set) var obstacle = ScanSchedule.Obstacle.none
  private var reasons: [String] = []

  mutating func add(_ path: String, _ name: String, _ reason: String) {
    reasons.append("\(path) (\(name)): \(reason)")
  }

  /// A device that could not be opened or grabbed.
  mutating func addRefused(_ label: String, _ error: Errno) {
    if error.rawValue == EBUSY {
      obstacle = .busy
    } else if obstacle == .none && error.rawValue != ENOENT {
      obstacle = .refused
    }
    let reason = error.rawValue == EBUSY ? "another program has grabbed it" : error.text
    reasons.append("\(label): \(reason)")
  }

  /// One line.
  var text: String {
    if reasons.isEmpty { return "device: no touchscreen is there" }
    var text = "device: no touchscreen that can be used"
    for (index, reason) in reasons.enumerated() { text += (index == 0 ? ": " : "; ") + reason }
    return text
  }
}
