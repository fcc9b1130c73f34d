internal import CLinux
internal import Linux

/// What a device is to a pad.
public enum DeviceKind: Sendable, Equatable {
  /// A screen for fingers.
  case touchscreen
  /// A pen on a screen.
  case pen
  /// A pointer with absolute places: what a virtual machine's console sends, or an old point-of-sale
  /// screen that says of itself that it is a mouse.
  case pointer
}

/// Whether a pad can be signed with a device.
public enum DeviceSuitability: Sendable, Equatable {
  /// It can.
  case suitable(DeviceKind)
  /// It cannot, and why.
  case unsuitable(reason: String)

  /// Judges a device by what it can do, and by what udev's rules found.
  public init(_ device: DeviceDescription, _ properties: UdevProperties = UdevProperties()) {
    if let reason = DeviceSuitability.hindrance(device) {
      self = .unsuitable(reason: reason)
    } else if let reason = DeviceSuitability.objection(device, properties) {
      self = .unsuitable(reason: reason)
    } else {
      self = .suitable(DeviceSuitability.kind(device))
    }
  }

  /// Why a device cannot be read, even if it was chosen by name; nil if it can.
  public static func hindrance(_ device: DeviceDescription) -> String? {
    let plan = DeviceProtocol(device)
    if !device.hasAxis(plan.axisX) && !device.hasAxis(plan.axisY) {
      if device.codes(of: EV_ABS).isEmpty { return "it has no axes with places" }
      return device.hasAxis(ABS_Z) && device.hasAxis(ABS_RX)
        ? "it reports on ABS_Z and ABS_RX, not on ABS_X and ABS_Y" : "it has no ABS_X and ABS_Y"
    }
    if !device.hasAxis(plan.axisX) || !device.hasAxis(plan.axisY) {
      return "it has only one of the axes X and Y"
    }
    for axis in [plan.axisX, plan.axisY] {
      guard let range = device.range(of: axis) else { continue }
      if range.minimum >= range.maximum { return "its axes have no range" }
    }
    if plan.multitouch == .none && plan.point == .none {
      return "nothing says when it is touched: neither BTN_TOUCH, BTN_LEFT nor ABS_PRESSURE"
    }
    return nil
  }

  /// Why a device that can be read is not taken unless it was chosen by name.
  private static func objection(
    _ device: DeviceDescription, _ properties: UdevProperties
  ) -> String? {
    let plan = DeviceProtocol(device)
    if device.properties.contains(INPUT_PROP_ACCELEROMETER) { return "it is an accelerometer" }
    if hasOneResolution(device, plan) { return "only one of its axes has a resolution" }
    if isTrue(properties["LIBINPUT_IGNORE_DEVICE"]) { return "LIBINPUT_IGNORE_DEVICE is set" }
    if let seat = properties["ID_SEAT"], !seat.isSame(as: "seat0") {
      return "it belongs to \(seat)"
    }
    if device.properties.contains(INPUT_PROP_DIRECT) { return nil }
    if isTrue(properties["ID_INPUT_TOUCHSCREEN"]) { return nil }
    let isPen = DeviceProtocol.penTools.contains(where: device.hasKey)
    if device.hasKey(BTN_TOOL_FINGER) && !isPen { return "it is a touchpad" }
    if isPen { return "it is a tablet without a screen (no INPUT_PROP_DIRECT)" }
    return nil
  }

  private static func hasOneResolution(_ device: DeviceDescription, _ plan: DeviceProtocol) -> Bool {
    let x = device.range(of: plan.axisX)?.resolution ?? 0
    let y = device.range(of: plan.axisY)?.resolution ?? 0
    return (x == 0) != (y == 0)
  }

  private static func isTrue(_ value: String?) -> Bool {
    value?.isSame(as: "1") ?? false
  }

  static func kind(_ device: DeviceDescription) -> DeviceKind {
    let plan = DeviceProtocol(device)
    if plan.multitouch != .none { return .touchscreen }
    if DeviceProtocol.penTools.contains(where: device.hasKey) || device.hasKey(BTN_STYLUS) {
      return .pen
    }
    return plan.point == .leftButton ? .pointer : .touchscreen
  }
}
