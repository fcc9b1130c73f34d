import JSON
import Testing

@testable import Web

@Suite struct SignRequestsTests {
  static let second: Int64 = 1_000_000_000

  /// Actions as words.
  func words(_ actions: [SignRequests.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .respond(let client, let response): "respond \(client) \(response.status)"
      case .call(let number, _): "call \(number)"
      case .hangUp(let number): "hang up \(number)"
      }
    }
  }

  static let shop = "https://shop.example"
  /// Documents, tokens and origins of which each differs from document v1, no token and the shop's origin.
  static let others: [(String?, Int?, String?)] = [
    ("v1", 0, shop), ("v2", nil, shop), (nil, nil, nil), ("v1", nil, nil), ("v1", nil, shop + "/"),
  ]

  func key(
    _ reference: String?, _ document: String? = nil, token: Int? = nil, origin: String? = nil
  ) -> RequestKey? {
    let members: [(String, JSONValue)] = [
      ("reference", .text(reference)),
      ("document", document.map { JSONValue.object([("digest", .text($0))]) } ?? .null),
    ]
    return RequestKey(members, owner: Owner(token: token, origin: origin))
  }

  func opened(_ reference: String? = "a") -> SignRequests {
    var requests = SignRequests()
    _ = requests.sign([], key: key(reference), by: 1, call: 7)
    return requests
  }

  let saved = WebResponse.json(.object([("state", .text("saved"))]))

  @Test func `a request calls the pad and responds with its reply`() {
    var requests = SignRequests()
    #expect(words(requests.sign([], key: key("a"), by: 1, call: 7)) == ["call 7"])
    #expect(words(requests.replied(7, saved, isSaved: true, at: 0)) == ["respond 1 200"])
    requests.delivered(to: 1)
    #expect(requests.isEmpty && requests.deadline == nil)
  }

  @Test func `a request whose client has gone is cancelled after five seconds`() {
    var requests = opened()
    #expect(words(requests.disconnected(1, at: 0)).isEmpty)
    #expect(requests.deadline == 5 * Self.second)
    #expect(words(requests.time(5 * Self.second - 1)).isEmpty)
    #expect(words(requests.time(5 * Self.second)) == ["hang up 7"])
    #expect(requests.isEmpty)
  }

  @Test func `the same reference resumes the request within five seconds`() {
    var requests = opened()
    _ = requests.disconnected(1, at: 0)
    #expect(words(requests.sign([], key: key("a"), by: 2, call: 8)).isEmpty)
    #expect(words(requests.time(60 * Self.second)).isEmpty)
    #expect(words(requests.replied(7, saved, isSaved: true, at: 0)) == ["respond 2 200"])
  }

  @Test func `another reference does not resume it`() {
    var requests = opened()
    _ = requests.disconnected(1, at: 0)
    #expect(words(requests.sign([], key: key("b"), by: 2, call: 8)) == ["call 8"])
    #expect(words(requests.sign([], key: key(nil), by: 3, call: 9)) == ["call 9"])
  }

  @Test(arguments: others)
  func `an open request makes its reference busy for another document, token or origin`(
    document: String?, token: Int?, origin: String?
  ) {
    var requests = SignRequests()
    _ = requests.sign([], key: key("a", "v1", origin: Self.shop), by: 1, call: 7)
    let other = key("a", document, token: token, origin: origin)
    #expect(words(requests.sign([], key: other, by: 2, call: 8)) == ["respond 2 409"])
    _ = requests.disconnected(1, at: 0)
    #expect(words(requests.sign([], key: other, by: 3, call: 9)) == ["respond 3 409"])
    // Nor does it keep the request alive.
    #expect(requests.deadline == 5 * Self.second)
    _ = requests.failed(7, "gone", wasConnected: true, at: 0)
    #expect(words(requests.sign([], key: other, by: 4, call: 10)) == ["respond 4 409"])
    let same = key("a", "v1", origin: Self.shop)
    #expect(words(requests.sign([], key: same, by: 5, call: 11)).isEmpty)
    #expect(words(requests.replied(7, saved, isSaved: true, at: 0)) == ["respond 5 200"])
  }

  @Test(arguments: others)
  func `a kept result is not that of another document, token or origin`(
    document: String?, token: Int?, origin: String?
  ) {
    var requests = SignRequests()
    let same = key("a", "v1", origin: Self.shop)
    _ = requests.sign([], key: same, by: 1, call: 7)
    _ = requests.disconnected(1, at: 0)
    _ = requests.replied(7, saved, isSaved: true, at: 0)
    let other = key("a", document, token: token, origin: origin)
    #expect(words(requests.sign([], key: other, by: 2, call: 8)) == ["call 8"])
    #expect(words(requests.sign([], key: same, by: 3, call: 9)) == ["respond 3 200"])
    #expect(words(requests.replied(8, saved, isSaved: true, at: 0)) == ["respond 2 200"])
  }

  @Test func `a document without a digest is not the same as none`() {
    let members: [(String, JSONValue)] = [("reference", .text("a")), ("document", .object([]))]
    #expect(RequestKey(members, owner: Owner(token: nil, origin: nil)) != key("a"))
  }

  @Test func `a request without a reference ends with its client`() {
    var requests = opened(nil)
    #expect(words(requests.disconnected(1, at: 0)) == ["hang up 7"])
    #expect(requests.isEmpty)
  }

  @Test func `a page that is loaded again takes its request over`() {
    var requests = opened()
    #expect(words(requests.sign([], key: key("a"), by: 2, call: 8)) == ["respond 1 409"])
    #expect(words(requests.disconnected(1, at: 0)).isEmpty)
    #expect(words(requests.replied(7, saved, isSaved: true, at: 0)) == ["respond 2 200"])
  }

  @Test func `a result that nobody has received waits for the same reference for a minute`() {
    var requests = opened()
    _ = requests.disconnected(1, at: 0)
    #expect(words(requests.replied(7, saved, isSaved: true, at: 0)).isEmpty)
    #expect(requests.deadline == 60 * Self.second)
    #expect(words(requests.sign([], key: key("a"), by: 2, call: 8)) == ["respond 2 200"])
    // This client, too, is gone before it has read.
    _ = requests.disconnected(2, at: 1)
    #expect(words(requests.sign([], key: key("a"), by: 3, call: 9)) == ["respond 3 200"])
    requests.delivered(to: 3)
    #expect(words(requests.sign([], key: key("a"), by: 4, call: 10)) == ["call 10"])
  }

  @Test func `a pad that closes behind its reply is not called again`() {
    var requests = opened()
    _ = requests.replied(7, saved, isSaved: true, at: 0)
    #expect(words(requests.failed(7, "gone", wasConnected: true, at: 0)).isEmpty)
    #expect(words(requests.refused(7, Problem("Busy", 409, "busy"))).isEmpty)
    #expect(requests.deadline == 60 * Self.second)
    #expect(words(requests.sign([], key: key("a"), by: 2, call: 8)) == ["respond 2 200"])
  }

  @Test func `the requests at a time are bounded, but not their repetitions`() {
    var requests = SignRequests()
    for number in 0..<WebLimits.calls {
      _ = requests.sign([], key: key("r\(number)"), by: number, call: number)
    }
    #expect(!requests.hasRoom(for: key("other")) && !requests.hasRoom(for: key(nil)))
    #expect(requests.hasRoom(for: key("r0")) && !requests.hasRoom(for: key("r0", "v1")))
    _ = requests.replied(3, saved, isSaved: true, at: 0)
    #expect(requests.hasRoom(for: key("other")))
  }

  @Test func `a result expires`() {
    var requests = opened()
    _ = requests.disconnected(1, at: 0)
    _ = requests.replied(7, saved, isSaved: true, at: 0)
    #expect(words(requests.time(60 * Self.second)).isEmpty)
    #expect(requests.isEmpty)
  }

  @Test func `the last four results are kept`() {
    var requests = SignRequests()
    for number in 0..<6 {
      _ = requests.sign([], key: key("r\(number)"), by: number, call: number)
      _ = requests.disconnected(number, at: 0)
      _ = requests.replied(number, saved, isSaved: true, at: 0)
    }
    #expect(words(requests.sign([], key: key("r1"), by: 10, call: 10)) == ["call 10"])
    #expect(words(requests.sign([], key: key("r2"), by: 11, call: 11)) == ["respond 11 200"])
  }

  @Test func `a pad that ends is called again until it is back`() {
    var requests = opened()
    #expect(words(requests.failed(7, "gone", wasConnected: true, at: 0)).isEmpty)
    #expect(words(requests.time(Self.second / 2)) == ["call 7"])
    _ = requests.failed(7, "refused", wasConnected: false, at: Self.second / 2)
    #expect(words(requests.time(Self.second)) == ["call 7"])
    requests.reached(7, at: Self.second)
    #expect(requests.deadline == nil)
    #expect(words(requests.replied(7, saved, isSaved: true, at: Self.second)) == ["respond 1 200"])
  }

  @Test func `a pad that was back for a while is awaited for another minute`() {
    for (lasted, end) in [(9, 60), (10, 61 + 10)] {
      var requests = opened()
      _ = requests.failed(7, "gone", wasConnected: true, at: 0)
      _ = requests.time(Self.second)
      requests.reached(7, at: Self.second)
      var now = Self.second * Int64(1 + lasted)
      _ = requests.failed(7, "gone", wasConnected: true, at: now)
      var actions: [String] = []
      while let due = requests.deadline {
        now = due
        actions = words(requests.time(now))
        _ = requests.failed(7, "refused", wasConnected: false, at: now)
      }
      #expect(actions == ["respond 1 503"] && now == Int64(end) * Self.second, "\(lasted) s")
    }
  }

  @Test func `only a signature is kept for a client that has gone`() {
    var requests = opened()
    _ = requests.disconnected(1, at: 0)
    let cancelled = WebResponse.json(.object([("state", .text("cancelled"))]))
    #expect(words(requests.replied(7, cancelled, isSaved: false, at: 0)).isEmpty)
    #expect(words(requests.sign([], key: key("a"), by: 2, call: 8)) == ["call 8"])
  }

  @Test func `a pad that stays away is unreachable after a minute`() {
    var requests = opened()
    _ = requests.failed(7, "gone", wasConnected: true, at: 0)
    var now: Int64 = 0
    var actions: [String] = []
    while now < 61 * Self.second, let due = requests.deadline {
      now = due
      for action in words(requests.time(now)) {
        if action == "call 7" {
          _ = requests.failed(7, "refused", wasConnected: false, at: now)
        } else {
          actions.append(action)
        }
      }
    }
    #expect(actions == ["respond 1 503"])
    #expect(now == 60 * Self.second && requests.isEmpty)
  }

  @Test(arguments: [("a", false), (nil, true), (nil, false)])
  func `a pad that is not there, or a request that cannot be repeated, fails at once`(
    reference: String?, wasConnected: Bool
  ) {
    var requests = opened(reference)
    let actions = requests.failed(7, "gone", wasConnected: wasConnected, at: 0)
    #expect(words(actions) == ["respond 1 503"])
    #expect(requests.isEmpty)
  }

  @Test func `an error of the pad ends the request`() {
    var requests = opened()
    let busy = Problem("Busy", 409, "busy")
    #expect(words(requests.refused(7, busy)) == ["respond 1 409"])
    #expect(requests.isEmpty)
  }

  @Test func `only a request that waits for the pad's return is cancelled here`() {
    var requests = opened()
    #expect(requests.cancel(reference: "a").map { words($0) } == nil)
    _ = requests.failed(7, "gone", wasConnected: true, at: 0)
    #expect(requests.cancel(reference: "b").map { words($0) } == nil)
    #expect(requests.cancel(reference: "a").map { words($0) } == ["hang up 7", "respond 1 200"])
    #expect(requests.isEmpty)
  }

  @Test func `a client that leaves while the pad is away has five seconds too`() {
    var requests = opened()
    _ = requests.failed(7, "gone", wasConnected: true, at: 0)
    _ = requests.disconnected(1, at: 0)
    var now: Int64 = 0
    while let due = requests.deadline, now < 10 * Self.second {
      now = due
      if words(requests.time(now)).contains("hang up 7") { break }
      _ = requests.failed(7, "refused", wasConnected: false, at: now)
    }
    #expect(now == 5 * Self.second && requests.isEmpty)
  }
}
