import Retry
import SyntheticHand
import Testing

@testable import Handoff
@testable import Spool

@Suite struct LedgerTests {
  let id = Entries.entry(1).id

  @Test func `an item is delivered when the last sink has it`() {
    var ledger = Ledger(sinks: ["a", "b", "c"])
    #expect(ledger.record(.delivered, of: 1, for: id) == .incomplete)
    #expect(ledger.record(.delivered, of: 0, for: id) == .incomplete)
    #expect(ledger.record(.delivered, of: 2, for: id) == .delivered)
  }

  @Test func `a rejection waits for the others, then the item fails with every reason`() {
    var ledger = Ledger(sinks: ["a", "b", "c"])
    #expect(ledger.record(.rejected("too large"), of: 2, for: id) == .incomplete)
    #expect(ledger.record(.rejected("401"), of: 0, for: id) == .incomplete)
    #expect(ledger.record(.delivered, of: 1, for: id) == .failed("a: 401\nc: too large"))
  }

  @Test func `the same answer twice counts once`() {
    var ledger = Ledger(sinks: ["a", "b"])
    #expect(ledger.record(.delivered, of: 0, for: id) == .incomplete)
    #expect(ledger.record(.delivered, of: 0, for: id) == .incomplete)
    #expect(ledger.record(.delivered, of: 1, for: id) == .delivered)
  }

  @Test func `the last sink is known before its answer`() {
    var ledger = Ledger(sinks: ["a", "b", "c"])
    _ = ledger.record(.delivered, of: 0, for: id)
    #expect(!ledger.isLast(1, for: id))
    _ = ledger.record(.rejected("no"), of: 2, for: id)
    #expect(ledger.isLast(1, for: id))
    #expect(!ledger.isLast(0, for: id))
  }

  @Test func `one sink decides alone, and is always the last`() {
    var ledger = Ledger(sinks: ["a"])
    #expect(ledger.isLast(0, for: id))
    #expect(ledger.record(.delivered, of: 0, for: id) == .delivered)
    #expect(ledger.record(.rejected("no"), of: 0, for: id) == .failed("a: no"))
  }
}

@Suite struct ActiveQueueTests {
  @Test func `a held sink gets nothing, and its items neither fail nor leave`() {
    var queue = ActiveQueue(
      sinks: ["a", "b"], held: ["b"], Backoff(first: 1000, longest: 1000), seed: 42)
    let entry = Entries.entry(1)
    #expect(queue.enqueue([(entry, [:])], at: 0).isEmpty)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .deliver(entry))
    #expect(queue.complete(0) == 1)
    #expect(queue.resolve(.delivered, of: 0, for: entry.id) == nil)
    queue.flush(at: 1)
    queue.flushSoon(at: 1)
    queue.enqueueNew(Entries.entry(2))
    #expect(queue.next(for: 1, at: 1 << 60) { _ in false } == .idle)
    // An unrecorded delivery lets nothing through either.
    queue.addUnrecorded(Entries.entry(3).id, for: 1)
    #expect(queue.next(for: 1, at: 1 << 60) { _ in false } == .idle)
    #expect(queue.count(of: 1) == 2)
    #expect(queue.gauges.map { $0.isHeld } == [false, true])
  }

  @Test func `after a route's return, a local sink is tried at once, and a remote one at random`() {
    var queue = ActiveQueue(
      sinks: ["local", "remote"], remote: ["remote"],
      Backoff(first: 5_000_000_000, longest: 60_000_000_000), seed: 42)
    let entry = Entries.entry(1)
    _ = queue.enqueue([(entry, [:])], at: 0)
    for sink in 0...1 {
      _ = queue.next(for: sink, at: 0) { _ in false }
      _ = queue.retry(sink, at: 0, retryAfter: nil)
    }
    queue.flushSoon(at: 1)
    #expect(queue.next(for: 0, at: 1) { _ in false } == .deliver(entry))
    #expect(queue.next(for: 1, at: 1) { _ in false } != .deliver(entry))
    #expect(queue.takeFlushed().isEmpty)
    queue.flush(1, at: 2)
    #expect(queue.takeFlushed() == [1] && queue.takeFlushed().isEmpty)
    #expect(queue.next(for: 1, at: 2) { _ in false } == .deliver(entry))
  }

  @Test func `a sink with an unrecorded delivery gets only items that need no record`() {
    var queue = ActiveQueue(
      sinks: ["a", "b"], Backoff(first: 1000, longest: 1000), seed: 42)
    let entries = (1...3).map { Entries.entry($0) }
    #expect(queue.enqueue(entries.map { ($0, [:]) }, at: 0).isEmpty)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .deliver(entries[0]))
    #expect(queue.complete(0) == 1)
    #expect(queue.resolve(.delivered, of: 0, for: entries[0].id) == nil)
    queue.addUnrecorded(entries[0].id, for: 0)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .idle)
    // The other sink fails with the first item, and delivers the last one.
    #expect(queue.next(for: 1, at: 0) { _ in false } == .deliver(entries[0]))
    _ = queue.retry(1, at: 0, retryAfter: nil)
    #expect(queue.next(for: 1, at: 0) { _ in false } == .deliver(entries[2]))
    #expect(queue.complete(1) == 1)
    #expect(queue.resolve(.delivered, of: 1, for: entries[2].id) == nil)
    #expect(queue.next(for: 0, at: 0) { _ in true } == .idle)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .deliver(entries[2]))
    #expect(queue.complete(0) == 1)
    let resolution = queue.resolve(.delivered, of: 0, for: entries[2].id)
    #expect(resolution == .init(change: .delivered(entries[2].id), lastSink: 0))
    queue.removeUnrecorded(entries[0].id, for: 0)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .deliver(entries[1]))
  }

  @Test func `an unrecorded delivery of an item that left new stops nothing`() {
    var queue = ActiveQueue(sinks: ["a", "b"], Backoff(first: 1000, longest: 1000), seed: 42)
    let (old, entry) = (Entries.entry(1), Entries.entry(2))
    #expect(queue.enqueue([(entry, [:])], at: 0).isEmpty)
    queue.addUnrecorded(old.id, for: 0)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .idle)
    queue.leftNew(old.id)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .deliver(entry))
    #expect(queue.unrecorded(of: 0) == [old.id])
  }

  @Test func `an item that failed, was retried, and again cannot be recorded stops its sink`() {
    var queue = ActiveQueue(sinks: ["a", "b"], Backoff(first: 1000, longest: 1000), seed: 42)
    #expect(queue.enqueue([(Entries.entry(2), [:])], at: 0).isEmpty)
    let id = Entries.entry(1).id
    queue.addUnrecorded(id, for: 0)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .idle)
    queue.leftNew(id)
    queue.addUnrecorded(id, for: 0)
    #expect(queue.next(for: 0, at: 0) { _ in false } == .idle)
    #expect(queue.unrecorded(of: 0) == [id])
  }
}

@Suite struct OrderedEntriesTests {
  @Test func `it has the same content as a sorted array`() {
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
    let id = ItemID(
      high: 0x0192_f0c1_2d3e_7a4b, low: 0x8c5d_0000_0000_0000 | UInt64(clamping: sequence))
    return QueueEntry(sequence: sequence, id: id)
  }
}
