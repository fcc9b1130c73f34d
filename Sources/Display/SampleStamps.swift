/// The stamps of samples on their way to the glass. Fixed room: what is beyond it is not measured.
struct SampleStamps {
  private struct List {
    var stamps = InlineArray<64, Int64>(repeating: 0)
    var count = 0

    mutating func add(_ stamp: Int64) {
      guard count < 64 else { return }
      stamps[count] = stamp
      count += 1
    }
  }

  /// Of those that wait, so many have changed the picture.
  private var drawn = 0
  private var waiting = List()
  private var inFlight = List()
  private var lastShown: Int64?

  /// What arrived so long before a flip must be in it.
  static let grace: Int64 = 2_000_000

  /// Taken in, before it is known whether it changes the picture.
  mutating func note(_ stamp: Int64) { waiting.add(stamp) }

  /// What was taken in since the last time has changed the picture; if the last flip could still have
  /// had it, it is late. What has not, such as a finger that is lifted, has no pixels to wait for.
  mutating func settle(changed: Bool, _ statistics: inout PanelStatistics) {
    guard changed else { return waiting.count = drawn }
    if let lastShown {
      for index in drawn..<waiting.count where waiting.stamps[index] < lastShown - Self.grace {
        statistics.lateSamples += 1
      }
    }
    drawn = waiting.count
  }

  /// All that waited is on its way.
  mutating func committed(at time: Int64, _ statistics: inout PanelStatistics) {
    for index in 0..<waiting.count { statistics.stampToCommit.add(time - waiting.stamps[index]) }
    inFlight = waiting
    waiting.count = 0
    drawn = 0
  }

  /// All that was on its way is on the glass; what waits and was early enough is late.
  mutating func shown(at time: Int64, _ statistics: inout PanelStatistics) {
    lastShown = time
    for index in 0..<inFlight.count { statistics.stampToFlip.add(time - inFlight.stamps[index]) }
    inFlight.count = 0
    for index in 0..<drawn where waiting.stamps[index] < time - Self.grace {
      statistics.lateSamples += 1
    }
  }
}
