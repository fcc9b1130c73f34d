import Testing

@testable import Control

/// A suite whose tests drive the service as the server does.
protocol ControlServiceSuite {
  var service: ControlService { get set }
}

extension ControlService {
  /// A service with client 1.
  static func test(allowsStrokes: Bool = true, allowsPresses: Bool = false) -> ControlService {
    var service = ControlService(
      info: .test, allowsStrokes: allowsStrokes, allowsPresses: allowsPresses,
      draw: SavedSignature.drawn)
    service.connected(1, isAllowed: true)
    return service
  }
}

extension ControlServiceSuite {
  /// In nanoseconds.
  var second: Int64 { 1_000_000_000 }

  /// The only reply to a connection among actions.
  func reply(_ actions: [ControlService.Action], to client: Int = 1) throws -> ReceivedReply {
    let replies = actions.compactMap { action -> [UInt8]? in
      switch action {
      case .send(client, let bytes): bytes
      case .deliver(client, let reply, _): reply.bytes
      default: nil
      }
    }
    try #require(replies.count == 1, "\(actions)")
    return try ReceivedReply(replies[0])
  }

  mutating func send(
    _ method: String, _ parameters: String = "{}", more: Bool = false, from client: Int = 1,
    at now: Int64 = 0
  ) -> [ControlService.Action] {
    service.message(
      call("org.paraph.Pad.\(method)", parameters, more: more), from: client, at: now)
  }
}
