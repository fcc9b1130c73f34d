import Ink
import SyntheticHand
import Testing

@testable import Control

/// Random histories of programs and the pad.
@Suite struct ControlHistoryTests: ControlServiceSuite {
  var service = ControlService.test(allowsPresses: true)

  /// A pad that answers as pads may, and programs that do what they like: each call is answered once,
  /// at most one request is open, and nothing is left at the end.
  @Test(arguments: 1...30) mutating func `a random walk keeps the invariants`(_ seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    var (now, nextClient) = (Int64(0), 1)
    var waiting: [Int: Int] = [1: 0]
    var padHas: [Int64] = []
    var unread: [(Int, String)] = []
    var screenshots = 0
    var presses: [Int] = []
    var cancellations: [(Int64, Int)] = []
    var switches: [Int] = []
    func answered(_ client: Int, _ bytes: [UInt8]) throws {
      let reply = try ReceivedReply(bytes)
      try #require(waiting[client] != nil, "seed \(seed): a reply to nobody")
      if !reply.continues { waiting[client] = (waiting[client] ?? 0) - 1 }
      try #require((waiting[client] ?? 0) >= 0, "seed \(seed): a reply to no call")
    }
    func handle(_ actions: [ControlService.Action]) throws {
      for action in actions {
        switch action {
        case .ask(.open(let request)): padHas.append(request.number)
        case .ask(.takeScreenshot): screenshots += 1
        case .ask(.press(_, let client)): presses.append(client)
        case .ask(.cancelWithoutInk(let number, let client)): cancellations.append((number, client))
        case .ask(.bringToFront(let client)), .ask(.sendToBack(let client)):
          switches.append(client)
        case .ask: break
        case .sendInk(let client):
          while let ink = service.nextInk(for: client, at: now) { try answered(client, ink) }
        case .close(let client, _): waiting[client] = nil
        case .send(let client, let bytes): try answered(client, bytes)
        case .deliver(let client, let reply, let id):
          try answered(client, reply.bytes)
          if let id { unread.append((client, id)) }
        }
      }
      try #require(padHas.count <= 1 && screenshots <= 1, "seed \(seed)")
    }
    for _ in 0..<3000 {
      now += Int64.random(in: 0...(second / 4), using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0 where waiting.count < 6:
        nextClient += 1
        waiting[nextClient] = 0
        service.connected(nextClient, isAllowed: true)
      case 1:
        guard let client = waiting.keys.sorted().randomElement(using: &random) else { continue }
        waiting[client] = nil
        try handle(service.disconnected(client, at: 0))
      case 2...5:
        guard let client = waiting.keys.sorted().randomElement(using: &random),
          service.isReady(client)
        else { continue }
        let methods = [
          "Sign", "Show", "Ask", "Cancel", "Watch", "GetInfo", "GetSignature", "Screenshot",
          "Press", "Front", "Back",
        ]
        let method = methods.randomElement(using: &random) ?? ""
        let parameters =
          switch method {
          case "Show": #"{"text":"x"}"#
          case "Ask": #"{"text":"x","choices":["a","b"]}"#
          case "Press": #"{"button":"done"}"#
          case "Watch": #"{"strokes":true}"#
          case "Cancel": .random(using: &random) ? #"{"without_ink":true}"# : "{}"
          default: "{}"
          }
        waiting[client] = 1
        try handle(
          send(method, parameters, more: .random(using: &random), from: client, at: now))
      case 6:
        guard let number = padHas.first else { continue }
        let ends: [ControlEvent] = [
          .signed(number, .test()), .cancelled(number, by: .person), .timedOut(number),
          .refused(number, .busy), .messageGone(number, acknowledged: false),
          .answered(number, choice: 0),
        ]
        padHas = []
        try handle(service.event(ends.randomElement(using: &random) ?? .timedOut(number), at: now))
      case 7: service.info = .test
      case 10 where screenshots > 0:
        screenshots -= 1
        let ends: [ControlEvent.Screenshot] = [.png([1]), .inkNotAllowed, .outOfService("")]
        let end = ends.randomElement(using: &random) ?? .inkNotAllowed
        try handle(service.event(.screenshot(end), at: now))
      case 11:
        let steps: [ControlEvent.InkStep] = [
          .wiped, .begins(Sample(time: now, position: .zero)), .ends, .undone,
        ]
        try handle(service.event(.ink([steps.randomElement(using: &random) ?? .wiped]), at: now))
      case 12 where !presses.isEmpty:
        let event = ControlEvent.pressed(presses.removeFirst(), .random(using: &random))
        try handle(service.event(event, at: now))
      case 13 where !cancellations.isEmpty:
        let (number, client) = cancellations.removeFirst()
        try handle(service.event(.inkStays(number, client: client), at: now))
      case 14 where !switches.isEmpty:
        let ends: [ControlEvent.Switch] = [.done, .busy, .notShared, .outOfService("")]
        let end = ends.randomElement(using: &random) ?? .done
        try handle(service.event(.foreground(switches.removeFirst(), end), at: now))
      case 9:
        if let (client, id) = unread.popLast() { try handle(service.wasRead(id, by: client)) }
      case 8:
        try handle(service.event(.state(.signing, request: padHas.first, deadline: nil), at: now))
      default: try handle(service.time(now))
      }
      #expect((service.open?.number).map { [$0] } ?? [] == padHas, "seed \(seed)")
    }
    for client in waiting.keys.sorted() { _ = service.disconnected(client, at: 0) }
    _ = service.time(now + 100 * second)
    #expect(service.signatures.isEmpty && service.deadline == nil)
  }
}
