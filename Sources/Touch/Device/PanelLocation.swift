internal import CLinux
internal import Linux

/// The panel with the picture, for finding the touchscreen that lies on it.
public struct PanelLocation: Sendable, Equatable {
  /// The connector's KMS name, for example "HDMI-A-1".
  public var connector: String
  /// Millimetres of the visible glass.
  public var width: Float, height: Float

  /// A panel on a connector.
  public init(connector: String, width: Float, height: Float) {
    self.connector = connector
    (self.width, self.height) = (width, height)
  }

  /// How well a touchscreen fits; nil if it belongs to another output. The greatest lies on the panel.
  ///
  /// No interface of the kernel connects the two. The criteria are those of compositors, the strongest first:
  /// udev's WL_OUTPUT (Weston), the same size within 5 %, and whether both or neither are built in (Mutter).
  func fitness(of found: FoundDevice) -> Int? {
    if let output = found.properties["WL_OUTPUT"] {
      return output.isSame(as: connector) ? 4 : nil
    }
    let size = hasSize(of: found.description) ? 2 : 0
    guard let isBuiltIn, let isDeviceBuiltIn = Self.isBuiltIn(found) else { return size }
    return size + (isBuiltIn == isDeviceBuiltIn ? 1 : 0)
  }

  /// The indices of `fitness` from the greatest to the least; equal ones keep their order.
  static func order(_ fitness: [Int]) -> [Int] {
    fitness.indices.sorted { (-fitness[$0], $0) < (-fitness[$1], $1) }
  }

  /// Whether the device states this size, in either orientation. Most state none.
  private func hasSize(of device: DeviceDescription) -> Bool {
    guard let size = device.physicalSize else { return false }
    func isClose(_ a: Float, _ b: Float) -> Bool { abs(a - b) <= 0.05 * b }
    return isClose(size.x, width) && isClose(size.y, height)
      || isClose(size.x, height) && isClose(size.y, width)
  }

  /// Whether the connector is built in; nil if unknown.
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
