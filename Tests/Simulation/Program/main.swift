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
  var week: Int?
  var logs = false
  var words = CommandLine.arguments.dropFirst()
  while let word = words.popFirst() {
    switch word {
    case "--seed": seed = words.popFirst().flatMap { UInt64($0) } ?? 1
    case "--histories": histories = words.popFirst().flatMap { Int($0) } ?? 1
    case "--steps": steps = words.popFirst().flatMap { Int($0) } ?? steps
    case "--only": only = words.popFirst().map { $0.split(separator: ",").compactMap { Int($0) } }
    case "--seconds":
      seconds = words.popFirst().flatMap { Int($0) }
      histories = .max
    case "--week": week = words.popFirst().flatMap { Int($0) }
    case "--log": logs = true
    default:
      print("simulation: unknown word \(word)")
      exit(64)
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
      print("per signature: \(bytes) bytes, \(files) descriptors")
      exit(abs(bytes) < 1 && abs(files) < 0.0001 ? 0 : 1)
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
