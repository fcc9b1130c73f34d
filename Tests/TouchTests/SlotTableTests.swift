import Testing
import Touch

@Suite struct ContactEventTests {
  @Test func `what happens and what touches have the words that the tool lists`() {
    #expect(ContactEvent.Phase.allCases.map(\.rawValue) == ["down", "move", "up", "cancel"])
    #expect(
      ContactEvent.Tool.allCases.map(\.rawValue) == ["finger", "pen", "eraser", "palm", "other"])
  }
}
