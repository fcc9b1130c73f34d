import Testing

@testable import Configuration

@Suite struct ConfigurationOriginTests {
  private func pad(_ text: String) throws -> PadConfiguration {
    try PadConfiguration(text, file: "f", models: [])
  }

  @Test func `changed keys are reported wherever they are in the file`() throws {
    let old = try pad("[display]\ncard = memory\n[touch]\nloop = yes")
    let same = try pad("[touch]\n\nloop = yes\n[display]\ncard = memory")
    #expect(same == old && same.origin.changes(since: old.origin).isEmpty)
    let new = try pad("[display]\ncard = auto\n[pad]\nundo = yes")
    #expect(
      new.origin.changes(since: old.origin) == ["[display] card", "[pad] undo", "[touch] loop"])
  }

  @Test func `a key is compared with the same key of its section`() throws {
    func handoff(_ path: String) throws -> ConfigurationOrigin {
      let sinks = "[sink a]\ntype = directory\npath = /a\n[sink b]\ntype = directory\npath = "
      return try HandoffConfiguration(sinks + path, file: "f").origin
    }
    #expect(try handoff("/c").changes(since: handoff("/b")) == ["[sink b] path"])
  }
}
