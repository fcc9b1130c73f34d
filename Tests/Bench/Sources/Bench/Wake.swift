import CCores
import Glibc

/// How long a thread that sleeps in read(2) takes to run after another has written to it.
enum Wake {
  /// Microseconds of each; with the scheduling of the pad where we may ask for it. Nil without a second core.
  static func measure(rate: Int, seconds: Int, onOneCore: Bool) -> [Double]? {
    guard onOneCore || sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 else { return nil }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    let sleeper = Sleeper(reading: ends[0], core: onOneCore ? 0 : 1)
    var thread = pthread_t()
    let argument = Unmanaged.passUnretained(sleeper).toOpaque()
    guard
      pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Sleeper>.fromOpaque(argument).takeUnretainedValue().run() }
          return nil
        }, argument) == 0
    else { return nil }
    var everywhere: UInt = 0
    _ = cores_allowed(&everywhere)
    stay(onCore: 0, priority: 11)
    var next = PadProcess.now
    for _ in 0..<rate * seconds {
      next += 1_000_000_000 / Int64(rate)
      var time = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
      clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil)
      var stamp = PadProcess.now
      write(ends[1], &stamp, 8)
    }
    close(ends[1])
    pthread_join(thread, nil)
    close(ends[0])
    _ = stay_on_cores(everywhere)
    var ordinary = sched_param(sched_priority: 0)
    sched_setscheduler(0, SCHED_OTHER, &ordinary)
    return sleeper.times
  }

  fileprivate static func stay(onCore core: Int, priority: Int32) {
    _ = stay_on_cores(1 << UInt(core))
    var wanted = sched_param(sched_priority: priority)
    sched_setscheduler(0, SCHED_RR, &wanted)
  }
}

/// The thread that is woken, until nobody writes any more.
private final class Sleeper: @unchecked Sendable {
  private let descriptor: Int32
  private let core: Int
  private(set) var times: [Double] = []

  init(reading descriptor: Int32, core: Int) {
    (self.descriptor, self.core) = (descriptor, core)
  }

  func run() {
    Wake.stay(onCore: core, priority: 10)
    times.reserveCapacity(4096)
    var stamp: Int64 = 0
    while read(descriptor, &stamp, 8) == 8 {
      times.append(Double(PadProcess.now - stamp) / 1000)
    }
  }
}
