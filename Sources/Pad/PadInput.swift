public import Configuration
internal import Ink
internal import Linux
public import Touch

/// The input thread, fed by devices or a recording.
struct PadInput: ~Copyable {
  private let messages: Mailbox<InputMessage>
  private let thread: Thread

  /// Starts the thread for a panel.
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
      // The render thread runs first when both are ready; the kernel queues and time-stamps events meanwhile.
      SharedCore.join(yields: true)
      do throws(SystemError) {
        try loop.run()
      } catch { main.post(.inputEnded(reason: "kernel: \(error.text)")) }
    }
    self.messages = messages
  }

  /// Reads the source of the configuration, before a panel is opened.
  static func source(
    of configuration: TouchConfiguration
  ) throws(RecordingError) -> InputOptions.Source {
    if let path = configuration.recording {
      return .recording(try Recording(contentsOf: path), repeats: configuration.loop)
    }
    return .devices(DeviceChoice(configuration.device))
  }

  /// Sends a heartbeat, which `.input(.alive)` answers.
  borrowing func checkAlive() { messages.post(.heartbeat) }

  /// Sets the size and orientation of the panel.
  borrowing func setPanel(_ panel: PanelFacts) {
    messages.post(
      .glass(
        width: panel.glass.x, height: panel.glass.y, quarterTurns: panel.quarterTurns,
        panel: panel.location))
  }

  /// Grabs the devices, or releases them. Has no effect if the configuration does not grab.
  borrowing func grab(_ isHeld: Bool) { messages.post(.grab(isHeld)) }

  /// Ends the thread. Contacts that are down are cancelled.
  consuming func stop() {
    messages.post(.stop)
    thread.join()
  }
}

extension DeviceChoice {
  /// The device of the configuration.
  public init(_ device: TouchConfiguration.Device) {
    self =
      switch device {
      case .automatic: .automatic
      case .path(let path): .path(path)
      case .name(let name): .name(name)
      case .property(let name, let value): .property(name, value)
      }
  }
}

extension ContactFilters.Options {
  /// The filters of the configuration.
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
  public init?(_ numbers: [Float]) {
    guard numbers.count == 6 else { return nil }
    let n = numbers.map { Double($0) }
    self.init(n[0], n[1], n[2], n[3], n[4], n[5])
  }
}
