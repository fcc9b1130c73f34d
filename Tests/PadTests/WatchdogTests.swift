import Testing

@testable import Pad

@Suite struct WatchdogTests {
  @Test func `it is fed at half its period once all threads have answered`() {
    var watchdog = Watchdog(period: 10)
    #expect(watchdog.step(at: 100, threads: 2) == .ask)
    watchdog.answered()
    watchdog.answered()
    #expect(watchdog.step(at: 104, threads: 2) == .wait)
    #expect(watchdog.step(at: 105, threads: 2) == .feedAndAsk)
  }

  @Test func `a thread that does not answer starves it`() {
    var watchdog = Watchdog(period: 10)
    _ = watchdog.step(at: 100, threads: 2)
    watchdog.answered()
    #expect(watchdog.step(at: 105, threads: 2) == .ask)
    #expect(watchdog.step(at: 110, threads: 2) == .ask)
  }

  @Test func `without a service manager nothing wakes the pad`() {
    var watchdog = Watchdog(period: nil)
    #expect(watchdog.milliseconds(at: 0) == -1)
    #expect(watchdog.step(at: 1 << 60, threads: 2) == .wait)
  }
}
