#if DEBUG
  import CLinux
  import SyntheticHand

  /// A week of a busy pad in virtual time: what it keeps of each signature adds up to something.
  public struct Week {
    /// What the two programs hold after some signatures.
    public struct Sample {
      /// The number of signatures so far.
      public let signatures: Int
      /// What the heap holds, in bytes.
      public let memory: Int
      /// Open files.
      public let descriptors: Int
    }

    private let world: World
    private var random: SeededRandom
    private let day: Int64 = 86_400_000_000_000

    /// Runs a week, and tells of each twentieth of it.
    public static func run(
      seed: UInt64, signatures: Int, _ report: (Sample) -> Void
    ) throws -> [Sample] {
      var week = try Week(seed: seed)
      var samples: [Sample] = []
      for number in 1...signatures {
        try week.sign(lasting: 7 * week.day / Int64(signatures))
        if number % max(1, signatures / 20) > 0 { continue }
        let sample = try week.sample(number)
        report(sample)
        samples.append(sample)
      }
      return samples
    }

    private init(seed: UInt64) throws {
      world = try World(seed: seed, Setting.busy)
      random = SeededRandom(seed: seed)
    }

    /// A person signs, and something happens to the machine meanwhile.
    private mutating func sign(lasting time: Int64) throws {
      let begin = world.disk.now
      try world.signOnce(&random)
      switch Int.random(in: 0..<200, using: &random) {
      case 0..<4: for _ in 0..<2 { try world.pad.togglePanel() }
      case 4..<6: for _ in 0..<2 { try world.pad.toggleTouch() }
      case 6: try world.pad.replacePanel()
      case 7..<16: world.handoff.changeMood(&random)
      case 16..<40: world.handoff.heal()
      case 40..<42: try world.handoff.networkReturns()
      case 42: try world.handoff.flush()
      case 43: world.setClock(&random)
      case 44: try world.pad.terminate()
      case 45: world.handoff.terminate()
      case 46: try world.pad.killSoon(&random)
      case 47: try world.handoff.killSoon(&random)
      case 48..<100: for _ in 0..<4 { try world.pad.clientStep(&random) }
      default: break
      }
      let left = time - (world.disk.now - begin)
      if left > 0 { world.disk.pass(left) }
    }

    /// Everything is delivered before it is measured.
    private func sample(_ number: Int) throws -> Sample {
      try world.settle()
      return Sample(
        signatures: number, memory: Int(mallinfo2().uordblks), descriptors: world.disk.opened.count)
    }
  }

  extension [Week.Sample] {
    /// How much a quantity grows for each signature, by the least squares, and the standard error of that.
    public func slope(of quantity: (Week.Sample) -> Int) -> (value: Double, error: Double) {
      let points = map { (Double($0.signatures), Double(quantity($0))) }
      let (x, y) = (points.mean { $0.0 }, points.mean { $0.1 })
      let square = Swift.max(points.reduce(0) { $0 + ($1.0 - x) * ($1.0 - x) }, 1)
      let value = points.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) } / square
      let rest = points.reduce(0) { sum, point in
        let distance = point.1 - y - value * (point.0 - x)
        return sum + distance * distance
      }
      return (value, (rest / square / Double(Swift.max(count - 2, 1))).squareRoot())
    }
  }

  extension [(Double, Double)] {
    fileprivate func mean(_ value: (Element) -> Double) -> Double {
      reduce(0) { $0 + value($1) } / Double(Swift.max(1, count))
    }
  }
#endif
