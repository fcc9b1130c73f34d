import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// What a server's answer may repeat of a manifest, and the log must not.
@Suite struct PersonalTextsTests {
  let folder = TemporaryFolder()

  func manifest() throws -> Manifest {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var description = Fixtures.description
    description.reference = "Müller/4711 \"x\""
    description.title = "Delivery note\nfor Erika 😀"
    description.prompt = " "
    description.requester = Requester(
      uid: 1000, user: "emustermann", program: "paraph", token: "desk-3")
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    return try draft.publish(description)
  }

  @Test func `a line with the reference, a title or a name is left out, however it is escaped`()
    throws
  {
    let texts = try manifest().personalTexts
    for line in [
      #"unknown reference: Müller/4711 "x""#, #"{"error":"no Müller/4711 \"x\" here"}"#,
      #"{"error":"no M\u00FCller\/4711 \"x\" here"}"#, "/items/m%c3%bcller%2f4711%20%22X%22",
      "M%C3%BCller/4711 \"x\"", "DELIVERY NOTE?", #"{"title":"for Erika \ud83d\uDE00"}"#,
      "for Erika 😀", "user Emustermann", "token desk-3 has no rights",
    ] {
      let reply = HTTPReply(status: 422, body: Array(line.utf8))
      #expect(reply.firstLine(without: texts) == nil, "\(line)")
    }
  }

  @Test func `any other line is kept`() throws {
    let texts = try manifest().personalTexts
    for line in ["unknown customer", "bad X-Paraph-Signature", "4711 is no number", "for Erik"] {
      let reply = HTTPReply(status: 422, body: Array(line.utf8))
      #expect(reply.firstLine(without: texts) == line)
    }
  }
}
