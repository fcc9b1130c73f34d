import Testing

@testable import Display

@Suite struct CardNodesTests {
  @Test func `cards are in the order of their numbers, and nothing else is one`() throws {
    let dri = try TemporaryFolder()
    for name in ["card10", "card2", "renderD128", "card1-HDMI-A-1", "card", "cardx", "card0"] {
      try dri.file(name, "")
    }
    #expect(
      CardNodes.paths(in: dri.path) == ["card0", "card2", "card10"].map { "\(dri.path)/\($0)" })
    #expect(CardNodes.paths(in: "/nowhere").isEmpty)
  }

  @Test func `a node's other names are the links that lead to it`() throws {
    let dri = try TemporaryFolder()
    dri.link("by-path/platform-a-card", to: "../card1")
    dri.link("by-path/platform-b-card", to: "../card11")
    dri.link("by-path/platform-a-render", to: "../renderD128")
    #expect(
      CardNodes.links(to: "\(dri.path)/card1", in: dri.path)
        == ["\(dri.path)/by-path/platform-a-card"])
  }
}
