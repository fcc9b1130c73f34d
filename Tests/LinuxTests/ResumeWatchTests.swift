import Testing

@testable import Linux

@Suite struct ResumeWatchTests {
  @Test func `without sleep, no resume is reported`() throws {
    var watch = try ResumeWatch()
    var poll = Poll()
    poll.add(watch.number)
    let isReady = try poll.wait(milliseconds: 0)
    #expect(!isReady)
    let hasSlept = watch.hasResumed()
    #expect(!hasSlept)
  }

  @Test func `sleep is noticed once, and the offset between the clocks does not count`() throws {
    var watch = try ResumeWatch()
    let night: Int64 = 8 * 3600 * 1_000_000_000
    let first = watch.wasAsleep(night)
    let again = watch.wasAsleep(night + 1_000_000)
    let nap = watch.wasAsleep(night + 2_000_000_000)
    #expect(first && !again && nap)
  }
}
