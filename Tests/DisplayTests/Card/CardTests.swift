import CLinux
import Linux
import Testing

@testable import Display

@Suite struct CardTests {
  @Test func `cards are listed in the order of their numbers, without other nodes`() throws {
    let dri = try TemporaryFolder()
    for name in ["card10", "card2", "renderD128", "card1-HDMI-A-1", "card", "cardx", "card0"] {
      try dri.file(name, "")
    }
    #expect(
      Card.nodes(in: dri.path) == ["card0", "card2", "card10"].map { "\(dri.path)/\($0)" })
    #expect(Card.nodes(in: "/nowhere").isEmpty)
  }

  @Test func `a node's other names are the links that lead to it`() throws {
    let dri = try TemporaryFolder()
    dri.link("by-path/platform-a-card", to: "../card1")
    dri.link("by-path/platform-b-card", to: "../card11")
    dri.link("by-path/platform-a-render", to: "../renderD128")
    #expect(
      Card.links(to: "\(dri.path)/card1", in: dri.path)
        == ["\(dri.path)/by-path/platform-a-card"])
  }

  @Test func `processes that have the node open are named`() throws {
    let proc = try TemporaryFolder()
    for (process, name, target) in [
      ("1", "systemd", "/dev/null"), ("312", "plymouthd", "/dev/dri/card0"),
      ("400", "weston", "/dev/dri/card10"), ("self", "nobody", "/dev/dri/card0"),
    ] {
      proc.link("\(process)/fd/5", to: target)
      try proc.file("\(process)/comm", name + "\n")
    }
    #expect(Card.holders(of: "/dev/dri/card0", proc: proc.path) == ["plymouthd (312)"])
    #expect(Card.holders(of: "/dev/dri/card1", proc: proc.path).isEmpty)
  }

  @Test func `an unreadable /proc names no process`() {
    #expect(Card.holders(of: "/dev/dri/card0", proc: "/nowhere").isEmpty)
  }

  @Test func `a file that is not a card differs from a missing one`() {
    #expect(throws: DisplayError.refused(.openCard, Errno(ENOENT))) {
      _ = try Card(opening: "/dev/dri/nothing")
    }
    #expect(throws: UnusedCard.renderOnly) {
      _ = try SurveyReader(Card(opening: "/dev/null")).read()
    }
  }
}
