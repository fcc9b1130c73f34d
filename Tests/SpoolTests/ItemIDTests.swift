import SyntheticHand
import Testing

@testable import Spool

@Suite struct ItemIDTests {
  @Test func `the text reads back`() throws {
    var source = ItemIDSource()
    for time in [0, 1, 1_763_701_377_123_000_000, Int64.max] {
      let id = try source.next(at: time)
      #expect(ItemID(id.text) == id)
      #expect(Array(id.text.utf8)[14] == UInt8(ascii: "7"))
      #expect("89ab".utf8.contains(Array(id.text.utf8)[19]))
    }
  }

  @Test func `the first 48 bits are the milliseconds (RFC 9562, appendix A.6)`() {
    var source = ItemIDSource()
    let id = source.next(
      at: 1_645_557_742_000 * 1_000_000, random: (0xcc3, 0x18c4_dc0c_0c07_398f << 2))
    #expect(id.text == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
  }

  @Test func `the time is that of creation, in whole milliseconds`() throws {
    var source = ItemIDSource()
    for time in [0, 1_000_000, 1_763_701_377_123_456_789] as [Int64] {
      #expect(try source.next(at: time).time == time / 1_000_000 * 1_000_000)
    }
    let last = try #require(ItemID("ffffffff-ffff-7cc3-98c4-dc0c0c07398f"))
    #expect(last.time == .max)
  }

  @Test(arguments: [
    "", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398ff",
    "017F22E2-79b0-7cc3-98c4-dc0c0c07398f", "017f22e2-79b0-4cc3-98c4-dc0c0c07398f",
    "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f", "017f22e2079b0-7cc3-98c4-dc0c0c07398f",
    "017f22e2-79b0-7cc3-98c4-dc0c0c0739/f", "../../etc/passwd",
  ])
  func `another spelling is not an id`(text: String) {
    #expect(ItemID(text) == nil)
  }

  @Test func `ids grow where the clock stands still or goes back`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    var source = ItemIDSource()
    var last = ItemID(high: 0, low: 0)
    for step in 0..<20_000 {
      let time = Int64(step / 100 % 7) * 1_000_000_000
      let id = source.next(at: time, random: (generator.next(), generator.next()))
      #expect((last.high, last.low) < (id.high, id.low), "seed \(seed), step \(step)")
      #expect(ItemID(id.text) == id, "seed \(seed), step \(step)")
      last = id
    }
  }

  @Test func `ids grow across the end of the random part`() {
    var source = ItemIDSource()
    let full = source.next(at: 5_000_000, random: (.max, .max))
    let next = source.next(at: 5_000_000, random: (0, 0))
    #expect((full.high, full.low) < (next.high, next.low))
    #expect(ItemID(next.text) == next)
  }

  @Test func `the next id of a millisecond is at least one higher`() {
    var source = ItemIDSource()
    let first = source.next(at: 5_000_000, random: (0, 0))
    let next = source.next(at: 5_000_000, random: (0, 0))
    #expect(next.high == first.high && next.low == first.low + 1)
  }

  @Test func `an id after the end of the last 62 bits counts on in the 12 before them`() {
    var source = ItemIDSource()
    let full = source.next(at: 5_000_000, random: (0xa11, .max))
    let next = source.next(at: 5_000_000, random: (0, 0))
    #expect(next.high == full.high + 1 && next.low == 1 << 63)
    #expect(ItemID(next.text) == next)
  }
}
