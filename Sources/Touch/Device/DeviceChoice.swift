internal import CLinux
internal import Linux

/// Which devices draw.
public enum DeviceChoice: Sendable, Equatable {
  /// Every pen on a screen, and the touchscreen that fits the panel best; without either, an absolute pointer.
  case automatic
  /// A node, or a link to one, such as those in `/dev/input/by-path`.
  case path(String)
  /// Devices with this kernel name.
  case name(String)
  /// Devices with this value of a udev property.
  case property(String, String)

  /// Judges a device for this choice.
  func judge(_ found: FoundDevice, on panel: PanelLocation? = nil) -> DeviceSuitability {
    if case .automatic = self {
      if let panel, panel.fitness(of: found) == nil {
        return .unsuitable(reason: "assigned to another output (WL_OUTPUT)")
      }
      return DeviceSuitability(found.description, found.properties)
    }
    guard names(found) else { return .unsuitable(reason: "not the configured device") }
    if let reason = DeviceSuitability.incompatibility(of: found.description) {
      return .unsuitable(reason: reason)
    }
    return .suitable(DeviceKind(found.description))
  }

  private func names(_ found: FoundDevice) -> Bool {
    switch self {
    case .automatic: false
    case .path(let path): found.path.isSame(as: path) || found.isReached(by: path)
    case .name(let name): found.description.name.isSame(as: name)
    case .property(let name, let value): found.properties[name]?.isSame(as: value) ?? false
    }
  }
}

/// The kinds of devices that can draw.
public enum DeviceKind: Sendable, Equatable {
  /// A screen for fingers.
  case touchscreen
  /// A pen on a screen.
  case pen
  /// An absolute pointer: a virtual machine's console, or an old point-of-sale screen that reports as a mouse.
  case pointer

  init(_ device: DeviceDescription) {
    let reported = DeviceProtocol(device)
    if reported.multitouch != .none {
      self = .touchscreen
    } else if DeviceProtocol.penTools.contains(where: device.hasKey) || device.hasKey(BTN_STYLUS) {
      self = .pen
    } else {
      self = reported.point == .leftButton ? .pointer : .touchscreen
    }
  }

  /// Why a device of this kind does not draw by `DeviceChoice.automatic`; nil if it does.
  ///
  /// - Parameters:
  ///   - drawing: The kinds that draw already.
  ///   - others: The kinds that could draw.
  func rejection(beside drawing: [DeviceKind], others: [DeviceKind]) -> String? {
    switch self {
    case .pen: nil
    case .touchscreen: drawing.contains(.touchscreen) ? "another touchscreen is used" : nil
    case .pointer:
      drawing.isEmpty && others.allSatisfy { $0 == .pointer }
        ? nil : "pointers draw only without a touchscreen"
    }
  }
}

/// Whether a device is suitable for signing.
public enum DeviceSuitability: Sendable, Equatable {
  /// The device is suitable.
  case suitable(DeviceKind)
  /// The device is not suitable.
  case unsuitable(reason: String)

  /// Judges a device by its description and the properties of udev's rules.
  public init(_ device: DeviceDescription, _ properties: UdevProperties = UdevProperties()) {
    if let reason = DeviceSuitability.incompatibility(of: device)
      ?? DeviceSuitability.objection(to: device, properties)
    {
      self = .unsuitable(reason: reason)
    } else {
      self = .suitable(DeviceKind(device))
    }
  }

  /// Why a device cannot be used even if the configuration names it; nil if it can.
  public static func incompatibility(of device: DeviceDescription) -> String? {
    let reported = DeviceProtocol(device)
    if !device.hasAxis(reported.axisX) && !device.hasAxis(reported.axisY) {
      if device.codes(of: EV_ABS).isEmpty { return "no position axes" }
      return device.hasAxis(ABS_Z) && device.hasAxis(ABS_RX)
        ? "reports on ABS_Z and ABS_RX, not on ABS_X and ABS_Y" : "no ABS_X and ABS_Y"
    }
    if !device.hasAxis(reported.axisX) || !device.hasAxis(reported.axisY) {
      return "only one of the axes X and Y"
    }
    for axis in [reported.axisX, reported.axisY] {
      guard let range = device.range(of: axis) else { continue }
      if range.minimum >= range.maximum { return "axes without a range" }
    }
    return reported.hasContacts
      ? nil : "does not report touches: neither BTN_TOUCH, BTN_LEFT nor ABS_PRESSURE"
  }

  /// Why a device is not used unless the configuration names it; nil if it is.
  private static func objection(
    to device: DeviceDescription, _ properties: UdevProperties
  ) -> String? {
    if device.properties.contains(INPUT_PROP_ACCELEROMETER) { return "an accelerometer" }
    if hasOneResolution(device) { return "only one axis has a resolution" }
    if isTrue(properties["LIBINPUT_IGNORE_DEVICE"]) { return "LIBINPUT_IGNORE_DEVICE is set" }
    if let seat = properties["ID_SEAT"], !seat.isSame(as: "seat0") { return "assigned to \(seat)" }
    if device.properties.contains(INPUT_PROP_DIRECT) { return nil }
    if isTrue(properties["ID_INPUT_TOUCHSCREEN"]) { return nil }
    let isPen = DeviceProtocol.penTools.contains(where: device.hasKey)
    if device.hasKey(BTN_TOOL_FINGER) && !isPen { return "a touchpad" }
    return isPen ? "a tablet without a screen (no INPUT_PROP_DIRECT)" : nil
  }

  private static func hasOneResolution(_ device: DeviceDescription) -> Bool {
    let reported = DeviceProtocol(device)
    let x = device.range(of: reported.axisX)?.resolution ?? 0
    let y = device.range(of: reported.axisY)?.resolution ?? 0
    return (x == 0) != (y == 0)
  }

  private static func isTrue(_ value: String?) -> Bool { value?.isSame(as: "1") ?? false }
}
