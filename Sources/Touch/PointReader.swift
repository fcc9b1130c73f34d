internal import CLinux

/// Single touch and styluses: one place in ABS_X and ABS_Y, and a button that says whether it touches.
/// The values may be stated before the tool or the button is, in the same frame or in earlier ones.
struct PointReader {
  private let plan: DeviceProtocol.Point
  private let hasLeftButton: Bool
  private let needsTool: Bool
  /// Where the contact is in the ledger.
  private let index: Int
  /// One bit for each thing that says that it touches.
  private var pressed: UInt8 = 0
  /// One bit for each of `DeviceProtocol.tools`.
  private var tools: UInt8 = 0
  private var hadTool = false

  init(_ plan: DeviceProtocol, index: Int, keys: CodeSet) {
    self.plan = plan.point
    needsTool = plan.pointNeedsTool
    self.index = index
    hasLeftButton = plan.hasLeftButton
    for tool in DeviceProtocol.tools where keys.contains(tool) { setTool(tool, true) }
    for key in [BTN_TOUCH, BTN_LEFT] where keys.contains(key) { pressed |= bit(of: key) }
  }

  /// 0 of a key that does not say that it touches.
  private func bit(of key: Int32) -> UInt8 {
    if key == BTN_TOUCH && plan == .touchButton { return 1 }
    return key == BTN_LEFT && hasLeftButton ? 2 : 0
  }

  private static let pressureBit: UInt8 = 4

  private mutating func press(_ bit: UInt8, _ isPressed: Bool) {
    pressed = isPressed ? pressed | bit : pressed & ~bit
  }

  /// Whether a stylus is near the glass.
  var isPenNear: Bool { tools & PointReader.penBits != 0 }

  private static let penBits: UInt8 = 0b1_1111
  private static let eraserBit: UInt8 = 0b10

  /// The seeded state: a contact that is already there.
  mutating func begin(into ledger: inout SlotTable) { settle(&ledger) }

  /// Any axis that is not ABS_MT.
  mutating func readAxis(_ axis: Int32, _ value: Int32, into ledger: inout SlotTable) {
    switch axis {
    case ABS_X:
      ledger[index].x = value
      ledger[index].isFresh = true
    case ABS_Y:
      ledger[index].y = value
      ledger[index].isFresh = true
    case ABS_PRESSURE: readPressure(value, &ledger)
    // Wacom's drivers put the tool's type there, and it says nothing about the contact.
    case ABS_MISC: return
    default: break
    }
    ledger[index].isTouched = true
  }

  private mutating func readPressure(_ value: Int32, _ ledger: inout SlotTable) {
    ledger[index].pressure = value
    guard case .pressure(let floor) = plan else { return }
    press(PointReader.pressureBit, value > floor)
    settle(&ledger)
  }

  /// Any key.
  mutating func readKey(_ key: Int32, _ value: Int32, into ledger: inout SlotTable) {
    let bit = bit(of: key)
    if bit != 0 {
      press(bit, value != 0)
      ledger[index].isTouched = true
    } else if DeviceProtocol.tools.contains(key), key != BTN_TOOL_FINGER {
      setTool(key, value != 0)
    } else {
      return
    }
    settle(&ledger)
  }

  private mutating func setTool(_ key: Int32, _ isThere: Bool) {
    guard key != BTN_TOOL_FINGER else { return }
    let bit: UInt8 = 1 << UInt8(key - BTN_TOOL_PEN)
    tools = isThere ? tools | bit : tools & ~bit
    hadTool = hadTool || isThere
  }

  /// The contact is there while the button is pressed, and, of a stylus, while the tool is near: some
  /// leave without releasing the button.
  private mutating func settle(_ ledger: inout SlotTable) {
    let isNear = needsTool || hadTool ? tools != 0 : true
    if pressed != 0 && isNear {
      if !ledger[index].isActive { ledger.begin(index) }
    } else {
      ledger.end(index)
    }
    if ledger[index].isActive { ledger[index].tool = tool }
  }

  /// The frame is whole. A pen whose tip is worn states a pressure above the glass as well (libinput's
  /// pressure offset): the least since it came near is none.
  func finish(into ledger: inout SlotTable) {
    guard isPenNear else {
      ledger[index].restPressure = nil
      return
    }
    guard pressed == 0, let pressure = ledger[index].pressure else { return }
    ledger[index].restPressure = min(ledger[index].restPressure ?? pressure, pressure)
  }

  private var tool: ContactEvent.Tool {
    if tools & PointReader.eraserBit != 0 { return .eraser }
    if isPenNear { return .pen }
    return tools == 0 ? .finger : .other
  }
}
