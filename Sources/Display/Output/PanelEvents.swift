internal import Linux

/// The sources of a panel's events behind one descriptor: timer, card, hotplug and resume.
struct PanelEvents: ~Copyable {
  private var timer: TimerDescriptor
  private let poll: EventPoll
  private var hotplug: HotplugWatch?
  private var resume: ResumeWatch?

  /// The descriptor for poll(2).
  var number: Int32 { poll.number }

  /// Starts watching.
  ///
  /// - Parameter watchingCards: Whether hotplug and resume are watched; start before the cards are surveyed.
  init(watchingCards: Bool) throws(DisplayError) {
    let timer = try Self.timer()
    let poll = try Self.poll()
    let hotplug = watchingCards ? try HotplugWatch() : nil
    // Kernels before 3.0 report no resume.
    let resume = watchingCards ? try? ResumeWatch() : nil
    try Self.add(timer.number, .timer, to: poll)
    if let number = Self.number(of: hotplug) { try Self.add(number, .hotplug, to: poll) }
    switch resume {
    case .some(let resume): try Self.add(resume.number, .resume, to: poll)
    case .none: break
    }
    self.resume = resume
    self.timer = timer
    self.poll = poll
    self.hotplug = hotplug
  }

  private static func timer() throws(DisplayError) -> TimerDescriptor {
    do throws(Errno) { return try TimerDescriptor() } catch { throw .refused(.wait, error) }
  }

  private static func poll() throws(DisplayError) -> EventPoll {
    do throws(Errno) { return try EventPoll() } catch { throw .refused(.wait, error) }
  }

  private static func number(of watch: borrowing HotplugWatch?) -> Int32? {
    switch watch {
    case .some(let watch): watch.number
    case .none: nil
    }
  }

  /// The sources that are ready.
  struct Ready: OptionSet {
    let rawValue: Int
    static let timer = Ready(rawValue: 1)
    static let hotplug = Ready(rawValue: 2)
    static let card = Ready(rawValue: 4)
    static let resume = Ready(rawValue: 8)
  }

  private static func add(
    _ number: Int32, _ source: Ready, to poll: borrowing EventPoll
  ) throws(DisplayError) {
    do throws(Errno) {
      try poll.add(number, key: source.rawValue)
    } catch {
      throw .refused(.wait, error)
    }
  }

  /// Adds a card's descriptor; closing it removes it.
  func add(card descriptor: Int32) throws(DisplayError) {
    try Self.add(descriptor, .card, to: poll)
  }

  /// Sets the timer, in nanoseconds of CLOCK_MONOTONIC; nil stops it.
  mutating func setTimer(_ deadline: Int64?) { timer.set(deadline) }

  /// Reads which sources are ready.
  ///
  /// Allocates only for hotplug and resume.
  mutating func read() -> Ready {
    var ready = Ready()
    try? poll.ready { ready.insert(Ready(rawValue: $0.key)) }
    if ready.contains(.timer) { timer.clear() }
    if ready.contains(.hotplug), hotplug?.readChanges() != true { ready.remove(.hotplug) }
    if ready.contains(.resume), resume?.hasResumed() != true { ready.remove(.resume) }
    return ready
  }
}
