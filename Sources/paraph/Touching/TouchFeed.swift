import CLinux
import Configuration
import Linux
import Pad
import Touch

/// A source of contacts: a free device, or a recording played in real time.
struct TouchFeed: ~Copyable {
  /// How the next read ends.
  enum Rest {
    /// More will come.
    case waiting
    /// The recording is over.
    case over
    /// The device is unplugged.
    case gone(Errno)
  }

  /// What the device calls itself, with its node.
  let label: String
  /// The node; nil of a recording.
  let path: String?
  let description: DeviceDescription
  let properties: UdevProperties
  /// For poll(2).
  let number: Int32
  private var live: EventDevice?
  private var player: RecordingPlayer?
  private var decoder: ContactDecoder

  /// Opens a node; without one, what the configuration names.
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

  /// Reads what waits, and hands on what each frame says of each contact.
  mutating func read(_ take: (ContactEvent) -> Void) -> Rest {
    while true {
      if let event = player?.next(at: MonotonicClock.now) {
        if decoder.put(event) { pass(take) }
        continue
      }
      guard let reading = live?.next() else {
        guard isOver else { return .waiting }
        return end(.over, take)
      }
      switch reading {
      case .event(let event): if decoder.put(event) { pass(take) }
      case .gap: decoder.markGap(isResync: true)
      case .empty:
        if decoder.finishResync() { pass(take) }
        return .waiting
      case .gone(let reason): return end(.gone(reason), take)
      }
    }
  }

  private var isOver: Bool {
    switch player {
    case .some(let player): player.isOver
    case .none: true
    }
  }

  private mutating func end(_ rest: Rest, _ take: (ContactEvent) -> Void) -> Rest {
    if decoder.cancelAll(at: MonotonicClock.now) { pass(take) }
    return rest
  }

  private borrowing func pass(_ take: (ContactEvent) -> Void) {
    for index in 0..<decoder.frame.count { take(decoder.frame[index]) }
  }
}
