import CLinux
import Linux

/// The host's commands, carried out on a device; each is answered by one line, "ok" or "error" and why.
struct Session<Device: TouchDevice & ~Copyable>: ~Copyable {
  private let panel: Panel
  private var device: Device
  private var fingers: Fingers
  private var lines = Lines()
  private var poll = Poll()
  /// When the last report or pause ended, on CLOCK_MONOTONIC.
  private var mark: Int64 = 0
  /// Reports of storms so far: the next one goes on where the last one ended.
  private var turned = 0

  /// Between the reports of a finger that rests, in milliseconds.
  private let period: Int32 = 10

  init(_ panel: Panel, _ device: consuming Device) {
    self.panel = panel
    self.device = device
    fingers = Fingers(slots: panel.slots)
    poll.add(0)
    poll.add(self.device.questions)
  }

  /// Until `quit` or the end of the input.
  mutating func run() throws(Failure) {
    while !device.isReady { try serve(milliseconds: -1, listening: false) }
    say("ready \(panel.name)")
    while let line = try nextLine() {
      guard let command = Command(line) else {
        say("error: no command: \(line)")
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
      // A pause counts from here when the host has let time pass between its commands.
      if let line = lines.next() {
        mark = MonotonicClock.now
        return line
      }
    }
    return nil
  }

  /// Waits for the kernel's questions, and for the host's lines too if `listening`. May return early.
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

  /// What there is to add to "ok".
  private mutating func perform(_ command: Command) throws(Failure) -> String {
    do throws(Fingers.Failure) {
      switch command {
      case .down(let slot, let x, let y):
        let place = panel.units(x: x, y: y)
        try fingers.down(slot, x: place.x, y: place.y)
      case .move(let slot, let x, let y):
        let place = panel.units(x: x, y: y)
        try fingers.move(slot, x: place.x, y: place.y)
      case .up(let slot): try fingers.up(slot)
      case .frame, .wait, .play, .storm, .quit: break
      }
    } catch {
      throw Failure(error.text)
    }
    switch command {
    case .frame: try report()
    case .wait(let nanoseconds): try pause(until: mark + nanoseconds)
    case .play(let path): return try play(try StrokeFile(path: path))
    case .storm(let storm): return try raise(storm)
    case .down, .move, .up, .quit: break
    }
    return ""
  }

  private mutating func report() throws(Failure) {
    try device.report(fingers)
    fingers.reported()
  }

  /// The kernel's questions are answered meanwhile.
  private mutating func pause(until end: Int64) throws(Failure) {
    while true {
      let remaining = end - MonotonicClock.now
      if remaining < 3_000_000 { break }
      try serve(milliseconds: Int32((remaining - 2_000_000) / 1_000_000), listening: false)
    }
    var time = timespec()
    time.tv_sec = Int(end / 1_000_000_000)
    time.tv_nsec = Int(end % 1_000_000_000)
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    mark = end
  }

  /// One finger in slot 0. Says how many reports were sent, and how late the latest was.
  private mutating func play(_ file: StrokeFile) throws(Failure) -> String {
    let start = MonotonicClock.now
    var latest: Int64 = 0
    for step in file.steps {
      try pause(until: start + step.nanoseconds)
      latest = max(latest, MonotonicClock.now - start - step.nanoseconds)
      do throws(Fingers.Failure) {
        try place(step.place)
      } catch {
        throw Failure(error.text)
      }
      try report()
    }
    return " \(file.steps.count) reports, at most \(latest / 1000) us late"
  }

  /// All fingers come with the first report and stay after the last one.
  private mutating func raise(_ storm: Storm) throws(Failure) -> String {
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
          let place = storm.place(of: finger, in: turned, on: panel)
          try self.place(finger, place)
        }
      } catch {
        throw Failure(error.text)
      }
      try report()
      turned += 1
    }
    let took = (MonotonicClock.now - start) / 1_000_000
    return " \(storm.reports) reports in \(took) ms, at most \(latest / 1000) us late"
  }

  private mutating func place(_ place: (x: Double, y: Double)?) throws(Fingers.Failure) {
    guard let place else { return try fingers.up(0) }
    try self.place(0, place)
  }

  private mutating func place(
    _ slot: Int, _ place: (x: Double, y: Double)
  ) throws(Fingers.Failure) {
    let (x, y) = panel.units(x: place.x, y: place.y)
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
