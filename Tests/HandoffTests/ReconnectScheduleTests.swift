import Retry
import SyntheticHand
import Testing

@testable import Handoff

/// Times are seconds here.
@Suite struct ReconnectScheduleTests {
  static let second: Int64 = 1_000_000_000
  static let backoff = Backoff(
    first: 5 * second, longest: 3600 * second, longestEarly: Backoff.fleetLimit)

  func schedule(_ seed: UInt64 = 7, bootDue: Int64? = nil, at now: Int64 = 0) -> ReconnectSchedule {
    ReconnectSchedule(Self.backoff, seed: seed, bootDue: bootDue, at: now)
  }

  @Test func `a start connects at once, and a boot when the queue begins`() {
    #expect(schedule(at: 5).due == 5 && schedule(bootDue: 9, at: 5).due == 9)
  }

  @Test func `after a network's return, the queue's time counts, or one within half a minute`() {
    func due(_ seed: UInt64, failures: Int, queueDue: Int64? = nil) -> (before: Int64, after: Int64)
    {
      var schedule = schedule(seed)
      for _ in 0..<failures { schedule.failed(at: 0, isDelivery: true) }
      let before = schedule.due
      schedule.networkChanged(at: 0, queueDue: queueDue)
      return (before, schedule.due)
    }
    for seed in 0..<100 as Range<UInt64> {
      // Later and earlier than its own.
      #expect(due(seed, failures: 1, queueDue: 25 * Self.second).after == 25 * Self.second)
      #expect(due(seed, failures: 5, queueDue: Self.second).after == Self.second)
      // Another random time would bring it closer.
      let near = due(seed, failures: 1)
      #expect(near.before == near.after)
      #expect((0..<30 * Self.second).contains(due(seed, failures: 5).after))
    }
  }

  @Test func `the pads of a broker that restarts come back within half a minute at random`() {
    let dues = (0..<300 as Range<UInt64>).map { seed in
      var schedule = schedule(seed)
      schedule.opened(at: 0)
      let pause = schedule.closed(.lost, at: 100 * Self.second)
      #expect(pause == nil)
      return schedule.due / Self.second - 100
    }
    #expect(dues.allSatisfy { (0..<30).contains($0) } && Set(dues).count > 20)
  }

