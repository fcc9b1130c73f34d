import JSON
import SyntheticHand
import Testing

@testable import Handoff

/// Time is a number here: seconds.
@Suite struct PresencePublisherTests {
  static let second: Int64 = 1_000_000_000

  func presence(_ waiting: Int = 0, state: String = "idle") -> Presence {
    var pad = PadStatus()
    pad.state = state
    return Presence(pad: pad, waiting: waiting)
  }

  @Test func `a status is published on connection, and again after each connection`() {
    var publisher = PresencePublisher(seed: 1)
    publisher.update(presence())
    #expect(publisher.due == .max && publisher.next(at: 0) == nil)
    publisher.connected()
    #expect(publisher.next(at: 0) == presence())
    publisher.connected()
    #expect(publisher.next(at: 5 * Self.second) == nil)
    publisher.disconnected()
    #expect(publisher.due == .max)
    publisher.connected()
    #expect(publisher.next(at: 6 * Self.second) == presence())
  }

  @Test func `a connection before the first status waits for it`() {
    var publisher = PresencePublisher(seed: 1)
    publisher.connected()
    #expect(publisher.next(at: 0) == nil)
    publisher.update(presence())
    #expect(publisher.next(at: 0) == presence())
  }

  @Test func `a change is published ten seconds after the last status at the soonest`() {
    var publisher = PresencePublisher(seed: 1)
    publisher.connected()
    publisher.update(presence())
    _ = publisher.next(at: 0)
    publisher.update(presence(1))
    #expect(publisher.due == 10 * Self.second && publisher.next(at: 9 * Self.second) == nil)
    // Of several changes, the last.
    publisher.update(presence(2, state: "signing"))
    #expect(publisher.next(at: 10 * Self.second) == presence(2, state: "signing"))
    // After silence, at once.
    publisher.update(presence(3))
    #expect(
      publisher.due == 20 * Self.second && publisher.next(at: 100 * Self.second) == presence(3))
  }

  @Test func `an age and a few bytes are no change, and are published within the hour`() {
    var publisher = PresencePublisher(seed: 1)
    publisher.connected()
    var status = presence(1)
    (status.oldest, status.freeBytes) = (1, 1_000_000_000)
    publisher.update(status)
    _ = publisher.next(at: 0)
    (status.oldest, status.freeBytes) = (2, 999_999_999)
    publisher.update(status)
    #expect(publisher.next(at: 3000 * Self.second) == nil)
    #expect(publisher.due > 3200 * Self.second && publisher.due <= 3600 * Self.second)
    #expect(publisher.next(at: 3600 * Self.second) == status)
    status.freeBytes = 100_000_000
    publisher.update(status)
    #expect(publisher.due == 3610 * Self.second)
  }

  @Test
  func `at any sequence of events, no two messages of a connection are closer than ten seconds`() {
    var generator = SeededRandom(seed: 11)
    for seed in 0..<50 as Range<UInt64> {
      var publisher = PresencePublisher(seed: seed)
      var (now, last, isConnected) = (Int64(0), Int64?.none, false)
      var (current, published) = (Presence?.none, Presence?.none)
      for _ in 0..<500 {
        now += Int64.random(in: 0...30 * Self.second, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
          publisher.connected();
          if !isConnected { (isConnected, last, published) = (true, nil, nil) }
        case 1: publisher.disconnected(); isConnected = false
        case 2, 3:
          current = presence(Int.random(in: 0...3, using: &generator))
          if let current { publisher.update(current) }
        default: break
        }
        if let message = publisher.next(at: now) {
          #expect(isConnected && message == current)
          if let last { #expect(now - last >= PresencePublisher.shortest) }
          (last, published) = (now, message)
        } else if isConnected, let current {
          // What is not published yet is due within ten seconds.
          if published != current {
            #expect(publisher.due <= (last ?? now) + PresencePublisher.shortest)
          }
        }
      }
    }
  }

  @Test func `the message has everything an operator asks, and no personal data`() throws {
    var status = presence(3, state: "out_of_service")
    (status.pad.touch, status.pad.panel) = (false, true)
    (status.oldest, status.failed, status.freeBytes) = (1_000_000_000_000_000_000, 2, 4096)
    (status.lastSignature, status.expiry) = (1_000_000_100, 1_000_864_000 + 86_400)
    let text = status.json(device: "d", connected: "c", at: 1_000_000_200_000_000_000)
    let value = try JSONValue.parse(text, limits: .init(size: 4096))
    #expect(value["status"]?.text == "online" && value["device"]?.text == "d")
    #expect(value["version"]?.text != nil && value["connected"]?.text == "c")
    #expect(value["time"]?.text == "2001-09-09T01:50:00.000Z")
    #expect(value["state"]?.text == "out_of_service" && value["waiting"]?.integer == 3)
    #expect(value["touch"]?.flag == false && value["panel"]?.flag == true)
    #expect(value["oldest_seconds"]?.integer == 200 && value["failed"]?.integer == 2)
    #expect(value["free_bytes"]?.integer == 4096)
    #expect(value["last_signature"]?.text == "2001-09-09T01:48:20.000Z")
    #expect(value["certificate_days"]?.integer == 10)
    #expect(status.remainingDays(at: 1_000_864_000 + 86_401) == -1)
    let offline = try JSONValue.parse(
      Presence.offline(device: "d", connected: "c"), limits: .init(size: 4096))
    #expect(offline["status"]?.text == "offline" && offline["device"]?.text == "d")
    let unknown = try JSONValue.parse(
      Presence().json(device: "d", connected: "c"), limits: .init(size: 4096))
    #expect(unknown["state"]?.text == "unknown" && unknown["panel"]?.isNull == true)
    let unread = try JSONValue.parse(
      Presence(waiting: nil).json(device: "d", connected: "c"), limits: .init(size: 4096))
    #expect(unread["waiting"]?.isNull == true)
  }
}
