import Configuration
import Testing

@testable import Pad

@Suite struct SessionRulesTests {
  private func rules(_ text: String) throws -> SessionRules {
    SessionRules(try PadConfiguration(text, file: "paraphd.conf", models: []))
  }

  @Test func `a pad that seals or signs waits until it is known that it can`() throws {
    #expect(try !rules("").awaitsService)
    #expect(try rules("[seal]\nrecipients = /recipient.pem").awaitsService)
    #expect(try rules("[sign]\ncertificate = /pad.pem\nkey = /pad.key").awaitsService)
  }

  @Test func `invitation and abandonment are those of the configuration`() throws {
    let found = try rules("[pad]\ninvite = request\nabandon-after = 7s")
    #expect(!found.invites && found.abandonment == 7_000_000_000)
  }
}
