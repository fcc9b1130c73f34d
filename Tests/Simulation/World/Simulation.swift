#if DEBUG
  /// Histories by their seeds.
  public enum Simulation {
    /// A history that breaks a promise.
    public struct Failure: Error {
      /// The seed of the history.
      public let seed: UInt64
      /// The steps that are needed, in their order.
      public let steps: [Int]
      /// The promise that does not hold.
      public let promise: String
    }

    /// Runs a history; returns the broken promise.
    public static func run(
      seed: UInt64, steps: some Sequence<Int>, log: ((String) -> Void)? = nil
    ) -> (promise: String, step: Int)? {
      var last = -1
      do {
        let world = try World(seed: seed)
        world.log = log
        if let log { world.disk.trace = log }
        for step in steps {
          last = step
          try world.step(seed: stepSeed(seed, step))
        }
        try world.end(seed: stepSeed(seed, -1))
        return nil
      } catch {
        return ((error as? BrokenPromise)?.text ?? "\(error)", last)
      }
    }

    private static func stepSeed(_ seed: UInt64, _ step: Int) -> UInt64 {
      (seed &* 0x9e37_79b9_7f4a_7c15) ^ (UInt64(truncatingIfNeeded: step) &* 0xbf58_476d_1ce4_e5b9)
    }

    /// Leaves out what a failure does not need.
    public static func shrunk(seed: UInt64, to last: Int, _ promise: String) -> Failure {
      var steps = Array(0...max(0, last))
      func kind(_ text: String) -> String {
        text.filter { !$0.isNumber && !$0.isHexDigit && $0 != "-" }
      }
      var size = steps.count / 2
      var runs = 0
      while size > 0 && runs < 3000 {
        var start = 0
        while start < steps.count && runs < 3000 {
          let fewer = Array(steps[..<start]) + Array(steps.dropFirst(start + size))
          runs += 1
          if let found = run(seed: seed, steps: fewer), kind(found.promise) == kind(promise) {
            steps = fewer
          } else {
            start += size
          }
        }
        size /= 2
      }
      let final = run(seed: seed, steps: steps)?.promise ?? promise
      return Failure(seed: seed, steps: steps, promise: final)
    }
  }
#endif
