import Testing

@testable import Ink

@Suite struct ReportClockTests {
  @Test func `steps are as long as their stamps say`() {
    var clock = ReportClock(5_000_000)
    #expect(clock.advance(to: 15_000_000) == 1)
    #expect(clock.advance(to: 32_000_000) == 1.7)
  }

  @Test func `time that does not advance counts as one period`() {
    var clock = ReportClock(0)
    for index in 1...40 { _ = clock.advance(to: Int64(index) * 8_000_000) }
    #expect(abs(clock.advance(to: 320_000_000) - 0.8) < 0.01)
    #expect(abs(clock.advance(to: 100) - 0.8) < 0.01)
    #expect(abs(clock.advance(to: .min) - 0.8) < 0.01)
  }

  @Test func `the longest step does not overflow`() {
    var clock = ReportClock(.min)
    #expect(clock.advance(to: .max) > ReportClock.gap)
  }

  @Test func `a pause of more nanoseconds than 32 bits hold is long`() {
    var clock = ReportClock(0)
    #expect(clock.advance(to: (1 << 32) + 8_000_000) > ReportClock.gap)
  }

  @Test func `of two reports at once the second counts as most of a period`() {
    var clock = ReportClock(0)
    for index in 1...40 { _ = clock.advance(to: Int64(index) * 8_000_000) }
    #expect(clock.advance(to: 320_100_000) > 0.35)
  }
}
