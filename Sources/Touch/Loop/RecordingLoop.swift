internal import Linux

/// Plays a recording as if a device sent it now: each event at its time, through the same decoder.
struct RecordingLoop: ~Copyable {
  /// Between the end and the next beginning of a recording that repeats.
  private static let pause: Int64 = 1_000_000_000
  /// A device's interrupt comes when its report is there, which is what the kernel stamps; a timer's
  /// wake-up is late, in a virtual machine by a tenth of a millisecond. So long before a report the thread
  /// is up, and hands it over at the moment that its stamp says.
  private static let lead: Int64 = 250_000

  private let recording: DeviceRecording
  private let repeats: Bool
  private var options: InputOptions
  private let loop: InputLoop
  private var timer: TimerDescriptor
  private var choice: TouchArbitration
  private var source: ContactSource
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
    choice = TouchArbitration(options.policy)
    source = ContactSource(
      self.recording.device, self.recording.properties, state: self.recording.state, number: 0,
      options)
  }

  mutating func run() throws(SystemError) {
    var poll = Poll()
    let messagesPlace = poll.add(loop.messages.number)
    let timerPlace = poll.add(timer.number)
    loop.tell(.opened(line: "paraph: a recording of \"\(recording.device.name)\" is played"))
    begin(at: MonotonicClock.now)
    while true {
      do throws(Errno) { try poll.wait() } catch { throw SystemError("poll", "", error) }
      if poll.isReadable(messagesPlace) {
        for message in loop.messages.takeAll() where !take(message) { return }
      }
      if poll.isReadable(timerPlace) {
        timer.clear()
        if next < recording.events.count { play() } else { restart() }
      }
    }
  }

  /// Times count from the first event; what counts from a few seconds before it keeps its lead.
  private mutating func begin(at now: Int64) {
    next = 0
    let first = recording.events.first?.time ?? 0
    offset = now &- ((0..<10_000_000_000).contains(first) ? 0 : first)
    timer.set(recording.events.isEmpty ? nil : moment(of: 0) - Self.lead)
    if recording.events.isEmpty { loop.tell(.played) }
  }

  private func moment(of index: Int) -> Int64 { recording.events[index].time &+ offset }

  /// Waits for the moment of the next report without sleeping, and hands over what has come by then.
  private mutating func play() {
    let due = moment(of: next)
    // Before the report is handed over: a device sets no timer, and ink should not have to wait for one.
    let following = firstEvent(after: due)
    timer.set(wakeUp(before: following, at: due))
    var now = MonotonicClock.now
    while now < due { now = MonotonicClock.now }
    var isNews = false
    while next < recording.events.count, moment(of: next) <= now {
      var event = recording.events[next]
      event.time = moment(of: next)
      isNews = source.put(event, &choice, loop.ring) || isNews
      next += 1
    }
    let isOver = next == recording.events.count
    if isOver { isNews = source.cancelAll(at: now, &choice, loop.ring) || isNews }
    if isNews { loop.ring.wake() }
    // It was late, and had more to hand over.
    if next != following { timer.set(wakeUp(before: next, at: now)) }
    if isOver { loop.tell(.played) }
  }

  private func firstEvent(after time: Int64) -> Int {
    var index = next
    while index < recording.events.count, moment(of: index) <= time { index += 1 }
    return index
  }

  /// When to be up for an event; behind the last one, for the next beginning.
  private func wakeUp(before index: Int, at now: Int64) -> Int64? {
    if index < recording.events.count { return moment(of: index) - Self.lead }
    return repeats ? now + Self.pause : nil
  }

  private mutating func restart() {
    plays &+= 1
    source = ContactSource(
      recording.device, recording.properties, state: recording.state, number: plays, options)
    begin(at: MonotonicClock.now)
  }

  /// False at the end.
  private mutating func take(_ message: InputMessage) -> Bool {
    switch message {
    case .heartbeat: loop.tell(.alive)
    case .grab(let isHeld): loop.tell(.grabbed(isHeld))
    case .glass(let width, let height, let quarterTurns, _):
      (options.width, options.height) = (width, height)
      options.quarterTurns = quarterTurns
      source.place(options)
    case .stop:
      if source.cancelAll(at: MonotonicClock.now, &choice, loop.ring) { loop.ring.wake() }
      return false
    }
    return true
  }
}
