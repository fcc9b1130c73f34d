internal import Linux

/// Plays a recording as if a device sent it now: each event at its time, through the same pipeline.
struct RecordingLoop: ~Copyable {
  /// The pause before a recording repeats.
  private static let pause: Int64 = 1_000_000_000
  /// The thread wakes this long before a report, and passes it on exactly at its time.
  ///
  /// A device's interrupt comes at the time that the kernel stamps; a timer is late, in a virtual machine by 0.1 ms.
  private static let lead: Int64 = 250_000

  private let recording: DeviceRecording
  private let repeats: Bool
  private var options: InputOptions
  private let loop: InputLoop
  private var timer: TimerDescriptor
  private var arbitration: TouchArbitration
  private var pipeline: ContactPipeline
  private var plays: Int32 = 0
  private var next = 0
  /// From the recording's time to CLOCK_MONOTONIC.
  private var offset: Int64 = 0

  init(_ recording: Recording, repeats: Bool, of loop: InputLoop) throws(SystemError) {
    switch recording {
    case .device(let recording): self.recording = recording
    case .handwriting(let handwriting):
      self.recording = handwriting.recording(
        width: loop.options.width, height: loop.options.height)
    }
    let timer: TimerDescriptor
    do throws(Errno) { timer = try TimerDescriptor() } catch {
      throw SystemError("timerfd_create", "", error)
    }
    self.timer = timer
    self.repeats = repeats
    self.loop = loop
    options = loop.options
    arbitration = TouchArbitration(options.policy)
    pipeline = ContactPipeline(
      self.recording.device, self.recording.properties, state: self.recording.state, number: 0,
      options)
  }

  mutating func run() throws(SystemError) {
    var poll = Poll()
    let messagesPlace = poll.add(loop.messages.number)
    let timerPlace = poll.add(timer.number)
    loop.notify(.opened(line: "paraph: playing the recording of \"\(recording.device.name)\""))
    start(at: MonotonicClock.now)
    while true {
      do throws(Errno) { try poll.wait() } catch { throw SystemError("poll", "", error) }
      if poll.isReadable(messagesPlace) {
        for message in loop.messages.takeAll() where !handle(message) { return }
      }
      if poll.isReadable(timerPlace) {
        timer.clear()
        if next < recording.events.count { play() } else { restart() }
      }
    }
  }

  /// Starts the recording. Its first event is due now, or after its own time if that is below 10 s.
  private mutating func start(at now: Int64) {
    next = 0
    let first = recording.events.first?.time ?? 0
    offset = now &- ((0..<10_000_000_000).contains(first) ? 0 : first)
    timer.set(recording.events.isEmpty ? nil : moment(of: 0) - Self.lead)
    if recording.events.isEmpty { loop.notify(.played) }
  }

  private func moment(of index: Int) -> Int64 { recording.events[index].time &+ offset }

  /// Spins until the next report is due, and passes on all that are due then.
  private mutating func play() {
    let due = moment(of: next)
    // Sets the timer first, so that ink does not wait for it: with a real device there is no timer.
    let following = firstEvent(after: due)
    timer.set(wakeTime(before: following, at: due))
    var now = MonotonicClock.now
    while now < due { now = MonotonicClock.now }
    var hasPushed = false
    while next < recording.events.count, moment(of: next) <= now {
      var event = recording.events[next]
      event.time = moment(of: next)
      hasPushed = pipeline.put(event, &arbitration, loop.ring) || hasPushed
      next += 1
    }
    let isOver = next == recording.events.count
    if isOver { hasPushed = pipeline.cancelAll(at: now, &arbitration, loop.ring) || hasPushed }
    if hasPushed { loop.ring.wake() }
    // The thread was late and passed on more reports.
    if next != following { timer.set(wakeTime(before: next, at: now)) }
    if isOver { loop.notify(.played) }
  }

  private func firstEvent(after time: Int64) -> Int {
    var index = next
    while index < recording.events.count, moment(of: index) <= time { index += 1 }
    return index
  }

  /// When to wake for an event or, after the last one, for the restart.
  private func wakeTime(before index: Int, at now: Int64) -> Int64? {
    if index < recording.events.count { return moment(of: index) - Self.lead }
    return repeats ? now + Self.pause : nil
  }

  private mutating func restart() {
    plays &+= 1
    pipeline = ContactPipeline(
      recording.device, recording.properties, state: recording.state, number: plays, options)
    start(at: MonotonicClock.now)
  }

  /// Returns false at the end.
  private mutating func handle(_ message: InputMessage) -> Bool {
    switch message {
    case .heartbeat: loop.notify(.alive)
    case .grab(let isHeld): loop.notify(.grabbed(isHeld))
    case .glass(let width, let height, let quarterTurns, _):
      (options.width, options.height) = (width, height)
      options.quarterTurns = quarterTurns
      pipeline.updateGlass(recording.device, recording.properties, options)
    case .stop:
      if pipeline.cancelAll(at: MonotonicClock.now, &arbitration, loop.ring) { loop.ring.wake() }
      return false
    }
    return true
  }
}
