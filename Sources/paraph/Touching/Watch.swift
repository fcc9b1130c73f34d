internal import ArgumentParser
import CLinux
import Configuration
import Ink
import Linux
import Touch

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the contacts of a touchscreen as they come.",
    discussion: """
      The lines are those of `paraph contacts`: contact, slot, time in ns, x and y in device units, \
      pressure or -, and down, move, up or cancel; behind them what else is said of the contact. Ends \
      with Ctrl-C, or when the device is unplugged.

      With --draw each report is a dot on the pad's panel, where the pad would draw: another colour for \
      each contact, grey for what would not draw. A finger that comes after two seconds without any \
      clears the panel. The device and the panel of a running pad are taken: stop it first.
      """)

  @Argument(help: "A node below /dev/input; without one, what the pad would take.")
  var device: String?

  @Flag(help: "Show the contacts as dots on the panel, too.")
  var draw = false

  @OptionGroup var pad: PadSettings

  func run() throws {
    let settings = try pad.read()
    var feed = try TouchFeed.open(device, settings)
    Notice.write("\(feed.label): \(feed.description.protocolText)")
    let stop = try StopSignals()
    var dots = draw ? try DotSketch(settings, feed.description, feed.properties) : nil
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

  /// Lists what waits; true when a recording is over.
  private func read(
    _ feed: inout TouchFeed, _ output: inout StandardOutput, _ take: (ContactEvent) -> Void
  ) throws -> Bool {
    var lines: [String] = []
    let rest = try feed.read { event in
      lines.append(([event.line] + event.remarks).joined(separator: "\t"))
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
      throw ToolError(.unavailable, "\(feed.label) is gone: \(reason.text)")
    }
  }
}

extension ContactEvent {
  /// What else is said of the contact.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if tool != .finger { remarks.append(tool.rawValue) }
    if isHovering { remarks.append("hovering") }
    if isResting { remarks.append("resting") }
    if isAfterGap { remarks.append("gap") }
    return remarks
  }
}
