import CLinux
import Touch

/// Events written as a person would note them, one frame in a line:
///
///     0: ID 5, MX 100, MY 200, TOUCH 1
///     8: MX 101
///     16: ID -1, TOUCH 0
///
/// The time is in milliseconds. SYN_REPORT follows each line; a line that ends with SPLIT has SYN_REPORT
/// 1 instead, one that ends with OPEN has none.
enum Script {
  static func events(_ text: String) -> [InputEvent] {
    text.split(separator: "\n").flatMap { line -> [InputEvent] in
      let parts = line.split(separator: ":")
      guard let milliseconds = Double(parts[0].trimmed) else {
        fatalError("no time in \"\(line)\"")
      }
      let time = Int64(milliseconds * 1_000_000)
      var events: [InputEvent] = []
      var end: Int32? = 0
      for field in parts.count > 1 ? parts[1].split(separator: ",") : [] {
        let words = field.split(separator: " ")
        switch words[0] {
        case "SPLIT": end = 1
        case "OPEN": end = nil
        default:
          guard let (type, code) = codes[String(words[0])] else {
            fatalError("no such code: \(words[0])")
          }
          let value = words.count > 1 ? Int32(words[1]) ?? 0 : 0
          events.append(InputEvent(time: time, type, code, value))
        }
      }
      if let end { events.append(InputEvent(time: time, EV_SYN, SYN_REPORT, end)) }
      return events
    }
  }

  static let codes: [String: (Int32, Int32)] = [
    "SLOT": (EV_ABS, ABS_MT_SLOT), "ID": (EV_ABS, ABS_MT_TRACKING_ID),
    "MX": (EV_ABS, ABS_MT_POSITION_X), "MY": (EV_ABS, ABS_MT_POSITION_Y),
    "MP": (EV_ABS, ABS_MT_PRESSURE), "MD": (EV_ABS, ABS_MT_DISTANCE),
    "MT": (EV_ABS, ABS_MT_TOOL_TYPE), "MAJOR": (EV_ABS, ABS_MT_TOUCH_MAJOR),
    "MREPORT": (EV_SYN, SYN_MT_REPORT), "DROPPED": (EV_SYN, SYN_DROPPED),
    "X": (EV_ABS, ABS_X), "Y": (EV_ABS, ABS_Y), "P": (EV_ABS, ABS_PRESSURE),
    "D": (EV_ABS, ABS_DISTANCE), "TILT": (EV_ABS, ABS_TILT_X), "MISC": (EV_ABS, ABS_MISC),
    "TOUCH": (EV_KEY, BTN_TOUCH), "LEFT": (EV_KEY, BTN_LEFT), "RIGHT": (EV_KEY, BTN_RIGHT),
    "PEN": (EV_KEY, BTN_TOOL_PEN), "RUBBER": (EV_KEY, BTN_TOOL_RUBBER),
    "FINGER": (EV_KEY, BTN_TOOL_FINGER), "MOUSE": (EV_KEY, BTN_TOOL_MOUSE),
    "STYLUS": (EV_KEY, BTN_STYLUS), "HOME": (EV_KEY, KEY_HOMEPAGE),
    "SCAN": (EV_MSC, MSC_SCAN), "SERIAL": (EV_MSC, MSC_SERIAL), "STAMP": (EV_MSC, MSC_TIMESTAMP),
  ]
}

extension Substring {
  fileprivate var trimmed: Substring {
    drop { $0 == " " }
  }
}

/// What a decoder makes of a script: "0 down 100,200 @0" with contact, phase, place and milliseconds;
/// then the slot if it is not 0, pressure, and what else is said of the contact.
func contacts(
  _ device: DeviceDescription, state: DeviceState = DeviceState(), _ script: String
) -> [String] {
  var decoder = ContactDecoder(device, state: state)
  return contacts(&decoder, script)
}

func contacts(_ device: TestDevice, state: DeviceState = DeviceState(), _ script: String)
  -> [String]
{
  contacts(device.description, state: state, script)
}

func contacts(_ decoder: inout ContactDecoder, _ script: String) -> [String] {
  var lines: [String] = []
  for event in Script.events(script) where decoder.put(event) { lines += decoder.lines }
  return lines
}

extension ContactDecoder {
  /// What the last frame said.
  var lines: [String] { frame.indices.map { frame[$0].words } }
}

extension ContactEvent {
  var words: String {
    let place = position.map { "\($0.x),\($0.y)" } ?? "-"
    var words = "\(contact) \(phase) \(place) @\(time / 1_000_000)"
    if slot != 0 { words += " slot \(slot)" }
    if let pressure { words += " pressure \(pressure)" }
    if tool != .finger { words += " \(tool)" }
    if isHovering { words += " hovering" }
    if isResting { words += " resting" }
    if isAfterGap { words += " gap" }
    if isStale { words += " stale" }
    return words
  }
}
