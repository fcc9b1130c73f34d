import AllocationCount
import Ink
import SyntheticHand
import Testing
import Touch

@Suite struct StrokeSerializerTests {
  private func contact(
    _ phase: GlassContact.Phase, _ number: Int32, _ time: Int64, gap: Bool = false,
    mistake: Bool = false
  ) -> GlassContact {
    GlassContact(
      phase, Sample(time: time, position: .zero), contact: number, isAfterGap: gap,
      isMistake: mistake)
  }

  /// "down 0 @3" of each that comes out.
  private func through(_ contacts: GlassContact...) -> [String] {
    var serializer = StrokeSerializer()
    var out: [String] = []
    for contact in contacts {
      serializer.put(contact)
      while let next = serializer.next() {
        out.append("\(next.phase) \(next.contact) @\(next.sample.time)")
      }
    }
    return out
  }

  @Test func `one contact after the other goes through as it comes`() {
    #expect(
      through(contact(.down, 0, 1), contact(.move, 0, 2), contact(.up, 0, 3), contact(.down, 1, 4))
        == ["down 0 @1", "move 0 @2", "up 0 @3", "down 1 @4"])
  }

  @Test func `a later contact waits until the earlier one has left, and then continues live`() {
    #expect(
      through(
        contact(.down, 0, 1), contact(.down, 1, 2), contact(.move, 0, 3), contact(.move, 1, 4),
        contact(.down, 2, 5), contact(.up, 0, 6), contact(.move, 1, 7), contact(.up, 2, 8),
        contact(.up, 1, 9), contact(.down, 3, 10))
        == [
          "down 0 @1", "move 0 @3", "up 0 @6", "down 1 @2", "move 1 @4", "move 1 @7", "up 1 @9",
          "down 2 @5", "up 2 @8", "down 3 @10",
        ])
  }

  @Test func `a waiting contact that is a mistake leaves nothing`() {
    #expect(
      through(
        contact(.down, 0, 1), contact(.down, 1, 2), contact(.cancel, 1, 3, mistake: true),
        contact(.up, 0, 4))
        == ["down 0 @1", "up 0 @4"])
  }

  @Test func `after a gap, no contact waits for an end that was lost`() {
    #expect(
      through(contact(.down, 0, 1), contact(.down, 1, 2, gap: true), contact(.move, 1, 3))
        == ["down 0 @1", "down 1 @2", "move 1 @3"])
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `every contact is passed on whole, in order, and one at a time`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    var serializer = StrokeSerializer()
    var (down, next, time): ([Int32], Int32, Int64) = ([], 0, 0)
    var (given, taken): ([Int32: [Int64]], [Int32: [Int64]]) = ([:], [:])
    var live: Int32?
    func put(_ contact: GlassContact) {
      given[contact.contact, default: []].append(contact.sample.time)
      serializer.put(contact)
      while let next = serializer.next() {
        #expect(live == nil ? next.phase == .down : next.contact == live)
        live = next.phase == .up ? nil : next.contact
        taken[next.contact, default: []].append(next.sample.time)
      }
    }
    for _ in 0..<600 {
      time += 1
      if down.isEmpty || (down.count < 9 && Int.random(in: 0..<10, using: &random) == 0) {
        put(contact(.down, next, time))
        down.append(next)
        next += 1
      } else if let index = down.indices.randomElement(using: &random) {
        let isEnd = Int.random(in: 0..<12, using: &random) == 0
        put(contact(isEnd ? .up : .move, down[index], time))
        if isEnd { down.remove(at: index) }
      }
    }
    for number in down { put(contact(.up, number, time + 1)) }
    #expect(given == taken, "seed \(seed)")
  }

  @Test func `a contact that waits too long loses reports, but not its end`() {
    var serializer = StrokeSerializer()
    let waited = overflow(&serializer)
    #expect(waited.count > 30_000 && waited.count < 33_000)
    #expect(waited.last?.phase == .up && waited.last?.contact == 1)
  }

  @Test func `only the first report after lost ones is after a gap`() {
    var serializer = StrokeSerializer()
    let waited = overflow(&serializer)
    #expect(waited.last?.isAfterGap == true && waited.count { $0.isAfterGap } == 1)
    serializer.put(contact(.down, 2, 60_000))
    let begun = serializer.next()
    serializer.put(contact(.down, 3, 60_000))
    serializer.put(contact(.up, 2, 60_001))
    let ended = serializer.next()
    let next = serializer.next()
    #expect(begun?.contact == 2 && ended?.phase == .up)
    #expect(next?.contact == 3 && next?.isAfterGap == false)
  }

  /// Contact 1 waits for contact 0 until there is no room. Returns all that comes out.
  private func overflow(_ serializer: inout StrokeSerializer) -> [GlassContact] {
    serializer.put(contact(.down, 0, 0))
    serializer.put(contact(.down, 1, 0))
    _ = serializer.next()
    for time in 1...40_000 as ClosedRange<Int64> { serializer.put(contact(.move, 1, time)) }
    serializer.put(contact(.up, 1, 50_000))
    serializer.put(contact(.up, 0, 50_001))
    var out: [GlassContact] = []
    while let next = serializer.next() { out.append(next) }
    return out
  }

  @Test func `two fingers allocate nothing`() {
    var contacts = [contact(.down, 0, 0), contact(.down, 1, 0)]
    for time in 0..<500 as Range<Int64> { contacts.append(contact(.move, Int32(time & 1), time)) }
    contacts += [contact(.up, 0, 500), contact(.up, 1, 500)]
    var serializer = StrokeSerializer()
    var (asked, count) = (0, 0)
    for round in 0..<4 {
      if round == 1 { asked = allocation_count() }
      for index in contacts.indices {
        serializer.put(contacts[index])
        while serializer.next() != nil { count += 1 }
      }
    }
    let more = allocation_count() - asked
    #expect(more == 0)
    #expect(count == 4 * contacts.count)
  }
}
