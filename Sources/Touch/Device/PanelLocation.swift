internal import CLinux
internal import Linux

/// Where the picture is shown, as far as it tells which of several touchscreens lies on it.
public struct PanelLocation: Sendable, Equatable {
  /// The connector's name as KMS has it, for example "HDMI-A-1".
  public var connector: String
  /// The visible glass, in millimetres.
  public var width: Float, height: Float

  /// A panel on a connector.
  public init(connector: String, width: Float, height: Float) {
    self.connector = connector
    (self.width, self.height) = (width, height)
  }

  /// How well a touchscreen fits: the greatest lies on the panel. Nil if it lies on another output.
  ///
  /// No interface of the kernel connects the two. What compositors go by decides, the strongest first:
  /// udev's WL_OUTPUT (Weston), the same size within 5 %, and whether both or neither are built in (Mutter).
  func fitness(of found: FoundDevice) -> Int? {
    if let output = found.properties["WL_OUTPUT"] {
      return output.isSame(as: connector) ? 4 : nil
    }
    let size = hasSize(of: found.description) ? 2 : 0
    guard let isBuiltIn, let isDeviceBuiltIn = Self.isBuiltIn(found) else { return size }
    return size + (isBuiltIn == isDeviceBuiltIn ? 1 : 0)
  }

  /// The places of `fitness` from the greatest to the least; equal ones keep their order.
  static func order(_ fitness: [Int]) -> [Int] {
    var places: [Int] = []
    for place in fitness.indices {
      let index = places.firstIndex { fitness[$0] < fitness[place] } ?? places.count
      places.insert(place, at: index)
    }
    return places
  }

  /// Millimetres that the device states, either way up; most state none.
  private func hasSize(of device: DeviceDescription) -> Bool {
    guard let size = device.physicalSize else { return false }
    func isClose(_ a: Float, _ b: Float) -> Bool { abs(a - b) <= 0.05 * b }
    return isClose(size.x, width) && isClose(size.y, height)
      || isClose(size.x, height) && isClose(size.y, width)
  }

  /// Whether the connector is soldered; nil of those that are neither.
  private var isBuiltIn: Bool? {
    func isOne(of kinds: [String]) -> Bool {
      kinds.contains { connector.utf8.starts(with: $0.utf8) }
    }
    if isOne(of: ["DSI-", "eDP-", "LVDS-", "DPI-"]) { return true }
    return isOne(of: ["HDMI-", "DP-", "DVI-", "VGA-"]) ? false : nil
  }

  private static func isBuiltIn(_ found: FoundDevice) -> Bool? {
    switch Int32(found.description.identity.bus) {
    case BUS_I2C, BUS_SPI, BUS_HOST, BUS_RMI: true
    case BUS_USB, BUS_BLUETOOTH: false
    default: nil
    }
  }
}
