/// Contestants that do the same work by turns, so that what disturbs the machine disturbs all: each
/// round runs each once, and a ratio is the median of the ratios of the rounds.
struct Interleaved {
  private let names: [String]
  private var times: [[Double]]

  /// Runs `rounds` rounds; each contestant answers the nanoseconds of its work.
  init(rounds: Int, _ contestants: [(name: String, run: () -> Double)]) {
    names = contestants.map { $0.name }
    times = Array(repeating: [], count: contestants.count)
    // One round that does not count: caches, page faults, the processor's clock.
    for round in 0...rounds {
      for (index, contestant) in contestants.enumerated() {
        let time = contestant.run()
        if round > 0 { times[index].append(time) }
      }
    }
  }

  func median(_ name: String) -> Double {
    names.firstIndex(of: name).map { times[$0].median } ?? .nan
  }

  func ratio(_ name: String, to other: String) -> Double {
    guard let a = names.firstIndex(of: name), let b = names.firstIndex(of: other) else {
      return .nan
    }
    return zip(times[a], times[b]).map { $0 / $1 }.median
  }
}
