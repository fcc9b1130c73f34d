internal import Linux

/// What a panel waits for, as one descriptor: the card's events and a moment in time.
struct PanelWaiting: ~Copyable {
  private var timer: TimerDescriptor
  private let all: DescriptorSet

  /// For poll(2).
  var number: Int32 { all.number }

  /// With the card's descriptor, or none.
  init(events: Int32?) throws(DisplayError) {
    let timer = try Self.timer()
    all = try Self.set(timer.number, events)
    self.timer = timer
  }

  private static func timer() throws(DisplayError) -> TimerDescriptor {
    do throws(Errno) { return try TimerDescriptor() } catch { throw .refused(.wait, error) }
  }

  private static func set(_ timer: Int32, _ events: Int32?) throws(DisplayError) -> DescriptorSet {
    do throws(Errno) {
      let set = try DescriptorSet()
      try set.add(timer)
      if let events { try set.add(events) }
      return set
    } catch {
      throw .refused(.wait, error)
    }
  }

  /// Wakes at `moment` too, nanoseconds of CLOCK_MONOTONIC.
  mutating func set(_ moment: Int64?) { timer.set(moment) }

  /// The moment has been noticed.
  mutating func clear() { timer.clear() }
}
