import Ink
import JSON
import Testing

@testable import Control

/// The last signatures, for clients that have not read theirs and those that ask by identity.
extension ControlServiceTests {
  @Test mutating func `a signature is kept until its client has read the reply`() throws {
    _ = send("Sign", #"{"reference":"4711"}"#)
    let actions = service.event(.signed(1, .test("a")), at: 0)
    guard case .deliver(1, _, awaiting: "a") = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(service.wasRead("a", by: 1) == [.ask(.forget("a"))])
    #expect(service.wasRead("a", by: 1).isEmpty)
    #expect(service.disconnected(1, at: 0).isEmpty && service.time(60 * second).isEmpty)
  }

  @Test mutating func `a signature that nobody waits for need not be kept`() {
    #expect(service.event(.signed(nil, .test("b")), at: 0) == [.ask(.forget("b"))])
    // Without a reference nobody can ask for it again.
    _ = send("Sign")
    _ = service.disconnected(1, at: 0)
    #expect(service.event(.signed(1, .test("c")), at: 0) == [.ask(.forget("c"))])
    #expect(service.time(60 * second).isEmpty)
  }

  @Test mutating func `a client that disconnects before it has read its signature can ask again`()
    throws
  {
    _ = send("Sign", #"{"reference":"4711"}"#)
    _ = service.event(.signed(1, .test("a")), at: 0)
    #expect(service.disconnected(1, at: 50 * second).isEmpty)
    // From then on for a minute.
    #expect(service.time(109 * second).isEmpty)
    service.connected(2, isAllowed: true)
    let actions = send("Sign", #"{"reference":"4711"}"#, from: 2, at: 109 * second)
    #expect(try reply(actions, to: 2)["signature"]?["id"]?.text == "a")
    #expect(service.wasRead("a", by: 2) == [.ask(.forget("a"))])
  }

  @Test mutating func `a client that disconnects while its signature is saved can ask again`()
    throws
  {
    _ = send("Sign", #"{"reference":"4711"}"#)
    #expect(service.disconnected(1, at: 0) == [.ask(.cancel(1))])
    #expect(service.event(.signed(1, .test("a")), at: 0).isEmpty)
    service.connected(2, isAllowed: true)
    let actions = send("Sign", #"{"reference":"4711"}"#, from: 2)
    #expect(try reply(actions, to: 2)["signature"]?["id"]?.text == "a")
  }

  @Test mutating func `a signature that no client asks for again is kept for a minute`() {
    _ = send("Sign", #"{"reference":"4711"}"#)
    _ = service.event(.signed(1, .test("a")), at: 0)
    _ = service.disconnected(1, at: second)
    #expect(service.deadline == 61 * second)
    #expect(service.time(61 * second) == [.ask(.forget("a"))])
    #expect(service.deadline == nil)
  }

  @Test
  mutating func
    `a signature that was sent to another client is not delivered by the first client's reading`()
    throws
  {
    _ = send("Sign", #"{"reference":"4711"}"#)
    _ = service.event(.signed(1, .test("a")), at: 0)
    service.connected(2, isAllowed: true)
    let actions = send("Sign", #"{"reference":"4711"}"#, from: 2)
    #expect(try reply(actions, to: 2)["signature"]?["id"]?.text == "a")
    #expect(service.wasRead("a", by: 1).isEmpty)
    #expect(service.wasRead("a", by: 2) == [.ask(.forget("a"))])
  }

  @Test mutating func `a full cache drops a delivered signature before an unread one`() {
    service.restore(.test("a"), at: 0)
    for id in ["b", "c", "d", "e"] { _ = service.event(.signed(nil, .test(id, nil)), at: 0) }
    #expect(service.signatures.map { $0.id } == ["a", "c", "d", "e"])
  }

  @Test
  mutating func `a signature that a crash interrupted goes once to the client that asks again`()
    throws
  {
    service.restore(.test("a"), at: 0)
    #expect(try reply(send("Cancel")).error == "org.paraph.Pad.NoRequest")
    let actions = send("Sign", #"{"reference":"4711","formats":["inkml"]}"#)
    let answer = try reply(actions)
    #expect(answer.state == "saved" && !answer.continues)
    #expect(answer["signature"]?["id"]?.text == "a")
    #expect(answer["signature"]?["inkml"]?.text == "PGlua21sLz4=")
    #expect(actions.count == 1 && service.isReady(1))
    #expect(service.wasRead("a", by: 1) == [.ask(.forget("a"))])
    guard case .ask(.open) = send("Sign", #"{"reference":"4711"}"#).first else {
      Issue.record("who asks once more does not ask the person")
      return
    }
  }

  @Test
  mutating func `a restored request whose signature is there is cancelled, not signed twice`()
    throws
  {
    service.restore(.test("a"), at: 0)
    service.restore(Self.orphan, at: 0)
    let actions = send("Sign", #"{"reference":"4711"}"#)
    #expect(try reply(actions)["signature"]?["id"]?.text == "a")
    #expect(actions.last == .ask(.cancel(7)) && actions.count == 2)
  }

  @Test mutating func `a signature that a crash interrupted is kept for a minute`() {
    service.restore(.test("a"), at: second)
    #expect(service.deadline == 61 * second)
    #expect(service.time(61 * second) == [.ask(.forget("a"))])
    #expect(service.deadline == nil)
  }

  @Test mutating func `a signature that a crash interrupted is kept until a client asks for it`()
    throws
  {
    service.restore(Self.orphan, at: 0)
    #expect(service.event(.signed(7, .test("a")), at: 0).isEmpty)
    _ = send("Sign", #"{"reference":"4711"}"#)
    #expect(service.wasRead("a", by: 1) == [.ask(.forget("a"))])
  }

  @Test mutating func `a file of a signature is drawn once, however often it is asked for`() throws
  {
    final class Count { var drawn = 0 }
    let count = Count()
    service = ControlService(
      info: .test, allowsStrokes: true,
      draw: {
        count.drawn += 1
        return SavedSignature.drawn($0, $1)
      })
    service.connected(1, isAllowed: true)
    _ = service.event(.signed(nil, .test("a")), at: 0)
    for formats in [#"["svg"]"#, #"["svg","png"]"#, #"["inkml","svg","svg"]"#, #"["inkml"]"#] {
      for _ in 0..<100 {
        _ = try reply(send("GetSignature", #"{"id":"a","formats":\#(formats)}"#))
      }
    }
    #expect(count.drawn == 2)
  }

  @Test mutating func `replies share the files of a signature`() throws {
    var signature = SavedSignature.test("a")
    signature.png = [UInt8](repeating: 7, count: 1 << 20)
    _ = service.event(.signed(nil, signature), at: 0)
    let replies = (0..<2).compactMap { _ -> SignatureReply? in
      guard case .deliver(_, let reply, _) = send("GetSignature", #"{"id":"a"}"#).first else {
        return nil
      }
      return reply
    }
    let places = replies.map { reply in
      reply.pieces.filter { $0.count > 1 << 20 }.map { $0.withUnsafeBytes { $0.baseAddress } }
    }
    #expect(places.count == 2 && places[0].count == 1 && places[0] == places[1])
  }

  @Test mutating func `a signature is available by its id for a minute`() throws {
    _ = service.event(.signed(nil, .test("a")), at: 0)
    #expect(service.deadline == 60 * second)
    let found = try reply(send("GetSignature", #"{"id":"a","formats":[]}"#))
    #expect(found["signature"]?["digest"]?.text == "ab12")
    #expect(found["signature"]?["png"] == nil)
    let other = try reply(send("GetSignature", #"{"id":"b"}"#))
    #expect(other.error == "org.paraph.Pad.NoSuchSignature")
    _ = service.time(60 * second)
    #expect(service.deadline == nil)
    #expect(
      try reply(send("GetSignature", #"{"id":"a"}"#)).error == "org.paraph.Pad.NoSuchSignature")
  }

  @Test
  mutating func `a reply of a pad that seals has the sealed files that were asked for, and no ink`()
    throws
  {
    var signature = SavedSignature.test("a")
    signature.hideInk(
      besides: [("signature.svg.cms", [1, 2]), ("strokes.json.cms", [3])], picture: false)
    _ = service.event(.signed(nil, signature), at: 0)
    func reply(_ formats: String) throws -> JSONValue? {
      let actions = send("GetSignature", "{\"id\":\"a\",\"formats\":[\(formats)]}")
      return try self.reply(actions)["signature"]
    }
    let all = try #require(try reply(#""png","svg","inkml","strokes""#))
    #expect(all["png"]?.text != nil)
    for name in ["svg", "inkml", "strokes"] { #expect(all[name] == nil) }
    let files = try #require(all["sealed"]?.elements)
    #expect(files.map { $0["name"]?.text } == ["signature.svg.cms", "strokes.json.cms"])
    #expect(files.map { $0["content"]?.text } == ["AQI=", "Aw=="])
    // InkML is not in the item.
    #expect(try reply(#""inkml""#)?["sealed"]?.elements?.count == 0)
    // Encoded once, and the same again.
    #expect(try reply(#""strokes""#)?["sealed"]?[0]?["content"]?.text == "Aw==")
  }

  @Test mutating func `a picture that is sealed is not in the reply`() throws {
    var signature = SavedSignature.test("a")
    signature.hideInk(besides: [("signature.png.cms", [1])], picture: true)
    _ = service.event(.signed(nil, signature), at: 0)
    let found = try reply(send("GetSignature", #"{"id":"a"}"#))["signature"]
    #expect(found?["png"] == nil)
    #expect(found?["sealed"]?[0]?["name"]?.text == "signature.png.cms")
  }
}
