import Testing

@testable import Touch

@Suite struct ContactEventTests {
  @Test func `phases and tools have the words that the tool prints`() {
    #expect(ContactEvent.Phase.allCases.map(\.rawValue) == ["down", "move", "up", "cancel"])
    #expect(
      ContactEvent.Tool.allCases.map(\.rawValue) == ["finger", "pen", "eraser", "palm", "other"])
  }
}

@Suite struct SlotTableTests {
  @Test func `each frame has room for 64 contacts that begin and end in it`() {
    var table = SlotTable(count: 1)
    for frame in 1...3 as ClosedRange<UInt64> {
      for _ in 0..<70 {
        table.begin(0)
        table.end(0)
      }
      table.finish(at: 0, measured: 0)
      let dropped = table.dropped
      #expect(dropped == 6 * frame)
    }
  }
}
