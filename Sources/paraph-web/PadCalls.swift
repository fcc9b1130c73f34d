internal import CLinux
internal import Client
internal import JSON
internal import Linux
internal import Web

/// The calls to the pad, each on a connection of its own: closing it cancels the call. Pages of a document and the request
/// that names it share one.
final class PadCalls {
  /// The result of a call.
  enum Event {
    case reply(Int, JSONValue, continues: Bool)
    case error(Int, String, JSONValue)
    case failed(Int, String, wasConnected: Bool)
    /// The pad has sent something that is not a reply.
    case invalid(Int, String)
  }

  private final class Call {
    var connection: VarlinkConnection

    init(_ connection: consuming VarlinkConnection) { self.connection = connection }
  }

  /// The reads of a turn, so that a long reply does not delay other clients.
  private static let readLimit = 16

  private let path: String
  private var calls: [Int: Call] = [:]

  /// - Parameter path: The pad's socket.
  init(_ path: String) { self.path = path }

  /// Calls a method over the connection with this number, or over a new one. Returns nil and polls the connection with
  /// `key`, or the failure.
  func call(
    _ number: Int, _ method: String, _ parameters: [(String, JSONValue)], more: Bool,
    in poll: borrowing EventPoll, key: Int
  ) -> Event? {
    if let call = calls[number] {
      do throws(VarlinkConnection.Failure) {
        try call.connection.call("org.paraph.Pad." + method, parameters, more: more)
        watch(call, in: poll, key: key)
        return nil
      } catch {
        calls[number] = nil
        return .failed(number, error.text, wasConnected: true)
      }
    }
    do throws(Errno) {
      let call = Call(try VarlinkConnection(path, replyLimit: WebLimits.reply))
      do throws(VarlinkConnection.Failure) {
        try call.connection.call("org.paraph.Pad." + method, parameters, more: more)
      } catch { return .failed(number, error.text, wasConnected: true) }
      try poll.add(
        call.connection.number, key: key, .init(input: true, output: call.connection.hasOutput))
      calls[number] = call
      return nil
    } catch { return .failed(number, error.text, wasConnected: false) }
  }

  /// Polls for output too while there is some.
  private func watch(_ call: Call, in poll: borrowing EventPoll, key: Int) {
    try? poll.change(
      call.connection.number, key: key, .init(input: true, output: call.connection.hasOutput))
  }

  /// Closes the connection of a call.
  func hangUp(_ number: Int) { calls[number] = nil }

  /// Reads what has come, and returns the events of a call.
  func ready(_ number: Int, in poll: borrowing EventPoll, key: Int) -> [Event] {
    guard let call = calls[number] else { return [] }
    var events: [Event] = []
    do throws(VarlinkConnection.Failure) {
      if call.connection.hasOutput {
        try call.connection.flush()
        if !call.connection.hasOutput { watch(call, in: poll, key: key) }
      }
      for _ in 0..<PadCalls.readLimit {
        guard try call.connection.receive() else { break }
        while let reply = try call.connection.next() {
          switch reply {
          case .result(let value, let continues):
            events.append(.reply(number, value, continues: continues))
          case .error(let name, let details): events.append(.error(number, name, details))
          }
        }
      }
    } catch {
      calls[number] = nil
      switch error {
      case .disconnected: events.append(.failed(number, error.text, wasConnected: true))
      case .invalid(let reason): events.append(.invalid(number, reason))
      }
    }
    return events
  }
}
