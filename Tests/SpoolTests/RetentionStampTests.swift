import Testing

@testable import Spool

@Suite struct RetainStampTests {
  func stamp(_ odometer: Int64, _ wall: Int64, _ synchronized: Bool = true) -> RetentionStamp {
    RetentionStamp(accumulatedUptime: odometer, wall: wall, synchronized: synchronized)
  }

  @Test func `the clock with the longer time decides`() {
    #expect(stamp(100, 5000).isOlder(than: 50, at: stamp(150, 5000)))
    #expect(!stamp(100, 5000).isOlder(than: 50, at: stamp(149, 5049)))
    #expect(stamp(100, 5000).isOlder(than: 50, at: stamp(101, 5050)))
  }

  @Test func `a clock that was 1970 and leaps forward expires nothing`() {
    let year2026: Int64 = 1_790_000_000_000_000_000
    #expect(!stamp(100, 7, false).isOlder(than: 1000, at: stamp(101, year2026)))
    #expect(!stamp(100, year2026).isOlder(than: 1000, at: stamp(101, 7, false)))
  }

  @Test func `a clock that goes back expires nothing`() {
    #expect(!stamp(100, 5000).isOlder(than: 50, at: stamp(101, 0)))
  }

  @Test func `it reads back, and damage is noticed`() {
    for written in [stamp(1, 2), stamp(0, 0, false), stamp(.max / 2, .max)] {
      #expect(RetentionStamp(written.bytes) == written)
    }
    for text in [
      "", "1 2", "1 2 3 4", "a 2 1", "-1 2 1", "99999999999999999999 1 1",
      "9223372036854775807 0 0", "0 -9223372036854775807 1",
    ] {
      #expect(RetentionStamp(Array(text.utf8)) == nil)
    }
  }

  @Test func `any stamp that was read gives a valid time`() throws {
    let texts = ["0 0 1", "4611686018427387903 9223372036854775807 1"]
    for text in texts {
      let read = try #require(RetentionStamp(Array(text.utf8)))
      let life = read.accumulatedUptime + Int64.max / 2
      _ = read.isOlder(than: .max, at: stamp(life, .max))
      _ = read.isOlder(than: 0, at: stamp(0, 0))
    }
  }
}
