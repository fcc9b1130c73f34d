import CLinux
import Commands
import Configuration
import Ink
import Linux
import Pad
import Touch

struct Watch: Runnable {
  static var command: Command {
    Command(
      "watch", "List a touchscreen's contacts while they happen.",
      discussion: [
        "Prints the lines of 'paraph contacts', followed by remarks: the tool, hovering, resting, gap. Ends with "
          + "Ctrl-C, or when the device is unplugged.",
        "With --draw, each report is also a dot on the pad's panel, where the pad would draw: a new colour for "
          + "each contact, grey for those that do not draw. A contact after two seconds without any clears the panel.",
        "The device, and with --draw the panel, must not be in use: stop the pad first, with 'systemctl stop "
          + "paraphd'.",
      ],
      options: [
        Option(flag: "draw", "Draw the reports as dots on the pad's panel."), PadSettings.option,
      ],
      operands: [PadSettings.device],
      examples: [
        Command.Example("paraph watch --draw", "See where the touchscreen reports a finger.")
      ],
      exitCodes: [
        Command.ExitCode(69, "There is no such touchscreen, or it was unplugged."),
        Command.ExitCode(75, "The device or the panel is in use."),
      ])
  }

  private let device: String?
  private let isDrawn: Bool
  private let pad: PadSettings

  init(_ arguments: Arguments) throws(UsageError) {
    device = arguments.operands.first
    isDrawn = arguments.has("draw")
    pad = PadSettings(arguments)
  }

  func run() throws(ToolError) {
    let settings = try pad.read()
    var feed = try TouchFeed.open(device, settings)
    Notice.write("\(feed.label): \(feed.description.protocolText)")
    let stop = try StopSignals()
    var dots = isDrawn ? try DotSketch(settings, feed.description, feed.properties) : nil
    var output = StandardOutput()
    var poll = Poll()
    let feedPlace = poll.add(feed.number)
    let stopPlace = poll.add(stop.number)
    poll.add(dots?.number ?? -1)
    var isOver = false
    while !isOver && !poll.isReadable(stopPlace) {
      try output.flush()
      try dots?.show()
      _ = try? poll.wait()
      if poll.isReadable(feedPlace) || poll.isGone(feedPlace) {
        isOver = try read(&feed, &output) { dots?.handle($0) }
      }
    }
    try output.flush()
    try dots?.finish()
  }

  /// Lists the pending events; true at the end of a recording.
  private func read(
    _ feed: inout TouchFeed, _ output: inout StandardOutput, _ take: (ContactEvent) -> Void
  ) throws(ToolError) -> Bool {
    var lines: [String] = []
    let rest = feed.read { event in
      lines.append(([ContactLine(event).text] + event.remarks).joined(separator: "\t"))
      take(event)
    }
    for line in lines { try output.line(line) }
    switch rest {
    case .waiting: return false
    case .over:
      try output.flush()
      return true
    case .gone(let reason):
      try output.flush()
      throw ToolError(.unavailable, "\(feed.label): device lost: \(reason.text)")
    }
  }
}

extension ContactEvent {
  /// The remarks after the fields of `paraph contacts`.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if tool != .finger { remarks.append(tool.rawValue) }
    if isHovering { remarks.append("hovering") }
    if isResting { remarks.append("resting") }
    if isAfterGap { remarks.append("gap") }
    return remarks
  }
}

/// The panel of `paraph watch --draw`, with a dot per report where the pad would draw.
struct DotSketch: ~Copyable {
  private static let diameter: Float = 1.6
  /// The colours of successive contacts, distinguishable without red or green.
  private static let colours: [UInt32] = [
    0x0055CC, 0xE07000, 0x007A5A, 0xC03080, 0x602090, 0x808000,
  ]
  private static let grey: UInt32 = 0xA0A0A0
  /// The time without contacts after which the next one clears the page.
  private static let pause: Int64 = 2_000_000_000

  private var sketch: Sketch
  private let geometry: GlassGeometry
  private var down: Set<Int32> = []
  private var left: Int64?

  init(
    _ settings: PadConfiguration, _ device: DeviceDescription, _ properties: UdevProperties
  ) throws(ToolError) {
    sketch = try Sketch(settings.display)
    geometry = GlassGeometry(
      device, on: GlassGeometry.Placement(settings.touch, properties, on: sketch))
    sketch.clear()
  }

  /// The descriptor for poll(2): readable when `show` must be called.
  var number: Int32 { sketch.number }

  /// Draws an event of a contact.
  mutating func handle(_ event: ContactEvent) {
    if event.isEnd {
      down.remove(event.contact)
      if down.isEmpty { left = event.time }
      return
    }
    if let left, down.isEmpty, event.time - left > Self.pause { sketch.clear() }
    down.insert(event.contact)
    guard let place = event.position else { return }
    let mayDraw =
      !event.isHovering && !event.isResting && (event.tool == .finger || event.tool == .pen)
    let colour = mayDraw ? Self.colours[Int(event.contact) % Self.colours.count] : Self.grey
    sketch.disc(
      geometry.position(of: place, isPoint: event.isPoint), diameter: Self.diameter, colour)
  }

  /// Shows the dots.
  mutating func show() throws(ToolError) { try sketch.show() }

  /// Shows the dots, and waits for the panel.
  mutating func finish() throws(ToolError) { try sketch.finish() }
}

extension GlassGeometry.Placement {
  /// The position of the touchscreen on the picture, as the pad computes it.
  init(_ touch: TouchConfiguration, _ properties: UdevProperties, on sketch: borrowing Sketch) {
    let size = sketch.size
    self.init(
      width: size.x, height: size.y, quarterTurns: sketch.quarterTurns,
      sensitiveSize: touch.size.map { Point($0.width, $0.height) })
    let configured = touch.calibrationMatrix.flatMap { CalibrationMatrix($0) }
    let reported = properties["LIBINPUT_CALIBRATION_MATRIX"].flatMap { CalibrationMatrix($0) }
    if let matrix = configured ?? reported { calibration = matrix }
  }
}
