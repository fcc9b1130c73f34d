internal import CLinux

/// Writes recordings in the format of `libinput record`, piece by piece.
///
/// A file that ends after any piece is a valid recording.
public struct LibinputWriter: Sendable {
  private var start: Int64?
  private var isFrameOpen = false

  /// An empty recording.
  public init() {}

  /// The device's description, and its state before the first event.
  ///
  /// The format has no place for the state, so it is written as a frame of axes that begins no contact.
  public mutating func header(
    _ device: DeviceDescription, _ state: DeviceState, _ properties: UdevProperties, node: String
  ) -> String {
    var text = "# libinput record\nversion: 1\nndevices: 1\ndevices:\n- node: \(node)\n"
    text += "  evdev:\n    name: \(LibinputWriter.quoted(device.name))\n"
    let identity = device.identity
    text += "    id: [\(identity.bus), \(identity.vendor), "
    text += "\(identity.product), \(identity.version)]\n    codes:\n"
    text += "      0: [\(SYN_REPORT), \(SYN_CONFIG), \(SYN_MT_REPORT), \(SYN_DROPPED)]\n"
    for type in device.types {
      text += "      \(type): [\(LibinputWriter.list(device.codes(of: type).codes))]\n"
    }
    text += "    absinfo:\n"
    for axis in device.codes(of: EV_ABS).codes {
      guard let range = device.range(of: axis) else { continue }
      text += "      \(axis): [\(range.minimum), \(range.maximum), \(range.fuzz), "
      text += "\(range.flat), \(range.resolution)]\n"
    }
    text += "    properties: [\(LibinputWriter.list(device.properties.codes))]\n"
    text += "  udev:\n    properties:\n"
    for line in properties.lines { text += "    - \(LibinputWriter.quoted(line))\n" }
    text += "  events:\n"
    return text + stateFrame(state)
  }

  /// An event, with its time since the first one.
  public mutating func event(_ event: InputEvent) -> String {
    let start = start ?? event.time
    self.start = start
    let time = max(0, event.time &- start)
    var text = isFrameOpen ? "" : "  - evdev:\n"
    isFrameOpen = true
    text += "    - [\(time / 1_000_000_000), \(time / 1000 % 1_000_000), \(event.type), "
    text += "\(event.code), \(event.value)]\n"
    if Int32(event.type) == EV_SYN && Int32(event.code) == SYN_REPORT { isFrameOpen = false }
    return text
  }

  /// A gap of lost events, which ends the frame.
  public mutating func gap(at time: Int64) -> String {
    event(InputEvent(time: time, EV_SYN, SYN_DROPPED, 0))
      + event(InputEvent(time: time, EV_SYN, SYN_REPORT, 0))
  }

  private mutating func stateFrame(_ state: DeviceState) -> String {
    var values: [(Int32, Int32?)] = []
    for (index, slot) in state.slots.enumerated() where slot.x ?? 0 != 0 || slot.y ?? 0 != 0 {
      values += [
        (ABS_MT_SLOT, Int32(index)), (ABS_MT_POSITION_X, slot.x), (ABS_MT_POSITION_Y, slot.y),
        (ABS_MT_PRESSURE, slot.pressure),
      ]
    }
    if !state.slots.isEmpty { values.append((ABS_MT_SLOT, state.slot)) }
    values += [(ABS_X, state.x), (ABS_Y, state.y)]
    var text = "  - evdev:\n"
    for (axis, value) in values {
      if let value { text += "    - [0, 0, \(EV_ABS), \(axis), \(value)]\n" }
    }
    return text + "    - [0, 0, \(EV_SYN), \(SYN_REPORT), 0]\n"
  }

  private static func list(_ codes: [Int32]) -> String {
    codes.map { "\($0)" }.joined(separator: ", ")
  }

  /// A double-quoted YAML scalar, with escapes for what YAML does not allow or takes for the end of a line.
  private static func quoted(_ text: String) -> String {
    let digits = Array("0123456789abcdef".unicodeScalars)
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029, 0xfffe, 0xffff:
        quoted += "\\u"
        for shift in [12, 8, 4, 0] {
          quoted.unicodeScalars.append(digits[Int(scalar.value >> shift & 15)])
        }
      default:
        if scalar == "\"" || scalar == "\\" { quoted += "\\" }
        quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
