internal import ArgumentParser
import CLinux
import Linux
import Touch

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the contacts of a touchscreen as they come.",
    discussion: """
      The lines are those of `paraph contacts`: contact, slot, time in ns, x and y in device units, \
      pressure or -, and down, move, up or cancel; behind them what else is said of the contact. Ends \
      with Ctrl-C, or when the device is unplugged.
      """)

  @Argument(help: "A node below /dev/input; without one, what the pad would take.")
  var device: String?

  func run() throws {
    var live = try LiveDevice(device)
    let description = live.device.description
    StandardError.write("paraph: \(live.path) (\(description.name)): \(description.protocolText)\n")
    var decoder = ContactDecoder(description, state: live.device.state)
    var output = StandardOutput()
    var poll = Poll()
    poll.add(live.device.number)
    while true {
      try output.flush()
      _ = try? poll.wait()
      if let reason = try read(&live.device, &decoder, &output) {
        try output.flush()
        throw ToolError(.unavailable, "\(live.path) is gone: \(reason.text)")
      }
    }
  }

  /// Reads what waits; answers why the device is gone if it is.
  private func read(
    _ device: inout EventDevice, _ decoder: inout ContactDecoder, _ output: inout StandardOutput
  ) throws -> Errno? {
    while true {
      switch device.next() {
      case .event(let event): if decoder.put(event) { try list(decoder, &output) }
      case .gap: decoder.markGap()
      case .empty: return nil
      case .gone(let reason):
        if decoder.cancelAll(at: MonotonicClock.now) { try list(decoder, &output) }
        return reason
      }
    }
  }

  private func list(_ decoder: borrowing ContactDecoder, _ output: inout StandardOutput) throws {
    for index in 0..<decoder.frame.count {
      let event = decoder.frame[index]
      try output.line(([event.line] + event.remarks).joined(separator: "\t"))
    }
  }
}

extension ContactEvent {
  /// What else is said of the contact.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if tool != .finger { remarks.append("\(tool)") }
    if isHovering { remarks.append("hovering") }
    if isResting { remarks.append("resting") }
    if isAfterGap { remarks.append("gap") }
    return remarks
  }
}
