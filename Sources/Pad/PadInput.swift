internal import Configuration
internal import Ink
internal import Linux
internal import Touch

/// The input thread, whatever feeds it.
struct PadInput: ~Copyable {
  private let messages: Mailbox<InputMessage>
  private let thread: Thread

  /// Starts it for a panel that is lit.
  init(
    _ source: InputOptions.Source, _ configuration: TouchConfiguration, panel: PanelFacts,
    ring: ContactRing, main: Mailbox<MainMessage>
  ) throws(Errno) {
    let messages = try Mailbox<InputMessage>()
    var options = InputOptions(source, width: panel.glass.x, height: panel.glass.y)
    options.policy = configuration.contacts == .all ? .all : .first
    options.grabs = configuration.grab
    options.calibration = configuration.calibrationMatrix.flatMap { CalibrationMatrix($0) }
    options.sensitiveSize = configuration.size.map { Point($0.width, $0.height) }
    options.quarterTurns = panel.quarterTurns
    options.panel = panel.location
    options.filters = ContactFilters.Options(configuration.filters)
    let loop = InputLoop(options, into: ring, messages: messages) { main.post(.input($0)) }
    thread = try Thread(name: "paraph-input") {
      // Drawing goes first, from the moment that it is woken. What comes meanwhile waits in the kernel, stamped.
      SharedCore.join(yields: true)
      do throws(SystemError) {
        try loop.run()
      } catch { main.post(.inputEnded(reason: "kernel: \(error.text)")) }
    }
    self.messages = messages
  }

  /// Reads what the configuration names, before anything is lit.
  static func source(
    of configuration: TouchConfiguration
  ) throws(RecordingError) -> InputOptions.Source {
    if let path = configuration.recording {
      return .recording(try Recording(contentsOf: path), repeats: configuration.loop)
    }
    return .devices(DeviceChoice(configuration.device))
  }

  /// It answers with `.input(.alive)`.
  borrowing func askAlive() { messages.post(.heartbeat) }

  /// The panel has another size, or its picture lies otherwise.
  borrowing func tell(_ panel: PanelFacts) {
    messages.post(
      .glass(
        width: panel.glass.x, height: panel.glass.y, quarterTurns: panel.quarterTurns,
        panel: panel.location))
  }

  /// Grabs the devices, or releases them to other programs, unless the configuration shares them anyway.
  borrowing func grab(_ isHeld: Bool) { messages.post(.grab(isHeld)) }

  /// Ends it; contacts that are down are cancelled.
  consuming func stop() {
    messages.post(.stop)
    thread.join()
  }
}

extension ContactFilters.Options {
  /// What the configuration asks for.
  init(_ filters: FilterConfiguration) {
    self.init()
    palmSize = filters.palmSize.map { Int32(clamping: $0) }
    dropThreshold = Int64(filters.dropThreshold ?? 0) * 1_000_000
    leastPressure = filters.leastPressure.map { Int32(clamping: $0) }
    greatestPressure = filters.greatestPressure.map { Int32(clamping: $0) }
    skipHead = filters.skipHead ?? 0
    skipTail = filters.skipTail ?? 0
    medianDepth = filters.medianDepth ?? 1
  }
}

extension CalibrationMatrix {
  /// Six numbers, row by row.
  init?(_ numbers: [Float]) {
    guard numbers.count == 6 else { return nil }
    let n = numbers.map { Double($0) }
    self.init(n[0], n[1], n[2], n[3], n[4], n[5])
  }
}
