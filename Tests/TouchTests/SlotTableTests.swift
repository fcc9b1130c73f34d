import Testing
import Touch

@Suite struct ContactEventTests {
  @Test func `phases and tools have the words that the tool prints`() {
    #expect(ContactEvent.Phase.allCases.map(\.rawValue) == ["down", "move", "up", "cancel"])
    #expect(
      ContactEvent.Tool.allCases.map(\.rawValue) == ["finger", "pen", "eraser", "palm", "other"])
  }
}
