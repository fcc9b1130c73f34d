import Linux
import Touch

/// The events of a recording, each at its time.
struct RecordingPlayer: ~Copyable {
  private let events: [InputEvent]
  private var timer: TimerDescriptor
  private var place = 0
  /// From the recording's time to CLOCK_MONOTONIC.
  private let offset: Int64

  /// Begins now.
  init(_ events: [InputEvent]) throws(Errno) {
    self.events = events
    timer = try TimerDescriptor()
    offset = MonotonicClock.now &- (events.first?.time ?? 0)
    timer.set(events.isEmpty ? MonotonicClock.now : moment)
  }

  /// For poll(2).
  var number: Int32 { timer.number }

  /// Whether all has been played.
  var isOver: Bool { place == events.count }

  private var moment: Int64 { events[place].time &+ offset }

  /// The next event, with the time at which it is played, if that has come.
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
