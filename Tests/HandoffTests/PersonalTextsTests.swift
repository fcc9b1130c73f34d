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

  /// What is logged of a line; nil: nothing.
  private func logged(
    _ line: String, _ texts: [String]? = nil, secrets: [String] = []
  ) throws -> String? {
    let reply = HTTPReply(status: 422, body: Array(line.utf8))
    return reply.firstLine(without: secrets, try texts ?? manifest().personalTexts)
  }

  @Test(
    arguments: [
      (#"unknown reference: Müller/4711 "x""#, "unknown reference: …"),
      ("no /items/m%c3%bcller%2f4711%20%22X%22 here", "no /items/… here"),
      ("M%C3%BCller/4711 \"x\": unknown", "…: unknown"), ("DELIVERY NOTE?", nil),
      ("'for Erika 😀' unknown", "'…' unknown"), ("user Emustermann", "user …"),
      ("token desk-3 has no rights", "token … has no rights"),
      ("delivery+note is no title", "… is no title"),
    ] as [(String, String?)])
  func `the reference, a title or a name is left out of a line`(
    line: String, kept: String?
  ) throws {
    #expect(try logged(line) == kept)
  }

  @Test(arguments: [
    #"{"error":"no Müller/4711 \"x\" here"}"#, #"{"error":"no M\u00FCller\/4711 \"x\" here"}"#,
    #"{"title":"for Erika \ud83d\uDE00"}"#, #"{"title":"a\nDelivery note"}"#,
    "M&#252;ller/4711 &quot;x&quot;", "M&#xFC;ller/4711 &quot;x&quot;",
    #"{"e":"{\"e\":\"M\\u00fcller/4711 \\\"x\\\"\"}"}"#, #"b'M\xc3\xbcller/4711 "x"'"#,
  ])
  func `a line with such a text in another form is left out as a whole`(line: String) throws {
    #expect(try logged(line) == nil, "\(line)")
  }

  /// Go's encoding/json, .NET's System.Text.Json, encodeURIComponent, a form and HTML.
  @Test(arguments: [
    #"no \"A\u0026B \u003cO'Neill+1\u003e!\" here"#,
    #"no \u0022A\u0026B \u003CO\u0027Neill\u002B1\u003E!\u0022 here"#,
    "no A%26B%20%3CO'Neill%2B1%3E! here", "no A%26B+%3CO%27Neill%2B1%3E%21 here",
    "no A&amp;B &lt;O&#39;Neill+1&gt;! here", "no A&amp;B &lt;O&apos;Neill&#43;1&gt;! here",
  ])
  func `the forms of common receivers are found`(line: String) throws {
    #expect(try logged(line, ["A&B <O'Neill+1>!"]) == nil, "\(line)")
  }

  @Test func `blanks at the ends of a text do not hide it`() throws {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var description = Fixtures.description
    description.reference = " 4711 "
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    let texts = try draft.publish(description).personalTexts
    #expect(try logged("unknown: 4711", texts) == "unknown: …")
  }

  @Test(
    arguments: [
      // One in another, which is escaped.
      (["4711", "Order 4711 for Müller"], #"no order 4711 for M\u00fcller"#, nil),
      (["39", "O'Neill"], "no O&#39;Neill here", nil),
      // One that begins in another.
      (["Contract Erika", "Erika Mustermann"], "no contract Erika Mustermann", "no …"),
      (["Order 4711", "4711-Mueller"], "Order 4711-Mueller unknown", "… unknown"),
    ] as [([String], String, String?)])
  func `texts that have a part in common are all left out`(
    texts: [String], line: String, kept: String?
  ) throws {
    #expect(try logged(line, texts) == kept)
    #expect(try logged(line, texts.reversed()) == kept)
  }

  @Test func `any other line is kept`() throws {
    for line in ["unknown customer", "bad X-Paraph-Signature", "4711 is no number", "for Erik"] {
      #expect(try logged(line) == line)
    }
  }

  @Test(arguments: [
    ("pi", "the API is pinned"), ("Signature", "no signatures"), ("7", "at most 17 of 70 MB"),
    ("note", "Notes: %6eotes"), ("%20", "no blanks"),
  ])
  func `a short text is found as a word only`(text: String, line: String) throws {
    #expect(try logged(line, [text]) == line)
    #expect(try logged("no (\(text)) here", [text]) == "no (…) here")
  }

  @Test func `a text without letter or digit hides nothing`() throws {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var description = Fixtures.description
    (description.title, description.prompt) = ("--", ".")
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    let texts = try draft.publish(description).personalTexts
    #expect(try logged("-- no. --", texts) == "-- no. --")
  }

  @Test(arguments: ["x", #"\u00fc"#])
  func `the beginning of a text that an answer of limited length cuts is found`(
    letter: String
  ) throws {
    let text = "Erika" + String(repeating: letter == "x" ? "x" : "ü", count: 5000)
    let line = "no Erika" + String(repeating: letter, count: 5000)
    let cut = String(decoding: line.utf8.prefix(HTTPReply.bodyLimit), as: UTF8.self)
    #expect(try logged(cut, [text]) == (letter == "x" ? "no …" : nil))
    // An answer that ends there by itself is another text.
    #expect(try logged(cut + "\n", [text])?.hasPrefix("no Erika") == true)
  }

  @Test func `a secret hides a line also as a part of a word, and escaped`() throws {
    for line in ["bad key1 there", "bad xKEY1x", "bad k%65y1"] {
      #expect(try logged(line, [], secrets: ["key1"]) == nil, "\(line)")
    }
    #expect(try logged("bad key2", [], secrets: ["key1"]) == "bad key2")
  }
}
