import Testing

@testable import Pad

@Suite struct WatchdogTests {
  let all: Watchdog.Threads = [.input, .render, .save]

  /// A watchdog as the service manager sees it: when it was fed last.
  struct Manager {
    let period: Int64 = 10
    var watchdog = Watchdog(period: 10)
    var now: Int64 = 100
    var fed: Int64 = 100

    /// Time goes on; `alive` answer at once. False when the service manager ends the program.
    mutating func pass(to end: Int64, alive: Watchdog.Threads) -> Bool {
      while now < end {
        let step = watchdog.step(at: now, threads: [.input, .render, .save])
        if step.feeds { fed = now }
        for thread in Watchdog.Threads.all
        where step.asks.contains(thread) && alive.contains(thread) { answer(thread) }
        if now - fed >= period { return false }
        now += 1
      }
      return true
    }

    mutating func answer(_ thread: Watchdog.Threads) {
      if watchdog.answered(thread, at: now) { fed = now }
    }
  }

  @Test func `the watchdog is fed at half its period while all threads answer`() {
    var watchdog = Watchdog(period: 10)
    #expect(watchdog.step(at: 100, threads: all) == .init(feeds: true, asks: all))
    for thread in Watchdog.Threads.all {
      let feeds = watchdog.answered(thread, at: 101)
      #expect(!feeds)
    }
    #expect(watchdog.step(at: 104, threads: all) == .init())
    #expect(watchdog.step(at: 105, threads: all) == .init(feeds: true, asks: all))
  }

  @Test(arguments: [Watchdog.Threads.input, .render])
  func `a thread that hangs ends the program when its period has passed since it was asked`(
    thread: Watchdog.Threads
  ) {
    var manager = Manager()
    #expect(manager.pass(to: 105, alive: all) == true)
    let others = all.subtracting(thread)
    #expect(manager.pass(to: 115, alive: others) == true)
    #expect(manager.pass(to: 116, alive: others) == false)
  }

  @Test(arguments: [Watchdog.Threads.input, .render])
  func `a thread that answers at the last moment keeps the program`(thread: Watchdog.Threads) {
    var manager = Manager()
    #expect(manager.pass(to: 105, alive: all) == true)
    #expect(manager.pass(to: 114, alive: all.subtracting(thread)) == true)
    manager.answer(thread)
    #expect(manager.fed == 114)
    #expect(manager.pass(to: 200, alive: all) == true)
  }

  @Test func `saving may take six periods and no longer`() {
    var manager = Manager()
    #expect(manager.pass(to: 105, alive: all) == true)
    #expect(manager.pass(to: 164, alive: [.input, .render]) == true)
    var late = manager
    late.answer(.save)
    #expect(late.pass(to: 300, alive: all) == true)
    #expect(manager.pass(to: 165, alive: [.input, .render]) == true)
    #expect(manager.pass(to: 166, alive: [.input, .render]) == false)
  }

  @Test func `a thread that answers twice does not answer for another one`() {
    var manager = Manager()
    #expect(manager.pass(to: 105, alive: all) == true)
    #expect(manager.pass(to: 111, alive: []) == true)
    for _ in 0..<3 { manager.answer(.render) }
    manager.answer(.save)
    #expect(manager.fed == 105)
    manager.answer(.input)
    #expect(manager.fed == 111)
  }

  @Test func `a thread that does not run yet is not waited for`() {
    var watchdog = Watchdog(period: 10)
    #expect(watchdog.step(at: 0, threads: .render).asks == .render)
    _ = watchdog.answered(.render, at: 1)
    #expect(watchdog.step(at: 5, threads: all) == .init(feeds: true, asks: all))
  }

  @Test func `without a service manager nothing wakes the pad`() {
    var watchdog = Watchdog(period: nil)
    #expect(watchdog.milliseconds(at: 0) == -1)
    #expect(watchdog.step(at: 1 << 60, threads: all) == .init())
  }
}
