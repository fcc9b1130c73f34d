import Spool
import SyntheticHand
import Testing

@testable import Handoff

@Suite struct ItemIDSetTests {
  @Test func `it has the same content as a set`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    var ids = ItemIDSet()
    var oracle: Set<ItemID> = []
    // In order first, as a scan finds them, then anywhere.
    for number in 1...3000 {
      let id = Entries.entry(Int64(number) * 2).id
      #expect(ids.insert(id) == oracle.insert(id).inserted, "seed \(seed)")
    }
    for step in 0..<20_000 {
      let id = Entries.entry(Int64.random(in: 0...6100, using: &generator)).id
      switch Int.random(in: 0..<3, using: &generator) {
      case 0:
        #expect(ids.insert(id) == oracle.insert(id).inserted, "seed \(seed), \(step)")
      case 1:
        ids.remove(id)
        oracle.remove(id)
      default: break
      }
      #expect(ids.contains(id) == oracle.contains(id), "seed \(seed), \(step)")
    }
    #expect(ids.first == oracle.min { $0.low < $1.low }, "seed \(seed)")
    let some = oracle.filter { $0.low % 3 == 0 }
    let others = oracle.subtracting(some).sorted { $0.low < $1.low }
    #expect(ids.ids(notIn: some) == others, "seed \(seed)")
    for number in 0...6100 {
      let id = Entries.entry(Int64(number)).id
      #expect(ids.contains(id) == oracle.contains(id), "seed \(seed)")
      ids.remove(id)
      #expect(!ids.contains(id), "seed \(seed)")
    }
  }
}
