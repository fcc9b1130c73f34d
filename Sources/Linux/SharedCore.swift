internal import CLinux

/// Pins the real-time threads to one core.
///
/// By default the kernel wakes a real-time thread on an idle core while its waker still runs
/// (`select_task_rq_rt`). That core must first leave its idle state (`exit-latency-us` in a board's device
/// tree; `make bench` measures both latencies). On one core the woken thread runs as soon as its waker yields
/// or waits, and the waker's data is still in the cache.
public enum SharedCore {
  /// Pins the calling thread to the shared core if it has real-time priority.
  ///
  /// Without real-time priority the threads would wait for one another.
  ///
  /// - Parameter yields: Whether to lower the thread's priority by one, below the threads that do not yield.
  ///   If that fails, the thread is not pinned.
  public static func join(yields: Bool = false) {
    guard CLinux_isRealTime() != 0, !yields || lowerPriority() else { return }
    // Room for 1024 cores; with more, the call fails.
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

  /// Only boards with unequal cores report `cpu_capacity`.
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

  /// Chooses the last of the fastest cores.
  ///
  /// On most boards CPU 0 handles the interrupts (Documentation/core-api/irq/irq-affinity.rst), which would
  /// delay strokes.
  ///
  /// - Parameters:
  ///   - cores: Core numbers in ascending order.
  ///   - capacity: The core's `cpu_capacity`; nil if the kernel reports none.
  static func choose(among cores: [Int], capacity: (Int) -> Int?) -> Int? {
    var best: (core: Int, capacity: Int)?
    for core in cores {
      let capacity = capacity(core) ?? 0
      if capacity >= best?.capacity ?? 0 { best = (core, capacity) }
    }
    return best?.core
  }
}
