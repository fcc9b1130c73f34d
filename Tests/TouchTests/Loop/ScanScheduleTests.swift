import CLinux
import Linux
import Testing

@testable import Touch

@Suite struct ScanScheduleTests {
  /// At which milliseconds scans are due within the first 30 s, where nothing is notified.
  private func scans(_ obstacle: ScanSchedule.Obstacle) -> [Int64] {
    var schedule = ScanSchedule(now: 0)
    var now: Int64 = 0
    var scans: [Int64] = []
    while now <= 30_000_000_000 {
      if schedule.isDue(at: now, isNotified: false) {
        scans.append(now / 1_000_000)
        schedule.recordScan(obstacle)
      }
      let wait = schedule.milliseconds(at: now)
      if wait < 0 { break }
      now += Int64(wait) * 1_000_000
    }
    return scans
  }

  @Test func `devices settle for three seconds, and then nothing wakes the thread`() {
    #expect(scans(.none) == Array(stride(from: 0, to: 3000, by: 300)))
  }

  @Test(arguments: [
    (ScanSchedule.Obstacle.busy, Int64(2000)), (.unwatched, 2000), (.refused, 10_000),
  ]) func `a device without notices of the kernel is retried forever`(
    obstacle: ScanSchedule.Obstacle, interval: Int64
  ) {
    let late = scans(obstacle).filter { $0 >= 3000 }
    #expect(late.count == Int((30_000 - 3000) / interval) + 1)
    for (before, after) in zip(late, late.dropFirst()) { #expect(after - before == interval) }
  }

  @Test func `a notice makes a scan due at once, and devices settle anew`() {
    var schedule = ScanSchedule(now: 0)
    schedule.recordScan(.none)
    let late: Int64 = 60_000_000_000
    #expect(schedule.milliseconds(at: late) == -1)
    let isDue = [false, true].map { schedule.isDue(at: late, isNotified: $0) }
    #expect(isDue == [false, true])
    #expect(schedule.milliseconds(at: late) == 300)
  }

  @Test func `a delayed scan is due each second, and made once`() {
    var schedule = ScanSchedule(now: 0)
    schedule.recordScan(.none)
    let second: Int64 = 1_000_000_000
    var now = 60 * second
    var asked: [Int64] = []
    let isNews = schedule.isDue(at: now, isNotified: true)
    #expect(isNews)
    schedule.postpone(at: now)
    for _ in 0..<50 {
      now += 200_000_000
      // Nodes come and go meanwhile.
      guard schedule.isDue(at: now, isNotified: now < 63 * second) else { continue }
      asked.append(now / 1_000_000)
      if now < 66 * second { schedule.postpone(at: now) } else { schedule.recordScan(.none) }
    }
    #expect(asked == [61_000, 62_000, 63_000, 64_000, 65_000, 66_000])
    #expect(schedule.milliseconds(at: now) == -1)
  }

  @Test func `reports between two scans cause no scan`() {
    var schedule = ScanSchedule(now: 0)
    let moments: [Int64] = [0, 1, 299, 300, 301, 599, 600]
    let due = moments.filter { schedule.isDue(at: $0 * 1_000_000, isNotified: false) }
    #expect(due == [0, 300, 600])
  }
}

@Suite struct ScanReportTests {
  @Test func `a device that could not be opened is tried again, unless its node has gone`() {
    func obstacle(_ errors: Int32...) -> ScanSchedule.Obstacle {
      var report = ScanReport()
      for error in errors { report.addFailure("/dev/input/event0 (x)", Errno(error)) }
      return report.obstacle
    }
    #expect(obstacle() == .none)
    #expect(obstacle(ENOENT) == .none)
    #expect(obstacle(EMFILE) == .refused)
    #expect(obstacle(EIO, EBUSY) == .busy)
    #expect(obstacle(EBUSY, EIO) == .busy)
  }
}
