#if DEBUG
  import CLinux
  import Simulation

  /// Runs histories. usage: simulation [--seed N] [--histories N] [--steps N | --only 1,2,…] [--seconds N] [--log]
  ///   [--week SIGNATURES]
  var seed: UInt64 = 1
  var histories = 1
  var steps = 1500
  var only: [Int]?
  var seconds: Int?
  var logs = false
  var week: Int?
  var words = CommandLine.arguments.dropFirst()
  func refuse(_ word: String) -> Never {
    print("simulation: \(word): unknown, or no number follows")
    exit(64)
  }
  while let word = words.popFirst() {
    func number() -> Int {
      guard let text = words.popFirst(), let number = Int(text) else { refuse(word) }
      return number
    }
    switch word {
    case "--seed": seed = UInt64(clamping: number())
    case "--histories": histories = number()
    case "--steps": steps = number()
    case "--only": only = words.popFirst().map { $0.split(separator: ",").compactMap { Int($0) } }
    case "--seconds": (seconds, histories) = (number(), .max)
    case "--log": logs = true
    case "--week": week = number()
    default: refuse(word)
    }
  }

  if let week {
    do {
      let samples = try Week.run(seed: seed, signatures: week) {
        print("\($0.signatures) signatures: \($0.memory) bytes, \($0.descriptors) descriptors")
      }
      // The first quarter fills caches.
      let later = Array(samples.dropFirst(samples.count / 4))
      let (bytes, files) = (later.slope(of: { $0.memory }), later.slope(of: { $0.descriptors }))
      print(
        "per signature: \(bytes.value) ± \(bytes.error) bytes, \(files.value) ± \(files.error) descriptors"
      )
      // Nothing, within twice the standard error.
      let isFlat = [bytes, files].allSatisfy { abs($0.value) <= 2 * $0.error }
      print(isFlat ? "flat" : "the programs grow")
      exit(isFlat ? 0 : 1)
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  let begun = ContinuousClock.now
  var count = 0
  let write: ((String) -> Void)? = logs ? { print($0) } : nil
  if let only {
    if let found = Simulation.run(seed: seed, steps: only, log: write) {
      print("seed \(seed): \(found.promise)")
      exit(1)
    }
    print("seed \(seed): all promises hold")
    exit(0)
  }
  while count < histories {
    if let seconds, ContinuousClock.now - begun > .seconds(seconds) { break }
    if let found = Simulation.run(seed: seed, steps: 0..<steps, log: write) {
      print("seed \(seed), step \(found.step): \(found.promise)")
      let failure = Simulation.shrunk(seed: seed, to: found.step, found.promise)
      print("  shrunk to \(failure.steps.count) steps: \(failure.promise)")
      print(
        "  simulation --log --seed \(seed) --only \(failure.steps.map { "\($0)" }.joined(separator: ","))"
      )
      exit(1)
    }
    count += 1
    seed += 1
  }
  let took = Double((ContinuousClock.now - begun) / .milliseconds(1)) / 1000
  print("\(count) histories, \(count * steps) steps in \(took) s, up to seed \(seed - 1)")
#endif
