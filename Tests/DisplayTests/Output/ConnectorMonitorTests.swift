import Testing

@testable import Display

@Suite struct ConnectorMonitorTests {
  private static let second: Int64 = 1_000_000_000

  /// The probes of an hour in which the panel is looked at every five seconds, by a driver that takes `duration` for
  /// each and answers it with a notice.
  private func probes(
    answering: Bool, duration: Int64, noticeAt notice: Int64 = second
  ) -> [Int64] {
    var schedule = ProbeSchedule()
    var made: [Int64] = []
    var isTold = false
    for beat in stride(from: 0, to: 3600 * Self.second, by: Int(5 * Self.second)) {
      if !isTold, notice <= beat {
        schedule.changed(at: notice)
        isTold = true
      }
      guard schedule.isDue(at: beat) else { continue }
      made.append(beat)
      schedule.probed(at: beat + duration)
      if answering { schedule.changed(at: beat + duration + 5_000_000) }
    }
    return made
  }

  @Test func `without a notice nothing is probed`() {
    let schedule = ProbeSchedule()
    #expect(schedule.due == nil && !schedule.isDue(at: Self.second))
  }

  @Test func `a notice is followed by one probe`() {
    #expect(probes(answering: false, duration: 50_000_000) == [5 * Self.second])
  }

  @Test(arguments: [0, 50_000_000, 3 * second])
  func `a driver that answers each probe with a notice is probed at growing intervals`(
    duration: Int64
  ) {
    let made = probes(answering: true, duration: duration)
    // 2, 4, 8, … 300 s apart.
    #expect((10...25).contains(made.count))
    let gaps = zip(made.dropFirst(), made).map { $0 - $1 }
    #expect(gaps.last ?? 0 >= ProbeSchedule.longestPause)
    #expect(zip(gaps.dropFirst(), gaps).allSatisfy { $0 >= $1 })
  }

  @Test func `an answer causes no probe at once, however often it comes`() {
    var schedule = ProbeSchedule()
    schedule.changed(at: 0)
    schedule.probed(at: Self.second)
    for step in Int64(1)...9 { schedule.changed(at: Self.second + step * 100_000_000) }
    #expect(schedule.due == 3 * Self.second)
    #expect(!schedule.isDue(at: 3 * Self.second - 1) && schedule.isDue(at: 3 * Self.second))
  }

  @Test func `another notice is followed at once, whatever the answers before`() {
    var schedule = ProbeSchedule()
    var now: Int64 = 0
    for _ in 0..<20 {
      schedule.changed(at: now)
      now += 600 * Self.second
      schedule.probed(at: now)
      schedule.changed(at: now + 1)
    }
    let cable = now + 20 * Self.second
    #expect(!schedule.isDue(at: cable))
    schedule.changed(at: cable)
    #expect(schedule.isDue(at: cable))
  }
}
