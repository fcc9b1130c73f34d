import Commands
import Touch

struct Contacts: Runnable {
  static var command: Command {
    Command(
      "contacts", "List the contacts of a recording, as the device reported them.",
      discussion: [
        "Prints one line per contact and frame with these fields between tabs: contact (from 0), slot (0 for "
          + "single touch and pens), time in ns, x and y in device units, pressure, and phase (down, move, up or "
          + "cancel). A missing value is -.",
        "A contact is down once both of its axes are known; one that ends before is up with - for x and y. "
          + "Palms, hovering contacts and ghosts are listed too.",
      ],
      options: [Option(flag: "json", "Print a JSON array with one object per line.")],
      operands: [
        Operand(
          "INPUT", count: .one, values: .file([]),
          "A recording of evemu or libinput, or handwriting in .svc.")
      ],
      examples: [
        Command.Example("paraph contacts hand.evemu", "List what a device reported."),
        Command.Example(
          "paraph contacts --json hand.evemu | jq '.[] | select(.phase == \"down\")'",
          "List where contacts began."),
      ])
  }

  private let file: String
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    file = arguments.operands.first ?? ""
    isJSON = arguments.has("json")
  }

  func run() throws(ToolError) {
    let recording: Recording
    do throws(RecordingError) { recording = try Recording(contentsOf: file) } catch {
      throw ToolError(error)
    }
    var list = ContactList(isJSON: isJSON)
    switch recording {
    case .device(let device):
      var decoder = ContactDecoder(device.device, state: device.state)
      for event in device.events where decoder.put(event) {
        for index in 0..<decoder.frame.count { try list.add(ContactLine(decoder.frame[index])) }
      }
    case .handwriting(let handwriting):
      // Each stroke is a contact that ends at its last row.
      for (number, stroke) in handwriting.strokes.enumerated() {
        for (index, row) in stroke.enumerated() {
          try list.add(ContactLine(row, contact: number, index == 0 ? .down : .move))
        }
        if let last = stroke.last { try list.add(ContactLine(last, contact: number, .up)) }
      }
    }
    try list.end()
  }
}

/// The output of `paraph contacts`.
private struct ContactList: ~Copyable {
  private var output = StandardOutput()
  private var isEmpty = true
  private let isJSON: Bool

  init(isJSON: Bool) { self.isJSON = isJSON }

  mutating func add(_ line: ContactLine) throws(ToolError) {
    if isJSON {
      try output.write(isEmpty ? "[\n" : ",\n")
      try output.write(line.json)
    } else {
      try output.line(line.text)
    }
    isEmpty = false
  }

  mutating func end() throws(ToolError) {
    if isJSON { try output.line(isEmpty ? "[]" : "\n]") }
    try output.flush()
  }
}

/// A line of `paraph contacts` and `paraph watch`, with formatted numbers.
struct ContactLine {
  let contact: Int
  let slot: Int
  let time: Int64
  let x: String?
  let y: String?
  let pressure: String?
  let phase: ContactEvent.Phase

  init(_ event: ContactEvent) {
    (contact, slot, time) = (Int(event.contact), Int(event.slot), event.time)
    x = event.position.map { "\($0.x)" }
    y = event.position.map { "\($0.y)" }
    pressure = event.pressure.map { "\($0)" }
    phase = event.phase
  }

  init(_ row: Handwriting.Row, contact: Int, _ phase: ContactEvent.Phase) {
    self.contact = contact
    (slot, time) = (0, row.time)
    x = ContactLine.text(row.x)
    y = ContactLine.text(row.y)
    pressure = ContactLine.text(row.pressure)
    self.phase = phase
  }

  /// The shortest text of a number.
  private static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
  }

  var text: String {
    [
      "\(contact)", "\(slot)", "\(time)", x ?? "-", y ?? "-", pressure ?? "-", phase.rawValue,
    ].joined(separator: "\t")
  }

  var json: String {
    // JSON has neither "nan" nor "inf".
    func number(_ text: String?) -> String {
      text.flatMap { $0.utf8.contains(UInt8(ascii: "n")) ? nil : $0 } ?? "null"
    }
    let place = "\"x\":\(number(x)),\"y\":\(number(y)),\"pressure\":\(number(pressure))"
    return "{\"contact\":\(contact),\"slot\":\(slot),\"time\":\(time),\(place),"
      + "\"phase\":\"\(phase.rawValue)\"}"
  }
}
