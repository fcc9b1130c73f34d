import CLinux
import Linux

/// Executes the host's commands on a device, and answers each with a line: "ok" or "error: REASON".
struct Session<Device: TouchDevice & ~Copyable>: ~Copyable {
  private let panel: Panel
  private var device: Device
  private var fingers: Fingers
  private var lines = Lines(ofPort: true)
  private var poll = Poll()
  /// The end of the last report or pause, on CLOCK_MONOTONIC.
  private var mark: Int64 = 0
  /// The number of storm reports so far: the next storm continues the circles.
  private var stormReports = 0

  /// Milliseconds between the reports of a resting finger.
  private let period: Int32 = 10

  init(_ panel: Panel, _ device: consuming Device) {
    self.panel = panel
    self.device = device
    fingers = Fingers(slots: panel.slots)
    poll.add(0)
    poll.add(self.device.requests)
  }

  /// Runs until `quit` or the end of the input.
  mutating func run() throws(Failure) {
    while !device.isReady { try serve(milliseconds: -1, listening: false) }
    say("ready \(panel.name)")
    while let line = try nextLine() {
      guard let command = Command(line) else {
        say("error: unknown command: \(line)")
        continue
      }
      if case .quit = command { break }
      do throws(Failure) {
        say("ok" + (try perform(command)))
      } catch {
        say("error: \(error.text)")
      }
    }
  }

  private mutating func nextLine() throws(Failure) -> String? {
    if let line = lines.next() { return line }
    while !lines.isEnded {
      try serve(milliseconds: -1, listening: true)
      // A pause after a late command counts from its arrival.
      if let line = lines.next() {
        mark = MonotonicClock.now
        return line
      }
    }
    return nil
  }

  /// Waits for the kernel's requests and, if `listening`, for the host's lines. May return early.
  private mutating func serve(milliseconds: Int32, listening: Bool) throws(Failure) {
    poll.replace(0, with: listening ? 0 : -1)
    let rests = device.repeats && fingers.before.contains { $0 != nil }
    let limit = rests && !(0..<period).contains(milliseconds) ? period : milliseconds
    let isIdle: Bool
    do throws(Errno) {
      isIdle = try !poll.wait(milliseconds: limit)
    } catch {
      throw Failure("poll: \(error.text)")
    }
    if isIdle && rests { try device.report(fingers.repeated) }
    if poll.isReadable(1) { try device.answer() }
    if listening, poll.isReadable(0) || poll.isGone(0) { lines.receive() }
  }

  /// Executes a command. Returns what follows "ok".
  private mutating func perform(_ command: Command) throws(Failure) -> String {
    do throws(Fingers.Failure) {
      switch command {
      case .down(let slot, let x, let y):
        let units = panel.units(x: x, y: y)
        try fingers.down(slot, x: units.x, y: units.y)
      case .move(let slot, let x, let y):
        let units = panel.units(x: x, y: y)
        try fingers.move(slot, x: units.x, y: units.y)
      case .up(let slot): try fingers.up(slot)
      case .frame, .wait, .play, .storm, .quit: break
      }
    } catch {
      throw Failure(error.text)
    }
    switch command {
    case .frame:
      try report()
      // A finger stays as long as it was told, however late it came down: a shorter tap is noise to the pad.
      mark = MonotonicClock.now
    case .wait(let nanoseconds): try pause(until: mark + nanoseconds)
    case .play(let path): return try play(try StrokeFile(path: path))
    case .storm(let storm): return try run(storm)
    case .down, .move, .up, .quit: break
    }
    return ""
  }

  private mutating func report() throws(Failure) {
    try device.report(fingers)
    fingers.reported()
  }

  /// Waits until a time, and answers the kernel's requests meanwhile.
  private mutating func pause(until end: Int64) throws(Failure) {
    while true {
      let remaining = end - MonotonicClock.now
      if remaining < 3_000_000 { break }
      try serve(milliseconds: Int32((remaining - 2_000_000) / 1_000_000), listening: false)
    }
    var time = timespec()
    time.tv_sec = time_t(end / 1_000_000_000)
    time.tv_nsec = Int(end % 1_000_000_000)
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    mark = end
  }

  /// Plays strokes with a finger in slot 0. Returns the number of reports and the largest delay.
  private mutating func play(_ file: StrokeFile) throws(Failure) -> String {
    let start = MonotonicClock.now
    var latest: Int64 = 0
    for step in file.steps {
      try pause(until: start + step.nanoseconds)
      latest = max(latest, MonotonicClock.now - start - step.nanoseconds)
      do throws(Fingers.Failure) {
        try place(step.position)
      } catch {
        throw Failure(error.text)
      }
      try report()
    }
    return " \(file.steps.count) reports, at most \(latest / 1000) us late"
  }

  /// Runs a storm. All fingers begin in its first report and stay after the last one.
  private mutating func run(_ storm: Storm) throws(Failure) -> String {
    let start = MonotonicClock.now
    var latest: Int64 = 0
    for index in 0..<storm.reports {
      let due = start + Int64(index) * storm.nanoseconds
      if storm.nanoseconds > 0 {
        try pause(until: due)
        latest = max(latest, MonotonicClock.now - due)
      }
      do throws(Fingers.Failure) {
        for finger in 0..<storm.fingers {
          try place(finger, storm.position(of: finger, in: stormReports, on: panel))
        }
      } catch {
        throw Failure(error.text)
      }
      try report()
      stormReports += 1
    }
    let took = (MonotonicClock.now - start) / 1_000_000
    return " \(storm.reports) reports in \(took) ms, at most \(latest / 1000) us late"
  }

  private mutating func place(_ position: (x: Double, y: Double)?) throws(Fingers.Failure) {
    guard let position else { return try fingers.up(0) }
    try place(0, position)
  }

  private mutating func place(
    _ slot: Int, _ position: (x: Double, y: Double)
  ) throws(Fingers.Failure) {
    let (x, y) = panel.units(x: position.x, y: position.y)
    if fingers.now.indices.contains(slot), fingers.now[slot] == nil {
      try fingers.down(slot, x: x, y: y)
    } else {
      try fingers.move(slot, x: x, y: y)
    }
  }

  private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(1, bytes, bytes.count)
  }
}

/// The lines of standard input, without blocking in read(2) for a whole line.
struct Lines {
  private let isPort: Bool
  private var pending: [UInt8] = []
  private(set) var isEnded = false

  /// - Parameter isPort: Whether a machine's host is at the other end, which is never gone for long.
  init(ofPort isPort: Bool = false) { self.isPort = isPort }

  /// Reads the available bytes; call it when poll(2) reports some.
  mutating func receive() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(0, &chunk, chunk.count)
    if count > 0 {
      pending += chunk[..<count]
    } else if count == 0, isPort {
      // After a machine's sleep, a virtio port has no data until the host has said again that its end is open
      // (virtcons_freeze in Linux's drivers/char/virtio_console.c).
      _ = usleep(10_000)
    } else {
      isEnded = true
    }
  }

  /// The next whole line; nil until it has arrived.
  mutating func next() -> String? {
    guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = String(decoding: pending[..<end], as: UTF8.self)
    pending.removeSubrange(...end)
    return line
  }
}
