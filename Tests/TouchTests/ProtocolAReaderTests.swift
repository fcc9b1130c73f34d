import CLinux
import SyntheticHand
import Testing
import Touch

@Suite struct ProtocolAReaderTests {
  @Test func `a contact with a number is not the one without a number that was there`() {
    #expect(
      contacts(.numberedLists, "0: MX 100, MY 200, MREPORT\n8: ID 0, MX 101, MY 200, MREPORT")
        == ["0 down 100,200 @0", "0 up 100,200 @8", "1 down 101,200 @8"])
  }

  @Test func `contacts keep their numbers by the nearest position`() {
    #expect(
      contacts(
        .lists,
        """
        0: MX 100, MY 100, MREPORT, MX 9000, MY 7000, MREPORT
        10: MX 9010, MY 7000, MREPORT, MX 110, MY 100, MREPORT
        20: MX 9020, MY 7000, MREPORT
        30: MREPORT
        """) == [
          "0 down 100,100 @0", "1 down 9000,7000 @0 slot 1", "0 move 110,100 @10",
          "1 move 9010,7000 @10 slot 1", "0 up 110,100 @20", "1 move 9020,7000 @20 slot 1",
          "1 up 9020,7000 @30 slot 1",
        ])
  }

  @Test func `two fingers that follow one another are not exchanged`() {
    #expect(
      contacts(
        .lists,
        """
        0: MX 0, MY 0, MREPORT, MX 1000, MY 0, MREPORT
        10: MX 900, MY 0, MREPORT, MX 1900, MY 0, MREPORT
        """
      ).suffix(2) == ["0 move 900,0 @10", "1 move 1900,0 @10 slot 1"])
  }

  @Test(arguments: 0..<300) func `no exchange of two contacts would shorten their paths`(
    seed: Int
  ) {
    var random = SeededRandom(seed: UInt64(seed))
    func positions() -> [SIMD2<Int>] {
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        SIMD2(.random(in: 0...9600, using: &random), .random(in: 0...7200, using: &random))
      }
    }
    func list(_ positions: [SIMD2<Int>]) -> String {
      positions.map { "MX \($0.x), MY \($0.y), MREPORT" }.joined(separator: ", ")
    }
    let (old, new) = (positions(), positions())
    let reach = 3200 * 3200
    func distance(_ a: SIMD2<Int>, _ b: SIMD2<Int>) -> Int { ((a &- b) &* (a &- b)).wrappedSum() }
    var decoder = ContactDecoder(TestDevice.lists.description)
    _ = contacts(&decoder, "0: \(list(old))")
    let lines = contacts(&decoder, "10: \(list(new))")
    // The contact of each position of the second frame; nil: a new one.
    let before = new.map { position -> Int? in
      let line = lines.first {
        $0.contains(" \(position.x),\(position.y) @10") && !$0.contains("up")
      }
      guard let line, line.contains(" move ") else { return nil }
      return Int(line.prefix { $0 != " " })
    }
    let pairs = before.indices.compactMap { index in before[index].map { (old[$0], new[index]) } }
    #expect(pairs.allSatisfy { distance($0.0, $0.1) < reach }, "seed \(seed)")
    #expect(Set(before.compactMap { $0 }).count == pairs.count, "seed \(seed)")
    for (a, b) in pairs {
      for (c, d) in pairs where max(distance(a, d), distance(c, b)) < reach {
        #expect(
          distance(a, b) + distance(c, d) <= distance(a, d) + distance(c, b), "seed \(seed)")
      }
    }
    // No contact ends beside a new one within reach.
    let ended = old.indices.filter { !before.contains($0) }
    for index in before.indices where before[index] == nil {
      #expect(ended.allSatisfy { distance(old[$0], new[index]) >= reach }, "seed \(seed)")
    }
  }

  @Test func `a finger that is put down elsewhere in the next frame is another`() {
    #expect(
      contacts(.lists, "0: MX 100, MY 100, MREPORT\n10: MX 9000, MY 7000, MREPORT") == [
        "0 down 100,100 @0", "0 up 100,100 @10", "1 down 9000,7000 @10",
      ])
  }

  @Test func `without a range, contacts are matched at any distance`() {
    var device = TestDevice.lists.description
    for axis in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
      device.describe(axis, as: AxisRange(minimum: 0, maximum: 0))
    }
    var decoder = ContactDecoder(device)
    #expect(contacts(&decoder, "0: MX 100, MY 100, MREPORT") == ["0 down 100,100 @0"])
    #expect(
      contacts(&decoder, "10: MX 9000, MY 7000, MREPORT") == ["0 move 9000,7000 @10"])
  }

  @Test func `the last list may be missing if BTN_TOUCH reports no contact`() {
    #expect(
      contacts(.lists, "0: MX 1, MY 2, MREPORT, TOUCH 1\n10: TOUCH 0") == [
        "0 down 1,2 @0", "0 up 1,2 @10",
      ])
  }

  @Test func `a position beside the release of BTN_TOUCH is ignored`() {
    #expect(
      contacts(.lists, "0: MX 1, MY 2, MREPORT, TOUCH 1\n10: MX 1, MY 2, MREPORT, TOUCH 0") == [
        "0 down 1,2 @0", "0 up 1,2 @10",
      ])
  }

  @Test func `a contact that SYN_MT_REPORT does not close is one`() {
    #expect(
      contacts(.lists, "0: MX 1, MY 2, TOUCH 1\n10: MX 3, MY 2") == [
        "0 down 1,2 @0", "0 move 3,2 @10",
      ])
  }

  @Test func `a key of the same device ends no contact`() {
    #expect(
      contacts(.lists, "0: MX 1, MY 2, MREPORT\n5: HOME 1\n10: MX 3, MY 2, MREPORT") == [
        "0 down 1,2 @0", "0 move 3,2 @10",
      ])
  }

  @Test func `a list that repeats itself is a report`() {
    #expect(
      contacts(.lists, "0: MX 1, MY 2, MREPORT\n10: MX 1, MY 2, MREPORT") == [
        "0 down 1,2 @0", "0 move 1,2 @10",
      ])
  }

  @Test func `tracking ids identify contacts at any distance`() {
    #expect(
      contacts(
        .numberedLists,
        """
        0: ID 7, MX 0, MY 0, MREPORT, ID 9, MX 5000, MY 0, MREPORT
        10: ID 9, MX 0, MY 0, MREPORT, ID 7, MX 9600, MY 7200, MREPORT
        20: ID 9, MX 1, MREPORT
        30: ID 3, MX 1, MY 1, MREPORT
        """) == [
          "0 down 0,0 @0", "1 down 5000,0 @0 slot 1", "0 move 9600,7200 @10",
          "1 move 0,0 @10 slot 1", "0 up 9600,7200 @20", "1 move 1,0 @20 slot 1",
          "2 down 1,1 @30", "1 up 1,0 @30 slot 1",
        ])
  }

  @Test func `the first tracking id, 0, identifies a contact as well`() {
    #expect(
      contacts(
        .numberedLists,
        """
        0: ID 0, MX 0, MY 0, MREPORT, ID 1, MX 9600, MY 0, MREPORT
        10: ID 1, MX 0, MY 0, MREPORT, ID 0, MX 9600, MY 7200, MREPORT
        """) == [
          "0 down 0,0 @0", "1 down 9600,0 @0 slot 1", "0 move 9600,7200 @10",
          "1 move 0,0 @10 slot 1",
        ])
  }

  @Test func `contacts beyond the capacity are counted`() {
    var decoder = ContactDecoder(TestDevice.lists.description)
    let list = (0..<40).map { "MX \($0 * 100), MY 5, MREPORT" }.joined(separator: ", ")
    let lines = contacts(&decoder, "0: \(list)")
    #expect(lines.count == 32)
    #expect(decoder.contactsDropped == 8)
  }
}
