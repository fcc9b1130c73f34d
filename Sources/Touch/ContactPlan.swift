internal import CLinux

/// How a device's events are to be read, derived once from what the device says of itself.
struct ContactPlan: Sendable, Equatable {
  /// What the kernel's documentation calls the multi-touch protocol.
  enum Multitouch: Sendable, Equatable {
    /// The device has one contact, or none.
    case none
    /// Protocol B: the device keeps its contacts in this many slots.
    case slots(Int)
    /// Protocol A: every frame lists all contacts.
    case lists
  }

  /// What says that the one contact of ABS_X and ABS_Y touches.
  enum Point: Sendable, Equatable {
    /// There is none.
    case none
    /// BTN_TOUCH.
    case touchButton
    /// BTN_LEFT: point-of-sale screens that call themselves mice.
    case leftButton
    /// No button at all: ABS_PRESSURE above this value.
    case pressure(above: Int32)
  }

  /// Contacts of the ABS_MT axes.
  var multitouch: Multitouch
  /// The contact of ABS_X and ABS_Y.
  var point: Point
  /// BTN_LEFT is a touch, too: some declare BTN_TOUCH and send the other one (tslib takes both).
  var hasLeftButton: Bool
  /// ABS_X and ABS_Y repeat the first finger unless a stylus is near.
  var pointNeedsTool: Bool
  /// The axes that tell the place: the ABS_MT ones where the device has them.
  var axisX: Int32, axisY: Int32

  /// The axis that tells how hard it presses.
  var axisPressure: Int32 { multitouch == .none ? ABS_PRESSURE : ABS_MT_PRESSURE }

  /// The kernel refuses more slots (drivers/input/input-mt.c, input_mt_init_slots).
  static let slotLimit = 1024

  init(_ device: DeviceDescription) {
    let hasPlaces = device.hasAxis(ABS_MT_POSITION_X) && device.hasAxis(ABS_MT_POSITION_Y)
    // A joystick with consecutive axes up to here has no slots, whatever the bit says (libevdev).
    let isFake = device.hasAxis(ABS_MT_SLOT - 1) && device.hasAxis(ABS_MT_SLOT)
    let isPen = ContactPlan.penTools.contains(where: device.hasKey)
    if hasPlaces && !isFake {
      multitouch = device.hasAxis(ABS_MT_SLOT) ? .slots(ContactPlan.slotCount(device)) : .lists
      point = isPen && device.hasAxis(ABS_X) ? .touchButton : .none
      pointNeedsTool = true
      hasLeftButton = false
      (axisX, axisY) = (ABS_MT_POSITION_X, ABS_MT_POSITION_Y)
    } else {
      multitouch = .none
      point = ContactPlan.point(of: device)
      pointNeedsTool = false
      hasLeftButton = device.hasKey(BTN_LEFT)
      (axisX, axisY) = (ABS_X, ABS_Y)
    }
  }

  /// The tools of a stylus, BTN_TOOL_PEN to BTN_TOOL_AIRBRUSH.
  static let penTools = BTN_TOOL_PEN...BTN_TOOL_AIRBRUSH

  private static func point(of device: DeviceDescription) -> Point {
    guard device.hasAxis(ABS_X), device.hasAxis(ABS_Y) else { return .none }
    if device.hasKey(BTN_TOUCH) { return .touchButton }
    if device.hasKey(BTN_LEFT) { return .leftButton }
    guard device.hasAxis(ABS_PRESSURE) else { return .none }
    return .pressure(above: max(0, device.range(of: ABS_PRESSURE)?.minimum ?? 0))
  }

  private static func slotCount(_ device: DeviceDescription) -> Int {
    guard let range = device.range(of: ABS_MT_SLOT) else { return 10 }
    return Int(min(max(range.maximum, 0), Int32(slotLimit) - 1)) + 1
  }
}
