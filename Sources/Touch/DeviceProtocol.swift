internal import CLinux

/// How a device's events are to be read, derived once from what the device says of itself.
struct DeviceProtocol: Sendable, Equatable {
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

  /// What the device says of these axes; nil where it says nothing.
  let rangeX: AxisRange?, rangeY: AxisRange?

  /// Whether a contact is where the device says that contacts can be.
  func isInRange(_ event: ContactEvent) -> Bool {
    guard let place = event.position, !event.isPoint, let rangeX, let rangeY else { return true }
    return rangeX.clamp(place.x) == place.x && rangeY.clamp(place.y) == place.y
  }

  /// The axis that tells how hard it presses.
  var axisPressure: Int32 { multitouch == .none ? ABS_PRESSURE : ABS_MT_PRESSURE }

  /// The absolute axes that make a difference, one bit each. The others, such as how a finger is turned,
  /// need not be sent.
  var axes: UInt64 {
    var axes: [Int32] = []
    if point != .none { axes += Array(0..<ABS_MT_SLOT) }
    if multitouch == .lists { axes.append(ABS_PRESSURE) }
    if multitouch != .none {
      axes += [
        ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID, ABS_MT_PRESSURE,
        ABS_MT_DISTANCE, ABS_MT_TOOL_TYPE, ABS_MT_TOUCH_MAJOR,
      ]
    }
    return axes.reduce(0) { $0 | 1 << UInt64($1) }
  }

  /// The kernel refuses more slots (drivers/input/input-mt.c, input_mt_init_slots).
  static let slotLimit = 1024

  init(_ device: DeviceDescription) {
    let hasPlaces = device.hasAxis(ABS_MT_POSITION_X) && device.hasAxis(ABS_MT_POSITION_Y)
    // A joystick with consecutive axes up to here has no slots, whatever the bit says (libevdev).
    let isFake = device.hasAxis(ABS_MT_SLOT - 1) && device.hasAxis(ABS_MT_SLOT)
    let isPen = DeviceProtocol.penTools.contains(where: device.hasKey)
    if hasPlaces && !isFake {
      multitouch = device.hasAxis(ABS_MT_SLOT) ? .slots(DeviceProtocol.slotCount(device)) : .lists
      point = isPen && device.hasAxis(ABS_X) ? .touchButton : .none
      pointNeedsTool = true
      hasLeftButton = false
      (axisX, axisY) = (ABS_MT_POSITION_X, ABS_MT_POSITION_Y)
    } else {
      multitouch = .none
      point = DeviceProtocol.point(of: device)
      pointNeedsTool = false
      hasLeftButton = DeviceProtocol.hasLeftButton(device)
      (axisX, axisY) = (ABS_X, ABS_Y)
    }
    (rangeX, rangeY) = (device.range(of: axisX), device.range(of: axisY))
  }

  /// The tools of a stylus, BTN_TOOL_PEN to BTN_TOOL_AIRBRUSH.
  static let penTools = BTN_TOOL_PEN...BTN_TOOL_AIRBRUSH
  /// All tools that a device may name: those of a stylus, a touchpad's finger, a puck, a lens.
  static let tools = BTN_TOOL_PEN...BTN_TOOL_LENS

  /// A device that names its tools has BTN_LEFT for something that is pressed: a puck's button, a touchpad's,
  /// a key beside a tablet.
  private static func hasLeftButton(_ device: DeviceDescription) -> Bool {
    device.hasKey(BTN_LEFT) && !tools.contains(where: device.hasKey)
  }

  private static func point(of device: DeviceDescription) -> Point {
    guard device.hasAxis(ABS_X), device.hasAxis(ABS_Y) else { return .none }
    if device.hasKey(BTN_TOUCH) { return .touchButton }
    if hasLeftButton(device) { return .leftButton }
    guard device.hasAxis(ABS_PRESSURE) else { return .none }
    return .pressure(above: max(0, device.range(of: ABS_PRESSURE)?.minimum ?? 0))
  }

  private static func slotCount(_ device: DeviceDescription) -> Int {
    guard let range = device.range(of: ABS_MT_SLOT) else { return 10 }
    return Int(min(max(range.maximum, 0), Int32(slotLimit) - 1)) + 1
  }
}
