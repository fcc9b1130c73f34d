internal import CLinux

/// The one core on which threads stay that hand work to one another in real time.
///
/// Left alone, the kernel wakes a real-time thread on an idle core while its waker still runs
/// (`select_task_rq_rt`), and that core has to come out of its sleep first: the longer, the deeper it sleeps
/// (`exit-latency-us` in a board's device tree; `make bench` tells both floors of the machine it runs on).
/// On one core the woken thread runs at once if its waker yields to it, else as soon as that waits, with what
/// it wrote still in the cache.
public enum SharedCore {
  /// Keeps the calling thread there, if it runs in real time: without a priority of their own, threads
  /// on one core would have to wait for one another.
  ///
  /// - Parameter yields: Whether it gives way to those that do not yield: its priority is lowered by one.
  ///   Where that may not be done, it stays free.
  public static func join(yields: Bool = false) {
    guard CLinux_isRealTime() != 0, !yields || lowerPriority() else { return }
    // 1024 cores; where there are more, the call is refused.
    var bits = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)
    let size = bits.count * UInt.bitWidth / 8
    guard unsafe CLinux_coresAllowed(&bits, size) > 0, let core = fastest(of: bits) else { return }
    for index in bits.indices { bits[index] = 0 }
    bits[core / UInt.bitWidth] = 1 << (core % UInt.bitWidth)
    _ = unsafe CLinux_stayOnCores(bits, size)
  }

  private static func lowerPriority() -> Bool {
    var priority = sched_param()
    guard unsafe sched_getparam(0, &priority) == 0, priority.sched_priority > 1 else {
      return false
    }
    priority.sched_priority -= 1
    return unsafe sched_setparam(0, &priority) == 0
  }

  /// Only boards with unlike cores tell how fast theirs are.
  private static func fastest(of bits: [UInt]) -> Int? {
    let allowed = (0..<bits.count * UInt.bitWidth).filter {
      bits[$0 / UInt.bitWidth] >> UInt($0 % UInt.bitWidth) & 1 == 1
    }
    return choose(among: allowed) { core in
      Folder.line(of: "/sys/devices/system/cpu/cpu\(core)/cpu_capacity").flatMap {
        Int($0)
      }
    }
  }

  /// The last of the fastest: the kernel gives most boards' interrupts to CPU 0
  /// (Documentation/core-api/irq/irq-affinity.rst), and their handlers would run in the middle of a stroke.
  ///
  /// - Parameters:
  ///   - cores: In ascending order.
  ///   - capacity: `cpu_capacity`; nil where the kernel does not tell.
  static func choose(among cores: [Int], capacity: (Int) -> Int?) -> Int? {
    var best: (core: Int, capacity: Int)?
    for core in cores {
      let capacity = capacity(core) ?? 0
      if capacity >= best?.capacity ?? 0 { best = (core, capacity) }
    }
    return best?.core
  }
}
