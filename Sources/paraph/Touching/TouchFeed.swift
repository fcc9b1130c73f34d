import CLinux
import Configuration
import Display
import Linux
import Pad
import Touch

/// A source of contacts: a device, or a recording that is played in real time.
struct TouchFeed: ~Copyable {
  /// The state after a read.
  enum Rest {
    /// More events may follow.
    case waiting
    /// The recording has ended.
    case over
    /// The device is unplugged.
    case gone(Errno)
  }

  /// The node or file, and the device's name.
  let label: String
  /// The node; nil for a recording.
  let path: String?
  let description: DeviceDescription
  let properties: UdevProperties
  /// The descriptor for poll(2).
  let number: Int32
  private var live: EventDevice?
  private var player: RecordingPlayer?
  private var decoder: ContactDecoder

  /// Opens a node, or by default the configured device or recording.
  static func open(_ path: String?, _ settings: PadConfiguration) throws(ToolError) -> TouchFeed {
    if path == nil, let recording = settings.touch.recording { return try play(recording) }
    let chosen = if let path { path } else { try LiveDevice.path(by: settings) }
    let live = try LiveDevice(chosen)
    let node = live.path
    return TouchFeed(node, live.takeDevice())
  }

  private static func play(_ file: String) throws(ToolError) -> TouchFeed {
    let recording: Recording
    do throws(RecordingError) { recording = try Recording(contentsOf: file) } catch {
      throw ToolError(error)
    }
    guard case .device(let device) = recording else {
      throw ToolError(.data, "\(file) is handwriting, not a recording of a touchscreen")
    }
    do throws(Errno) { return TouchFeed(device, file, try RecordingPlayer(device.events)) } catch {
      throw ToolError(.io, "timerfd_create: \(error.text)")
    }
  }

  private init(_ path: String, _ device: consuming EventDevice) {
    description = device.description
    properties = UdevProperties(of: path)
    self.path = path
    label = "\(path) (\(description.name))"
    decoder = ContactDecoder(description, state: device.state)
    number = device.number
    live = .some(device)
    player = nil
  }

  private init(_ recording: DeviceRecording, _ file: String, _ player: consuming RecordingPlayer) {
    description = recording.device
    properties = recording.properties
    path = nil
    label = "\(file) (\(description.name))"
    decoder = ContactDecoder(recording.device, state: recording.state)
    number = player.number
    live = nil
    self.player = .some(player)
  }

  /// Reads all pending events, and calls `handle` with each contact of each frame.
  mutating func read(_ handle: (ContactEvent) -> Void) -> Rest {
    while true {
      if let event = player?.next(at: MonotonicClock.now) {
        if decoder.put(event) { pass(handle) }
        continue
      }
      guard let reading = live?.next() else {
        guard isOver else { return .waiting }
        return end(.over, handle)
      }
      switch reading {
      case .event(let event): if decoder.put(event) { pass(handle) }
      case .gap: decoder.markGap(isResync: true)
      case .empty:
        if decoder.finishResync() { pass(handle) }
        return .waiting
      case .gone(let reason): return end(.gone(reason), handle)
      }
    }
  }

  private var isOver: Bool {
    switch player {
    case .some(let player): player.isOver
    case .none: true
    }
  }

  private mutating func end(_ rest: Rest, _ handle: (ContactEvent) -> Void) -> Rest {
    if decoder.cancelAll(at: MonotonicClock.now) { pass(handle) }
    return rest
  }

  private borrowing func pass(_ handle: (ContactEvent) -> Void) {
    for index in 0..<decoder.frame.count { handle(decoder.frame[index]) }
  }
}

/// An opened event device that no other program has grabbed.
struct LiveDevice: ~Copyable {
  let path: String
  var device: EventDevice

  /// Opens a node.
  init(_ path: String) throws(ToolError) {
    let device: EventDevice
    do throws(SystemError) {
      device = try EventDevice(opening: path)
    } catch { throw LiveDevice.refusal(error) }
    let label = "\(path) (\(device.description.name))"
    if let reason = DeviceSuitability.incompatibility(of: device.description) {
      throw ToolError(.unavailable, "\(label): \(reason)")
    }
    try LiveDevice.checkFree(device, label)
    self.path = path
    self.device = device
  }

  consuming func takeDevice() -> EventDevice { device }

  /// The node of the device that the pad would use; a touchscreen is preferred to a pen.
  static func path(by settings: PadConfiguration) throws(ToolError) -> String {
    let displays = DisplaySurvey(OutputSelector(settings.display))
    let panel = PanelLocation(in: displays, settings.display)
    let survey = TouchSurvey(DeviceChoice(settings.touch.device), on: panel)
    let entries = survey.entries.filter { $0.unused == nil }
    if let entry = entries.first(where: { $0.kind == .touchscreen }) ?? entries.first {
      return entry.path
    }
    throw ToolError(
      .unavailable, "no usable touchscreen; see paraph devices")
  }

  private static func refusal(_ error: SystemError) -> ToolError {
    switch error.errno.rawValue {
    case EACCES, EPERM: ToolError(.noPermission, error.text + " (the group input is needed)")
    case ENOTTY, EINVAL: ToolError(.unavailable, "\(error.subject): not an event device")
    case ENOENT, ENODEV, ENXIO: ToolError(.unavailable, error.text)
    default: ToolError(.io, error.text)
    }
  }

  /// Throws if another program has grabbed the device, and so receives all its events.
  private static func checkFree(_ device: borrowing EventDevice, _ label: String) throws(ToolError)
  {
    do throws(Errno) {
      try device.grab()
      device.ungrab()
    } catch {
      throw ToolError(
        .tempfail,
        "\(label): in use by another program, probably the pad; \(ToolError.stopPad)")
    }
  }
}

extension ToolError {
  /// How to stop a running pad.
  static let stopPad = "stop it with systemctl stop paraphd"
}

/// Plays the events of a recording at their times.
struct RecordingPlayer: ~Copyable {
  private let events: [InputEvent]
  private var timer: TimerDescriptor
  private var place = 0
  /// The difference of CLOCK_MONOTONIC and the recording's time.
  private let offset: Int64

  /// Starts playing now.
  init(_ events: [InputEvent]) throws(Errno) {
    self.events = events
    timer = try TimerDescriptor()
    offset = MonotonicClock.now &- (events.first?.time ?? 0)
    timer.set(events.isEmpty ? MonotonicClock.now : moment)
  }

  /// The descriptor for poll(2).
  var number: Int32 { timer.number }

  /// Whether all events were played.
  var isOver: Bool { place == events.count }

  private var moment: Int64 { events[place].time &+ offset }

  /// The next event with its time of playing; nil if none is due.
  mutating func next(at now: Int64) -> InputEvent? {
    guard !isOver else { return nil }
    guard moment <= now else {
      timer.clear()
      timer.set(moment)
      return nil
    }
    var event = events[place]
    event.time = moment
    place += 1
    return event
  }
}

/// The signals that end a continuous command.
struct StopSignals: ~Copyable {
  private let signals: SignalDescriptor

  init() throws(ToolError) {
    do throws(Errno) { signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP]) } catch {
      throw ToolError(.io, "signalfd: \(error.text)")
    }
  }

  /// The descriptor for poll(2): readable after a signal.
  var number: Int32 { signals.number }
}
