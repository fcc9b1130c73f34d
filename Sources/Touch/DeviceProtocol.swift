internal import CLinux

/// How a device reports its contacts, derived once from its description.
struct DeviceProtocol: Sendable, Equatable {
  /// The multi-touch protocol, in the terms of the kernel's documentation.
  enum Multitouch: Sendable, Equatable {
    /// One contact, or none.
    case none
    /// Protocol B, with this number of slots.
    case slots(Int)
    /// Protocol A: every frame lists all contacts.
    case lists
  }

  /// The input that reports a touch at ABS_X and ABS_Y.
  enum Point: Sendable, Equatable {
    /// There is no such contact.
    case none
    /// BTN_TOUCH.
    case touchButton
    /// BTN_LEFT: point-of-sale screens that report as mice.
    case leftButton
    /// ABS_PRESSURE above this value, without a button.
    case pressure(above: Int32)
  }

  /// The contacts of the ABS_MT axes.
  let multitouch: Multitouch
  /// The contact of ABS_X and ABS_Y.
  let point: Point
  /// BTN_LEFT is a touch, too: some devices declare BTN_TOUCH and send BTN_LEFT (tslib accepts both).
  let hasLeftButton: Bool
  /// ABS_X and ABS_Y repeat the first finger unless a stylus is near.
  let pointNeedsTool: Bool
  /// The axes of the position: the ABS_MT axes if the device has them.
  let axisX: Int32, axisY: Int32

  private let rangeX: AxisRange?, rangeY: AxisRange?

  /// The kernel's limit of slots (drivers/input/input-mt.c, input_mt_init_slots).
  static let slotLimit = 1024
  /// The tools of a stylus.
  static let penTools = BTN_TOOL_PEN...BTN_TOOL_AIRBRUSH
  /// All tools: those of a stylus, a touchpad's finger, a puck, a lens.
  static let tools = BTN_TOOL_PEN...BTN_TOOL_LENS

  init(_ device: DeviceDescription) {
    let hasPositions = device.hasAxis(ABS_MT_POSITION_X) && device.hasAxis(ABS_MT_POSITION_Y)
    // A joystick whose consecutive axes reach up to here has no slots, despite the bit (libevdev).
    let isFake = device.hasAxis(ABS_MT_SLOT - 1) && device.hasAxis(ABS_MT_SLOT)
    let isPen = DeviceProtocol.penTools.contains(where: device.hasKey)
    if hasPositions && !isFake {
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

  /// The pressure axis.
  var axisPressure: Int32 { multitouch == .none ? ABS_PRESSURE : ABS_MT_PRESSURE }

  /// Whether the device has contacts of any kind.
  var hasContacts: Bool { multitouch != .none || point != .none }

  /// Room for the contacts of the ABS_MT axes.
  var slotCount: Int {
    switch multitouch {
    case .none: 0
    case .slots(let count): count
    case .lists: ProtocolAReader.limit
    }
  }

  /// The absolute axes that affect contacts, one bit each, for EVIOCSMASK.
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

  /// Whether a contact's position is inside the axes' ranges.
  func isInRange(_ event: ContactEvent) -> Bool {
    guard let position = event.position, !event.isPoint, let rangeX, let rangeY else { return true }
    return rangeX.clamp(position.x) == position.x && rangeY.clamp(position.y) == position.y
  }

  /// On a device that names its tools, BTN_LEFT is a button of a puck, a touchpad or a tablet.
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

/// Protocol B: the device selects a slot, and the kernel passes on its changes
/// (kernel: multi-touch-protocol, "Protocol Example B").
struct ProtocolBReader {
  private let count: Int32
  /// The selected slot; nil after one that the device does not have.
  ///
  /// Only recordings select such a slot: libevdev replaces it by the last one.
  private var current: Int32?

  init(count: Int, current: Int32) {
    self.count = Int32(count)
    self.current = current >= 0 && current < self.count ? current : nil
  }

  /// Reads ABS_MT_SLOT. It is sent only on changes, so it counts even while events are dropped.
  mutating func select(_ slot: Int32) {
    current = slot >= 0 && slot < count ? slot : nil
  }

  /// Reads any other ABS_MT axis.
  func read(_ axis: Int32, _ value: Int32, into table: inout SlotTable) {
    guard let current else { return }
    let slot = Int(current)
    if axis == ABS_MT_TRACKING_ID {
      table[slot].suspendedID = -1
      track(value, in: slot, &table)
    } else {
      if table[slot].suspendedID >= 0 {
        table.begin(slot, trackingID: table[slot].suspendedID)
      }
      table[slot].read(axis, value)
      table[slot].isUpdated = true
    }
  }

  /// A new id without −1 in between ends one contact and begins another.
  ///
  /// Recordings have it, and devices after lost events; otherwise libevdev drops it (sanitize_event).
  private func track(_ id: Int32, in slot: Int, _ table: inout SlotTable) {
    if id < 0 {
      table.end(slot)
    } else if !table[slot].isActive || table[slot].trackingID != id {
      table.begin(slot, trackingID: id)
    } else {
      table[slot].isUpdated = true
    }
  }
}

extension SlotState {
  /// Stores the value of an ABS_MT axis.
  mutating func read(_ axis: Int32, _ value: Int32) {
    switch axis {
    case ABS_MT_POSITION_X:
      x = value
      isFresh = true
    case ABS_MT_POSITION_Y:
      y = value
      isFresh = true
    case ABS_MT_PRESSURE: pressure = value
    case ABS_MT_TOUCH_MAJOR: size = value
    case ABS_MT_DISTANCE: distance = value
    case ABS_MT_TOOL_TYPE: tool = ContactEvent.Tool(multitouch: value)
    default: break
    }
  }
}

extension ContactEvent.Tool {
  /// From MT_TOOL_….
  init(multitouch value: Int32) {
    switch value {
    case MT_TOOL_FINGER: self = .finger
    case MT_TOOL_PEN: self = .pen
    case MT_TOOL_PALM: self = .palm
    default: self = .other
    }
  }
}
