internal import CLinux

/// Reads single touch and styluses: a position in ABS_X and ABS_Y, and a button that reports a
/// touch.
///
/// The position may come before the tool or the button, in the same frame or an earlier one.
struct PointReader {
  private let point: DeviceProtocol.Point
  private let hasLeftButton: Bool
  private let needsTool: Bool
  /// The contact's index in the table.
  private let index: Int
  /// One bit per input that reports a touch.
  private var pressed: UInt8 = 0
  /// One bit per tool of `DeviceProtocol.tools`.
  private var tools: UInt8 = 0
  private var hadTool = false

  private static let touchBit: UInt8 = 1
  private static let leftBit: UInt8 = 2
  private static let pressureBit: UInt8 = 4
  private static let penBits: UInt8 = 0b1_1111
  private static let eraserBit: UInt8 = 0b10

  init(_ deviceProtocol: DeviceProtocol, index: Int, state: DeviceState) {
    point = deviceProtocol.point
    needsTool = deviceProtocol.pointNeedsTool
    hasLeftButton = deviceProtocol.hasLeftButton
    self.index = index
    for tool in DeviceProtocol.tools where state.keys.contains(tool) { setTool(tool, true) }
    for key in [BTN_TOUCH, BTN_LEFT] where state.keys.contains(key) { pressed |= bit(of: key) }
    if let pressure = state.pressure { press(by: pressure) }
  }

  /// Whether a stylus is near the glass.
  var isPenNear: Bool { tools & PointReader.penBits != 0 }

  /// Begins a contact that was there before the device was opened.
  mutating func begin(into table: inout SlotTable) { update(&table) }

  /// Reads an axis other than ABS_MT.
  mutating func readAxis(_ axis: Int32, _ value: Int32, into table: inout SlotTable) {
    switch axis {
    case ABS_X:
      table[index].x = value
      table[index].isFresh = true
    case ABS_Y:
      table[index].y = value
      table[index].isFresh = true
    case ABS_PRESSURE: readPressure(value, &table)
    // Wacom's drivers report the tool's type there, not the contact.
    case ABS_MISC: return
    default: break
    }
    table[index].isUpdated = true
  }

  private mutating func readPressure(_ value: Int32, _ table: inout SlotTable) {
    table[index].pressure = value
    guard case .pressure = point else { return }
    press(by: value)
    update(&table)
  }

  /// Reads a key.
  mutating func readKey(_ key: Int32, _ value: Int32, into table: inout SlotTable) {
    let bit = bit(of: key)
    if bit != 0 {
      press(bit, value != 0)
      table[index].isUpdated = true
    } else if DeviceProtocol.tools.contains(key), key != BTN_TOOL_FINGER {
      setTool(key, value != 0)
    } else {
      return
    }
    update(&table)
  }

  /// Completes the frame: updates the pressure of a hovering pen.
  ///
  /// A pen with a worn tip reports a pressure above the glass. Its least value since the pen came near counts
  /// as none (libinput's pressure offset).
  func finish(into table: inout SlotTable) {
    guard isPenNear else {
      table[index].restPressure = nil
      return
    }
    guard pressed == 0, let pressure = table[index].pressure else { return }
    table[index].restPressure = min(table[index].restPressure ?? pressure, pressure)
  }

  /// The bit of `pressed`; 0 for a key that does not report a touch.
  private func bit(of key: Int32) -> UInt8 {
    if key == BTN_TOUCH && point == .touchButton { return PointReader.touchBit }
    return key == BTN_LEFT && hasLeftButton ? PointReader.leftBit : 0
  }

  /// Sets or clears the touch by ABS_PRESSURE, on a device that reports touches only by it.
  private mutating func press(by pressure: Int32) {
    guard case .pressure(let floor) = point else { return }
    press(PointReader.pressureBit, pressure > floor)
  }

  private mutating func press(_ bit: UInt8, _ isPressed: Bool) {
    pressed = isPressed ? pressed | bit : pressed & ~bit
  }

  private mutating func setTool(_ key: Int32, _ isNear: Bool) {
    guard key != BTN_TOOL_FINGER else { return }
    let bit: UInt8 = 1 << UInt8(key - BTN_TOOL_PEN)
    tools = isNear ? tools | bit : tools & ~bit
    hadTool = hadTool || isNear
  }

  /// Begins or ends the contact, which lasts while the button is pressed and the stylus is near.
  ///
  /// Some styluses leave without releasing the button.
  private mutating func update(_ table: inout SlotTable) {
    let isNear = needsTool || hadTool ? tools != 0 : true
    if pressed != 0 && isNear {
      if !table[index].isActive { table.begin(index) }
    } else {
      table.end(index)
    }
    if table[index].isActive { table[index].tool = tool }
  }

  private var tool: ContactEvent.Tool {
    if tools & PointReader.eraserBit != 0 { return .eraser }
    if isPenNear { return .pen }
    return tools == 0 ? .finger : .other
  }
}
