import JSON
import Testing

@testable import Web

@Suite struct LiveServiceTests {
  static let state = #"{"state":"idle"}"#

  /// All that a client can read now.
  func read(_ test: inout ServiceUnderTest, _ client: Int) -> String {
    var text = ""
    while case .bytes(let bytes) = test.service.read(client) {
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  @Test func `the pad is watched once for all readers, and with ink only if one sees ink`() throws {
    var test = try ServiceUnderTest("mirror = yes")
    #expect(
      test.send("GET", "/v1/live", from: 1, query: "no")
        == ["stream 1", #"call 1 Watch {"strokes":false} more"#])
    #expect(test.send("GET", "/v1/live", from: 2, query: "no") == ["stream 2"])
    #expect(
      test.send("GET", "/v1/live", from: 3)
        == ["stream 3", "hang up 1", #"call 2 Watch {"strokes":true} more"#])
    #expect(test.send("GET", "/v1/live", from: 4) == ["stream 4"])
    #expect(test.words(test.service.disconnected(3, at: 0)).isEmpty)
    #expect(
      test.words(test.service.disconnected(4, at: 0))
        == ["hang up 2", #"call 3 Watch {"strokes":false} more"#])
    _ = test.service.disconnected(1, at: 0)
    #expect(test.words(test.service.disconnected(2, at: 0)) == ["hang up 3"])
    #expect(test.service.isIdle && test.service.deadline == nil)
  }

  @Test func `a reader that wants no body does not watch the pad`() throws {
    var test = try ServiceUnderTest()
    #expect(test.send("HEAD", "/v1/live") == ["stream 1"])
    #expect(test.service.isIdle)
    #expect(test.words(test.service.delivered(to: 1, at: 0)).isEmpty)
  }

  @Test(arguments: ["GET", "HEAD"])
  func `a web server between is told to keep no events back`(method: String) throws {
    var test = try ServiceUnderTest()
    let fields = [WebRequest.Field(name: "host", value: "localhost:8420")]
    let request = WebRequest(method, "/v1/live", headers: fields, channel: .loopback)
    guard case .stream(_, let headers) = test.service.request(request, from: 1, at: 0).first
    else {
      Issue.record("no stream")
      return
    }
    #expect(headers.contains { $0.name == "X-Accel-Buffering" && $0.value == "no" })
  }

  @Test func `a reader waits for the pad's first reply`() throws {
    var test = try ServiceUnderTest("mirror = yes")
    _ = test.send("GET", "/v1/live")
    #expect(read(&test, 1) == "retry: 1000\n\n")
    #expect(try test.reply(1, Self.state, continues: true) == ["wake 1"])
    #expect(read(&test, 1).contains(#"data: {"state":"idle"}"#))
    #expect(try test.reply(1, #"{"state":"invited"}"#, continues: true) == ["wake 1"])
  }

  @Test func `waiting readers get a comment every 15 seconds`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("GET", "/v1/live")
    _ = try test.reply(1, Self.state, continues: true)
    _ = read(&test, 1)
    let due = try #require(test.service.deadline)
    #expect(due == WebLimits.comment)
    #expect(test.words(test.service.time(due)) == ["wake 1"])
    #expect(read(&test, 1) == ":\n\n")
    #expect(test.service.deadline == 2 * WebLimits.comment)
  }

  @Test func `a pad that ends is watched again`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("GET", "/v1/live")
    _ = try test.reply(1, Self.state, continues: true)
    _ = read(&test, 1)
    #expect(test.words(test.service.failed(1, "gone", wasConnected: true, at: 0)) == ["wake 1"])
    #expect(read(&test, 1).contains("unreachable"))
    let due = try #require(test.service.deadline)
    #expect((WebLimits.retry / 2...WebLimits.retry).contains(due))
    #expect(
      test.words(test.service.time(due)) == [#"call 2 Watch {"strokes":false} more"#])
  }

  @Test func `a pad that does not allow ink is watched without`() throws {
    var test = try ServiceUnderTest("mirror = yes")
    _ = test.send("GET", "/v1/live")
    let actions = try test.refuse(1, "org.paraph.Pad.StrokesNotAllowed")
    #expect(actions[0].hasPrefix("log config: [web] mirror = yes, but the pad refuses"))
    #expect(actions[1...] == ["hang up 1", #"call 2 Watch {"strokes":false} more"#])
    // The next reader may find a pad that allows it.
    _ = test.words(test.service.disconnected(1, at: 0))
    #expect(test.send("GET", "/v1/live", from: 2)[1] == #"call 3 Watch {"strokes":true} more"#)
    let again = try test.refuse(3, "org.paraph.Pad.StrokesNotAllowed")
    #expect(again == ["hang up 3", #"call 4 Watch {"strokes":false} more"#])
  }

  @Test func `too many watchers are tried again`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("GET", "/v1/live")
    #expect(try test.refuse(1, "org.paraph.Pad.Busy") == ["hang up 1"])
    let due = try #require(test.service.deadline)
    #expect((WebLimits.retry / 2...WebLimits.retry).contains(due))
  }

  /// The time until the pad is watched again after a failure of the last call.
  func delay(_ test: inout ServiceUnderTest, _ call: inout Int) throws -> Int64 {
    let failed = test.now
    _ = test.service.failed(call, "gone", wasConnected: true, at: failed)
    call += 1
    while true {
      test.now = try #require(test.service.deadline)
      for action in test.words(test.service.time(test.now)) where action.hasPrefix("call") {
        #expect(action.hasPrefix("call \(call) Watch"))
        return test.now - failed
      }
    }
  }

  @Test func `a pad that keeps failing is watched less often, until it stays`() throws {
    var test = try ServiceUnderTest()
    _ = test.send("GET", "/v1/live")
    var call = 1
    var delays: [Int64] = []
    for _ in 0..<20 {
      // A reply does not tell whether it stays.
      _ = try test.reply(call, Self.state, continues: true)
      delays.append(try delay(&test, &call))
    }
    #expect(delays[0] <= WebLimits.retry)
    #expect(delays[10...].allSatisfy { (2_500_000_000...5_000_000_000).contains($0) })
    // Random, so that the services of a fleet do not return at the same time.
    #expect(Set(delays[10...]).count > 1)
    _ = try test.reply(call, Self.state, continues: true)
    test.now += 60_000_000_000
    #expect(try delay(&test, &call) <= WebLimits.retry)
  }

  @Test func `the number of readers is bounded`() throws {
    var test = try ServiceUnderTest()
    for client in 0..<WebLimits.viewers { _ = test.send("GET", "/v1/live", from: client) }
    #expect(test.send("GET", "/v1/live", from: 999)[0].hasPrefix("respond 999 503"))
    _ = test.service.disconnected(0, at: 0)
    #expect(test.send("GET", "/v1/live", from: 999) == ["stream 999"])
  }

  @Test func `a client that does not read ends alone`() throws {
    var test = try ServiceUnderTest()
    for client in [1, 2] { _ = test.send("GET", "/v1/live", from: client) }
    _ = try test.reply(1, Self.state, continues: true)
    _ = read(&test, 1)
    _ = read(&test, 2)
    for index in 0..<EventStore.capacity + 1 {
      let reply = #"{"state":"invited","seconds_left":\#(index)}"#
      _ = try test.reply(1, reply, continues: true)
      #expect(!read(&test, 2).isEmpty)
    }
    #expect(test.service.read(1) == .end)
    #expect(test.service.read(2) == .wait)
  }
}
