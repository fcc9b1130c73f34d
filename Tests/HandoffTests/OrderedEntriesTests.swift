import Spool
import SyntheticHand
import Testing

@testable import Handoff

@Suite struct OrderedEntriesTests {
  @Test func `it holds what a sorted array would`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    for _ in 0..<200 {
      var entries = OrderedEntries()
      var oracle: [QueueEntry] = []
      for step in 0..<400 {
        let entry = Entries.entry(Int64.random(in: 1...60, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1:
          #expect(entries.insert(entry) == !oracle.contains(entry), "seed \(seed), \(step)")
          if !oracle.contains(entry) { oracle.append(entry) }
        case 2:
          let many = (0..<10).map { _ in
            Entries.entry(Int64.random(in: 1...60, using: &generator))
          }
          entries.insert(contentsOf: many)
          for entry in many where !oracle.contains(entry) { oracle.append(entry) }
        case 3:
          #expect(entries.remove(entry) == oracle.contains(entry), "seed \(seed), \(step)")
          oracle.removeAll { $0 == entry }
        case 4:
          #expect(entries.popNewest() == oracle.last, "seed \(seed), \(step)")
          _ = oracle.popLast()
        default:
          #expect(entries.popOldest() == oracle.first, "seed \(seed), \(step)")
          if !oracle.isEmpty { oracle.removeFirst() }
        }
        oracle.sort { $0.sequence < $1.sequence }
        #expect(entries.count == oracle.count && entries.oldest == oracle.first, "seed \(seed)")
      }
    }
  }
}

enum Entries {
  /// The same id for the same number.
  static func entry(_ sequence: Int64) -> QueueEntry {
    let digits = String(sequence, radix: 16)
    let tail = String(repeating: "0", count: 12 - digits.count) + digits
    guard let id = ItemID("0192f0c1-2d3e-7a4b-8c5d-" + tail) else { preconditionFailure() }
    return QueueEntry(sequence: sequence, id: id)
  }
}
