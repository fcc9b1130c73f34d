import Testing

@testable import Control

/// A suite whose tests drive the service as the server does.
protocol ControlServiceSuite {
  var service: ControlService { get set }
}

extension ControlServiceSuite {
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
