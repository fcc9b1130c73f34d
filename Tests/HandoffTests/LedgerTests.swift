import Testing

@testable import Handoff

@Suite struct LedgerTests {
  let id = Entries.entry(1).id

  @Test func `an item settles when the last sink has it`() {
    var ledger = Ledger(sinks: ["a", "b", "c"])
    #expect(ledger.record(.delivered, of: 1, for: id) == .wait)
    #expect(ledger.record(.delivered, of: 0, for: id) == .wait)
    #expect(ledger.record(.delivered, of: 2, for: id) == .settle)
  }

  @Test func `a never waits for the others, then sets aside with every reason`() {
    var ledger = Ledger(sinks: ["a", "b", "c"])
    #expect(ledger.record(.never("too large"), of: 2, for: id) == .wait)
    #expect(ledger.record(.never("401"), of: 0, for: id) == .wait)
    #expect(ledger.record(.delivered, of: 1, for: id) == .fail("a: 401\nc: too large"))
  }

  @Test func `the same answer twice counts once`() {
    var ledger = Ledger(sinks: ["a", "b"])
    #expect(ledger.record(.delivered, of: 0, for: id) == .wait)
    #expect(ledger.record(.delivered, of: 0, for: id) == .wait)
    #expect(ledger.record(.delivered, of: 1, for: id) == .settle)
  }

  @Test func `the last sink is known before its answer`() {
    var ledger = Ledger(sinks: ["a", "b", "c"])
    _ = ledger.record(.delivered, of: 0, for: id)
    #expect(!ledger.isLast(1, for: id))
    _ = ledger.record(.never("no"), of: 2, for: id)
    #expect(ledger.isLast(1, for: id))
    #expect(!ledger.isLast(0, for: id))
  }

  @Test func `one sink decides alone, and is always the last`() {
    var ledger = Ledger(sinks: ["a"])
    #expect(ledger.isLast(0, for: id))
    #expect(ledger.record(.delivered, of: 0, for: id) == .settle)
    #expect(ledger.record(.never("no"), of: 0, for: id) == .fail("a: no"))
  }
}
