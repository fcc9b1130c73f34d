import Linux
import Testing

@testable import Display

@Suite struct CardHoldersTests {
  @Test func `whoever has the node open is named with its process`() throws {
    let proc = try TemporaryFolder()
    for (process, name, target) in [
      ("1", "systemd", "/dev/null"), ("312", "plymouthd", "/dev/dri/card0"),
      ("400", "weston", "/dev/dri/card10"), ("self", "nobody", "/dev/dri/card0"),
    ] {
      proc.link("\(process)/fd/5", to: target)
      try proc.file("\(process)/comm", name + "\n")
    }
    #expect(CardHolders.names(of: "/dev/dri/card0", proc: proc.path) == ["plymouthd (312)"])
    #expect(CardHolders.names(of: "/dev/dri/card1", proc: proc.path).isEmpty)
  }

  @Test func `a proc that may not be read names nobody`() {
    #expect(CardHolders.names(of: "/dev/dri/card0", proc: "/nowhere").isEmpty)
  }
}
