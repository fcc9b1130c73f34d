internal import Linux

/// What a panel waits for, as one descriptor: a moment in time, the card's events, news of cards, and
/// that the machine has slept.
struct PanelWaiting: ~Copyable {
  private var timer: TimerDescriptor
  private let all: EventPoll
  private var hotplug: HotplugWatch?
  private var resume: ResumeWatch?

  /// For poll(2).
  var number: Int32 { all.number }

  /// `watchingCards`: from here on, so that nothing is missed that changes while cards are looked at.
  init(watchingCards: Bool) throws(DisplayError) {
    let timer = try Self.timer()
    let all = try Self.set()
    let hotplug = watchingCards ? try HotplugWatch() : nil
    // A kernel that cannot tell (before 3.0) leaves the picture to its drivers.
    let resume = watchingCards ? try? ResumeWatch() : nil
    try Self.add(timer.number, .timer, to: all)
    if let number = Self.number(of: hotplug) { try Self.add(number, .hotplug, to: all) }
    switch resume {
    case .some(let resume): try Self.add(resume.number, .resume, to: all)
    case .none: break
    }
    self.resume = resume
    self.timer = timer
    self.all = all
    self.hotplug = hotplug
  }

  private static func timer() throws(DisplayError) -> TimerDescriptor {
    do throws(Errno) { return try TimerDescriptor() } catch { throw .refused(.wait, error) }
  }

  private static func set() throws(DisplayError) -> EventPoll {
    do throws(Errno) { return try EventPoll() } catch { throw .refused(.wait, error) }
  }

  private static func number(of watch: borrowing HotplugWatch?) -> Int32? {
    switch watch {
    case .some(let watch): watch.number
    case .none: nil
    }
  }

  /// What became ready.
  struct Ready: OptionSet {
    let rawValue: Int
    static let timer = Ready(rawValue: 1)
    static let hotplug = Ready(rawValue: 2)
    static let card = Ready(rawValue: 4)
    static let resume = Ready(rawValue: 8)
  }

  private static func add(
    _ number: Int32, _ what: Ready, to set: borrowing EventPoll
  ) throws(DisplayError) {
    do throws(Errno) {
      try set.add(number, key: what.rawValue)
    } catch {
      throw .refused(.wait, error)
    }
  }

  /// A card's events too, from here on; those of a closed one leave by themselves.
  func listen(to events: Int32) throws(DisplayError) {
    try Self.add(events, .card, to: all)
  }

  /// Wakes at `moment` too, nanoseconds of CLOCK_MONOTONIC.
  mutating func set(_ moment: Int64?) { timer.set(moment) }

  /// What has happened since last asked: the moment has come, the card has events, cards or connectors
  /// may have changed, the machine has slept. Allocates nothing unless they did.
  mutating func take() -> Ready {
    var ready = Ready()
    try? all.ready { ready.insert(Ready(rawValue: $0.key)) }
    if ready.contains(.timer) { timer.clear() }
    if ready.contains(.hotplug), hotplug?.take() != true { ready.remove(.hotplug) }
    if ready.contains(.resume), resume?.take() != true { ready.remove(.resume) }
    return ready
  }
}
