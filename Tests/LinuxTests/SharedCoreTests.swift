import CLinux
import Linux
import Testing

@Suite struct SharedCoreTests {
  /// On which cores a thread of its own may run after it has joined, its priority, and whether it was
  /// given a real-time one before.
  private func join(yields: Bool, inRealTime: Bool) throws -> (
    cores: Int, priority: Int32, isRealTime: Bool
  ) {
    let answer = try Mailbox<(Int, Int32, Bool)>()
    let thread = try Thread(name: "test-core") {
      var priority = sched_param()
      priority.sched_priority = 10
      let isRealTime = inRealTime && sched_setscheduler(0, SCHED_RR, &priority) == 0
      SharedCore.join(yields: yields)
      var bits = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)
      _ = CLinux_coresAllowed(&bits, bits.count * UInt.bitWidth / 8)
      sched_getparam(0, &priority)
      answer.post((bits.reduce(0) { $0 + $1.nonzeroBitCount }, priority.sched_priority, isRealTime))
    }
    thread.join()
    let told = answer.takeAll()
    return try #require(told.first)
  }

  @Test func `a thread without a real-time priority stays free`() throws {
    let (free, _, _) = try join(yields: false, inRealTime: false)
    var bits = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)
    _ = CLinux_coresAllowed(&bits, bits.count * UInt.bitWidth / 8)
    #expect(free == bits.reduce(0) { $0 + $1.nonzeroBitCount })
  }

  @Test func `threads in real time share one core, and the one that yields comes second`() throws {
    let first = try join(yields: false, inRealTime: true)
    guard first.isRealTime else { return print("skipped: real-time priorities take root") }
    let second = try join(yields: true, inRealTime: true)
    #expect(first.cores == 1 && second.cores == 1)
    #expect(first.priority == 10 && second.priority == 9)
  }
}
