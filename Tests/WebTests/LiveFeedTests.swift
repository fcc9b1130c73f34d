import JSON
import Testing

@testable import Web

@Suite struct LiveFeedTests {
  static let surface =
    ##"{"width":800,"height":480,"scale_x":5.25,"scale_y":5.25,"model":"ductus","narrowest":0.3,"##
    + ##""widest":0.8,"prediction":0,"ink":"#000000","ground":"#ffffff"}"##
  static let begin =
    ##""width":800,"height":480,"scale":[5.25,5.25],"pen":{"model":"ductus","narrowest":0.3,"##
    + ##""widest":0.8,"prediction":0,"ink":"#000000","ground":"#ffffff"}}"##

  func reply(_ state: String, _ more: String = "") throws -> JSONValue {
    let text = #"{"state":"\#(state)"\#(more)}"#
    return try JSONValue.parse(Array(text.utf8), limits: .init(size: 1 << 20))
  }

  func ink(_ steps: [String]) -> String { #","ink":[\#(steps.joined(separator: ","))]"# }

  func sample(_ step: String, _ x: Int, gap: Bool = false) -> String {
    #"{"step":"\#(step)","sample":{"t":0.\#(x),"x":\#(x),"y":2.5}\#(gap ? #","after_gap":true"# : "")}"#
  }

  /// Returns the frames for a reader until it must wait, without the events' numbers.
  func events(
    _ feed: LiveFeed, _ cursor: inout LiveFeed.Cursor, showsInk: Bool = true
  ) -> [String] {
    var text = ""
    while case .bytes(let bytes) = feed.next(&cursor, showsInk: showsInk) {
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text.split(separator: "\n").filter { !$0.hasPrefix("id:") }.map { String($0) }
  }

  /// The first two lines of each frame that a reader gets until it must wait.
  func frames(
    _ feed: LiveFeed, _ cursor: inout LiveFeed.Cursor, showsInk: Bool = true
  ) -> [String] {
    var frames: [String] = []
    while case .bytes(let bytes) = feed.next(&cursor, showsInk: showsInk) {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      frames.append(lines.prefix(2).joined(separator: " "))
    }
    return frames
  }

  @Test func `only the end of a snapshot has a number to return by`() throws {
    var feed = LiveFeed(next: 100)
    feed.apply(try reply("signing"))
    var cursor = feed.cursor(after: nil)
    #expect(frames(feed, &cursor) == ["id: 100 event: state"])
    feed.apply(try reply("signing", #","surface":\#(LiveFeedTests.surface)"#))
    cursor = feed.cursor(after: nil)
    #expect(frames(feed, &cursor) == ["id: event: state", "id: 102 event: begin"])
    feed.apply(
      try reply("signing", ink((0..<150).map { sample($0 == 0 ? "begins" : "goes_on", 1) })))
    cursor = feed.cursor(after: nil)
    #expect(
      frames(feed, &cursor) == [
        "id: event: state", "id: event: begin", "id: event: ink", "id: event: ink",
        "id: 103 event: ink",
      ])
    cursor = feed.cursor(after: nil)
    #expect(frames(feed, &cursor, showsInk: false) == ["id: 103 event: state"])
  }

  @Test func `a reader follows the page that is being read`() throws {
    var feed = LiveFeed(next: 100)
    feed.apply(try reply("reading", #","page":1"#))
    var cursor = feed.cursor(after: nil)
    #expect(
      events(feed, &cursor) == ["event: state", #"data: {"state":"reading","page":1}"#])
    // Ink stays while the person goes back.
    feed.apply(try reply("reading", #","page":2\#(ink([sample("begins", 1)]))"#))
    #expect(
      events(feed, &cursor, showsInk: false)
        == ["event: state", #"data: {"state":"reading","page":2}"#])
    feed.apply(try reply("reading", #","page":2\#(ink([sample("goes_on", 2)]))"#))
    feed.apply(try reply("invited"))
    #expect(
      events(feed, &cursor, showsInk: false) == ["event: state", #"data: {"state":"invited"}"#])
  }

  @Test func `states and ends during a snapshot follow its ink`() throws {
    var feed = LiveFeed(next: 100)
    feed.apply(try reply("signing", #","surface":\#(LiveFeedTests.surface)"#))
    feed.apply(
      try reply("signing", ink((0..<100).map { sample($0 == 0 ? "begins" : "goes_on", 1) })))
    var cursor = feed.cursor(after: nil)
    for _ in 0..<3 { _ = feed.next(&cursor, showsInk: true) }
    feed.apply(try reply("signing", ink([sample("goes_on", 9), #"{"step":"ends"}"#])))
    feed.apply(try reply("saved"))
    let inside = cursor
    #expect(
      frames(feed, &cursor) == ["id: event: ink", "id: event: state", "id: 105 event: end"])
    // Each sample comes once.
    cursor = inside
    let text = events(feed, &cursor).joined()
    #expect(text.split(separator: "[0,").count == 100 - LiveFeed.batch + 2)
    // An event behind the ink of the snapshot has its own number.
    cursor = inside
    _ = feed.next(&cursor, showsInk: true)
    feed.apply(try reply("idle"))
    #expect(
      frames(feed, &cursor) == ["id: event: state", "id: 105 event: end", "id: 106 event: state"])
  }

  @Test func `an end is told even if the ink begins anew during the snapshot`() throws {
    var feed = LiveFeed(next: 100)
    feed.apply(try reply("signing", #","surface":\#(LiveFeedTests.surface)"#))
    feed.apply(
      try reply("signing", ink((0..<100).map { sample($0 == 0 ? "begins" : "goes_on", 1) })))
    var cursor = feed.cursor(after: nil)
    for _ in 0..<3 { _ = feed.next(&cursor, showsInk: true) }
    feed.apply(try reply("saved"))
    feed.apply(try reply("idle", ink([#"{"step":"wiped"}"#])))
    #expect(
      frames(feed, &cursor) == [
        "id: event: state", "id: event: begin", "id: event: state", "id: event: end",
        "id: 107 event: state",
      ])
  }

  @Test func `a new reader gets the state, the clean pad and all ink`() throws {
    var feed = LiveFeed(next: 100)
    feed.apply(try reply("signing", #","surface":\#(LiveFeedTests.surface)"#))
    feed.apply(
      try reply(
        "signing",
        ink([
          #"{"step":"wiped"}"#, sample("begins", 1), sample("goes_on", 2, gap: true),
          #"{"step":"ends"}"#,
        ])))
    var cursor = feed.cursor(after: nil)
    #expect(
      events(feed, &cursor) == [
        "event: state", #"data: {"state":"signing"}"#, "event: begin",
        #"data: {"signature":1,"# + Self.begin,
        "event: ink",
        #"data: {"signature":1,"samples":[[0,1,2.5,0.1,null],[0,2,2.5,0.2,null,1],[0]]}"#,
      ])
    #expect(feed.next(&cursor, showsInk: true) == .wait)
  }

  @Test func `a reader follows ink, undo, clear and end`() throws {
    var feed = LiveFeed(next: 1)
    feed.apply(try reply("invited", #","surface":\#(LiveFeedTests.surface)"#))
    var cursor = feed.cursor(after: nil)
    _ = events(feed, &cursor)
    feed.apply(try reply("signing"))
    feed.apply(
      try reply(
        "signing",
        ink([sample("begins", 1), #"{"step":"ends"}"#, #"{"step":"undone"}"#, sample("begins", 3)]))
    )
    feed.apply(try reply("saved"))
    feed.apply(try reply("invited", ink([#"{"step":"wiped"}"#])))
    let found = events(feed, &cursor)
    #expect(
      found.filter { $0.hasPrefix("event") } == [
        "event: state", "event: ink", "event: undo", "event: ink", "event: state", "event: end",
        "event: state", "event: clear", "event: begin",
      ])
    #expect(found.contains(#"data: {"signature":1,"samples":[[0,3,2.5,0.3,null]]}"#))
    #expect(found.contains(#"data: {"signature":1,"outcome":"saved"}"#))
    #expect(found.last?.hasPrefix(#"data: {"signature":2,"#) == true)
  }

  @Test func `a reader without permission sees states and ends only`() throws {
    var feed = LiveFeed(next: 1)
    feed.apply(try reply("invited", #","surface":\#(LiveFeedTests.surface)"#))
    var cursor = feed.cursor(after: nil)
    var found = events(feed, &cursor, showsInk: false)
    feed.apply(try reply("signing", ink([sample("begins", 1)])))
    feed.apply(try reply("cancelled"))
    feed.apply(try reply("invited", ink([#"{"step":"wiped"}"#])))
    found += events(feed, &cursor, showsInk: false)
    #expect(
      found == [
        "event: state", #"data: {"state":"invited"}"#, "event: state",
        #"data: {"state":"signing"}"#, "event: state", #"data: {"state":"cancelled"}"#,
        "event: end", #"data: {"signature":1,"outcome":"cancelled"}"#, "event: state",
        #"data: {"state":"invited"}"#,
      ])
  }

  @Test func `a reader resumes after the last event that it has received`() throws {
    var feed = LiveFeed(next: 50)
    feed.apply(try reply("invited", #","surface":\#(LiveFeedTests.surface)"#))
    let last = feed.store.next - 1
    feed.apply(try reply("signing", ink([sample("begins", 1)])))
    var cursor = feed.cursor(after: last)
    #expect(
      events(feed, &cursor).filter { $0.hasPrefix("event") } == ["event: state", "event: ink"])
    for number: Int64 in [48, 3, -1, .max, feed.store.next + 5] {
      #expect(feed.cursor(after: number) == .state(since: nil), "after \(number)")
    }
  }

  @Test func `a reader that is too slow is lost`() throws {
    var feed = LiveFeed(next: 1)
    feed.apply(try reply("invited", #","surface":\#(LiveFeedTests.surface)"#))
    var cursor = feed.cursor(after: nil)
    _ = events(feed, &cursor)
    for index in 0..<EventStore.capacity {
      feed.apply(try reply("invited", #","seconds_left":\#(index)"#))
    }
    var resting = cursor
    #expect(feed.next(&resting, showsInk: true) != .lost)
    feed.apply(try reply("idle"))
    #expect(feed.next(&cursor, showsInk: true) == .lost)
  }

  @Test func `ink that changes while it is read begins anew`() throws {
    var feed = LiveFeed(next: 1)
    feed.apply(try reply("signing", #","surface":\#(LiveFeedTests.surface)"#))
    let many = (0..<200).map { sample($0 == 0 ? "begins" : "goes_on", 1) }
    feed.apply(try reply("signing", ink(many)))
    var cursor = feed.cursor(after: nil)
    for _ in 0..<3 { _ = feed.next(&cursor, showsInk: true) }
    feed.apply(try reply("signing", ink([#"{"step":"wiped"}"#, sample("begins", 7)])))
    let found = events(feed, &cursor)
    #expect(found.filter { $0.hasPrefix("event") }.first == "event: state")
    #expect(found.contains(#"data: {"signature":2,"samples":[[0,7,2.5,0.7,null]]}"#))
  }

  @Test func `a cloth on the pad does not fill the memory`() throws {
    var ink = LiveInk()
    let first = try reply("x", #","step":"begins","sample":{"t":0,"x":1,"y":2}"#)
    let next = try reply(
      "x", #","step":"goes_on","sample":{"t":1.2345678,"x":12.3456789,"y":2.3456789}"#)
    _ = ink.add(first)
    for _ in 0..<200_000 where !ink.isTruncated { _ = ink.add(next) }
    #expect(ink.isTruncated)
    #expect(ink.steps.reduce(0) { $0 + $1.count } <= LiveFeed.inkLimit)
    ink.restart()
    #expect(!ink.isTruncated && ink.steps.isEmpty)
  }

  @Test func `ink is whole again when the stroke that was too long is undone`() throws {
    var ink = LiveInk()
    let begins = try reply("x", #","step":"begins","sample":{"t":0,"x":1,"y":2}"#)
    let next = try reply(
      "x", #","step":"goes_on","sample":{"t":1.2345678,"x":12.3456789,"y":2.3456789}"#)
    _ = ink.add(begins)
    _ = ink.add(next)
    _ = ink.add(begins)
    for _ in 0..<200_000 where !ink.isTruncated { _ = ink.add(next) }
    _ = ink.add(begins)
    ink.undo()
    #expect(ink.isTruncated)
    ink.undo()
    #expect(!ink.isTruncated && ink.steps.count == 2)
    _ = ink.add(begins)
    #expect(ink.steps.count == 3)
  }

  @Test func `a pad that is gone is told once`() throws {
    var feed = LiveFeed(next: 1)
    feed.apply(try reply("invited", #","surface":\#(LiveFeedTests.surface)"#))
    var cursor = feed.cursor(after: nil)
    _ = events(feed, &cursor)
    feed.lose()
    feed.lose()
    #expect(events(feed, &cursor) == ["event: state", #"data: {"state":"unreachable"}"#])
    var new = feed.cursor(after: nil)
    #expect(events(feed, &new).count == 2)
  }

  @Test func `events count up and are framed by an empty line`() {
    var store = EventStore(next: 41)
    store.append("state", Array("{}".utf8), isInk: false)
    store.append("end", Array("{}".utf8), isInk: false)
    #expect(
      store.event(41).map { String(decoding: $0.bytes, as: UTF8.self) }
        == "id: 41\nevent: state\ndata: {}\n\n")
    #expect(store.event(42)?.number == 42)
    #expect(store.event(40) == nil && store.event(43) == nil)
  }

  @Test func `large events push out old ones`() {
    var store = EventStore(next: 0)
    let half = [UInt8](repeating: UInt8(ascii: "x"), count: EventStore.byteLimit * 3 / 5)
    for _ in 0..<5 { store.append("ink", half, isInk: true) }
    #expect(store.first == 4 && store.next == 5)
    #expect(store.events.reduce(0) { $0 + $1.bytes.count } <= EventStore.byteLimit)
  }
}