  @Test
  func `failures wait longer each time, and a connection after a delivery's longer than its retry`()
  {
    var schedule = schedule()
    var now: Int64 = 0
    for limit in [5, 10, 20, 40, 60, 60] as [Int64] {
      schedule.failed(at: now, isDelivery: false)
      #expect(
        schedule.due - now <= limit * Self.second && schedule.due - now >= Self.second * 5 / 2)
      now = schedule.due
    }
    schedule.failed(at: now, isDelivery: true)
    #expect(schedule.due >= now + 60 * Self.second && schedule.due <= now + 120 * Self.second)
    schedule.networkChanged(at: now)
    #expect(schedule.due <= now + 30 * Self.second)
    #expect(schedule.pause(at: now) == nil)
  }

  @Test func `a takeover pauses, and neither a network nor a delivery shortens the pause`() throws {
    var schedule = schedule()
    schedule.opened(at: 0)
    let answer = schedule.closed(.takenOver, at: Self.second)
    let pause = try #require(answer)
    #expect((30 * Self.second...60 * Self.second).contains(pause))
    #expect(schedule.pause(at: Self.second) == pause)
    schedule.networkChanged(at: 2 * Self.second)
    #expect(schedule.due == Self.second + pause && schedule.pause(at: schedule.due) == nil)
  }

  @Test
  func `without a reason, three short connections in a row are a conflict, and long ones are none`()
  {
    var schedule = schedule()
    var now: Int64 = 0
    func loseAfter(_ seconds: Int64, _ schedule: inout ReconnectSchedule) -> Int64? {
      schedule.opened(at: now)
      now += seconds * Self.second
      return schedule.closed(.lost, at: now)
    }
    let loss1 = loseAfter(20, &schedule)
    #expect(loss1 == nil)
    let loss2 = loseAfter(20, &schedule)
    #expect(loss2 == nil)
    let loss3 = loseAfter(61, &schedule)
    #expect(loss3 == nil)
    let loss4 = loseAfter(20, &schedule)
    #expect(loss4 == nil)
    let loss5 = loseAfter(20, &schedule)
    #expect(loss5 == nil)
    let loss6 = loseAfter(20, &schedule)
    #expect(loss6 != nil)
    // Until a connection outlasts the other one's pause.
    let loss7 = loseAfter(100, &schedule)
    #expect(loss7 != nil)
    let loss8 = loseAfter(1000, &schedule)
    #expect(loss8 == nil)
    let loss9 = loseAfter(20, &schedule)
    #expect(loss9 == nil)
  }

  @Test(arguments: [ReconnectSchedule.Loss.local, .named])
  func `what this side ends or the broker explains is no conflict, however often`(
    loss: ReconnectSchedule.Loss
  ) {
    var schedule = schedule()
    for second in 1...9 as ClosedRange<Int64> {
      schedule.opened(at: 2 * second * Self.second)
      let pause = schedule.closed(loss, at: (2 * second + 1) * Self.second)
      #expect(pause == nil)
      #expect(schedule.pause(at: (2 * second + 1) * Self.second) == nil)
    }
  }

  @Test func `a request to retry ends the pause after failures`() {
    var schedule = schedule()
    for _ in 0..<6 { schedule.failed(at: 0, isDelivery: true) }
    #expect(schedule.due >= 60 * Self.second)
    schedule.retryNow(at: Self.second)
    #expect(schedule.due == Self.second)
  }

  @Test func `a request to retry ends the pause`() {
    var schedule = schedule()
    schedule.opened(at: 0)
    let pause = schedule.closed(.takenOver, at: Self.second)
    #expect(pause != nil)
    schedule.retryNow(at: 2 * Self.second)
    #expect(schedule.pause(at: 2 * Self.second) == nil && schedule.due == 2 * Self.second)
  }

  @Test
  func
    `with another client id, pads connect within half a minute, and earlier evictions do not count`()
  {
    var dues: [Int64] = []
    for seed in 0..<300 as Range<UInt64> {
      var schedule = schedule(seed)
      schedule.opened(at: 0)
      let pause = schedule.closed(.takenOver, at: Self.second)
      #expect(pause != nil)
      schedule.clientChanged(at: Self.second)
      #expect(schedule.pause(at: Self.second) == nil)
      dues.append(schedule.due - Self.second)
      schedule.opened(at: schedule.due)
      let lost = schedule.closed(.lost, at: schedule.due + Self.second)
      #expect(lost == nil)
    }
    #expect(dues.allSatisfy { (0...30 * Self.second).contains($0) })
    // All pads of a broker that crashed three times: a tenth of them in three seconds on average.
    #expect(dues.count { $0 < 3 * Self.second } < 60)
  }

  /// Two pads of one name at one broker, for a week.
  @Test(arguments: [true, false])
  func `two pads of one name take turns, of up to an hour`(reportsTakeover: Bool) {
    for seed in 0..<20 as Range<UInt64> {
      var pads = [schedule(seed), schedule(seed + 100)]
      var connected: Int?
      var evictions: [Int64] = []
      var turns = [Int64](repeating: 0, count: 2)
      var since: Int64 = 0
      let week = 7 * 86_400 * Self.second
      while true {
        let next = (0..<2).filter { $0 != connected }.min { pads[$0].due < pads[$1].due }
        guard let next, pads[next].due < week else { break }
        let now = max(pads[next].due, since)
        if let old = connected {
          turns[old] += now - since
          _ = pads[old].closed(reportsTakeover ? .takenOver : .lost, at: now)
          evictions.append(now)
        }
        pads[next].opened(at: now)
        (connected, since) = (next, now)
      }
      // A day has at most 60 turns once the pauses have grown.
      #expect(evictions.count < 500, "seed \(seed)")
      #expect(evictions.count { $0 > week - 86_400 * Self.second } < 60, "seed \(seed)")
      #expect(turns.allSatisfy { $0 > week / 5 }, "seed \(seed): \(turns)")
    }
  }
}
