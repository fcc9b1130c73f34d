import CLinux
import Testing

@testable import Linux

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

  @Test func `a thread without a real-time priority is not bound to a core`() throws {
    let (free, _, _) = try join(yields: false, inRealTime: false)
    var bits = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)
    _ = CLinux_coresAllowed(&bits, bits.count * UInt.bitWidth / 8)
    #expect(free == bits.reduce(0) { $0 + $1.nonzeroBitCount })
  }

  /// Whether this user may have a priority in real time.
  private static let mayBeRealTime: Bool = {
    var limit = rlimit()
    return geteuid() == 0 || (getrlimit(__rlimit_resource_t(14), &limit) == 0 && limit.rlim_cur > 9)
  }()

  @Test(.enabled(if: mayBeRealTime, "real-time priorities take root, or RLIMIT_RTPRIO"))
  func `threads in real time share one core, and the one that yields comes second`() throws {
    let first = try join(yields: false, inRealTime: true)
    try #require(first.isRealTime)
    let second = try join(yields: true, inRealTime: true)
    #expect(first.cores == 1 && second.cores == 1)
    #expect(first.priority == 10 && second.priority == 9)
  }

  @Test func `of like cores the last is taken, which has the fewest interrupts`() {
    #expect(SharedCore.choose(among: [0, 1, 2, 3]) { _ in nil } == 3)
    #expect(SharedCore.choose(among: [0, 2]) { _ in 1024 } == 2)
  }

  @Test func `of unlike cores the last of the fastest is taken`() {
    let capacities = [0: 446, 1: 446, 4: 1024, 5: 1024]
    #expect(SharedCore.choose(among: [0, 1, 4, 5]) { capacities[$0] } == 5)
    let reversed = [0: 1024, 1: 1024, 4: 446, 5: 446]
    #expect(SharedCore.choose(among: [0, 1, 4, 5]) { reversed[$0] } == 1)
  }

  @Test func `a single allowed core is used`() {
    #expect(SharedCore.choose(among: [0]) { _ in nil } == 0)
    #expect(SharedCore.choose(among: []) { _ in nil } == nil)
  }
}
