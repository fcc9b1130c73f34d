import Commands
import CLinux
import Configuration
import Ink
import Linux
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
        Command.Example("paraph watch --draw", "See where the touchscreen reports the finger.")
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
        isOver = try read(&feed, &output) { dots?.take($0) }
      }
    }
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
  /// What follows the fields of `paraph contacts`.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if tool != .finger { remarks.append(tool.rawValue) }
    if isHovering { remarks.append("hovering") }
    if isResting { remarks.append("resting") }
    if isAfterGap { remarks.append("gap") }
    return remarks
  }
}
