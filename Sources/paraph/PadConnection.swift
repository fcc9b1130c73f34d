import CLinux
import Client
import Commands
import JSON
import Linux

/// A connection to the running pad through its Varlink interface org.paraph.Pad.
struct PadConnection: ~Copyable {
  private var connection: VarlinkConnection
  private let path: String

  /// The maximum size of a reply, which may contain pictures and strokes of ten minutes.
  private static let replyLimit = 64 << 20

  init(_ path: String) throws(ToolError) {
    do throws(Errno) {
      connection = try VarlinkConnection(path, replyLimit: PadConnection.replyLimit)
    } catch {
      switch error.rawValue {
      case EACCES, EPERM:
        throw ToolError(.noPermission, "\(path): \(error.text); this user may not connect")
      default: throw ToolError(.unavailable, "\(path): \(error.text); is paraphd running?")
      }
    }
    self.path = path
  }

  /// Calls a method, passes each reply to `onReply`, and returns the last one.
  ///
  /// - Parameter deadline: When the call fails with `noSignatureInTime`, in nanoseconds of the monotonic clock.
  mutating func call(
    _ method: String, _ parameters: [(String, JSONValue)], more: Bool = false,
    deadline: Int64? = nil, onReply: (JSONValue) -> Void = { _ in }
  ) throws(CallError) -> JSONValue {
    do throws(VarlinkConnection.Failure) {
      try connection.call("org.paraph.Pad." + method, parameters, more: more)
    } catch { throw failure(error) }
    while true {
      switch try receive(deadline) {
      case .error(let error, let details):
        if let name = details["parameter"]?.text, let limit = details["limit"]?.integer {
          throw .tooLong(name, limit: limit)
        }
        if error.isSame(as: "org.paraph.Pad.BadDocument") {
          throw .badDocument(
            page: details["page"]?.integer, reason: details["reason"]?.text,
            isLost: details["lost"]?.flag == true)
        }
        throw .answer(error, detail: details.members?.first?.value.text)
      case .result(let result, let continues):
        onReply(result)
        if !continues { return result }
      }
    }
  }

  /// Waits for the next reply.
  private mutating func receive(_ deadline: Int64?) throws(CallError) -> VarlinkConnection.Reply {
    let reply: VarlinkConnection.Reply?
    do throws(VarlinkConnection.Failure) {
      reply = try next(until: deadline)
    } catch { throw failure(error) }
    guard let reply else { throw .failure(.noSignatureInTime) }
    return reply
  }

  /// The next reply; nil: the deadline has passed.
  private mutating func next(
    until deadline: Int64?
  ) throws(VarlinkConnection.Failure) -> VarlinkConnection.Reply? {
    while true {
      if let reply = try connection.next() { return reply }
      let left = deadline.map { max(0, $0 - MonotonicClock.now) }
      if left == 0 { return nil }
      var poll = Poll()
      poll.add(connection.number, output: connection.hasOutput)
      do throws(Errno) {
        try poll.wait(milliseconds: left.map { Int32(clamping: $0 / 1_000_000 + 1) } ?? -1)
      } catch { throw .disconnected(error) }
      try connection.flush()
      _ = try connection.receive()
    }
  }

  private func failure(_ failure: VarlinkConnection.Failure) -> CallError {
    switch failure {
    case .disconnected(let error):
      .disconnected(
        ToolError(.unavailable, "\(path): connection to the pad lost: \(error.text)"))
    case .invalid(let reason): .failure(ToolError(.unavailable, "\(path): \(reason)"))
    }
  }
}

/// The reason why a call has no result.
enum CallError: Error {
  /// The pad replied with a named error and its first parameter.
  case answer(String, detail: String?)
  /// A parameter's text exceeds the number of characters that fit the panel.
  case tooLong(String, limit: Int64)
  /// The document cannot be shown, or the pad does not have it.
  case badDocument(page: Int64?, reason: String?, isLost: Bool)
  /// The connection ended before the reply.
  case disconnected(ToolError)
  /// The reply is invalid.
  case failure(ToolError)

  /// The error of a call that waits for a person, with its own exit code for the pad's end.
  var whileWaiting: ToolError {
    guard case .disconnected(let error) = self else { return toolError }
    return ToolError(.padEnded, error.text)
  }

  /// The error of a call with a document, which names its file.
  func ofDocument(_ path: String) -> ToolError {
    guard case .badDocument(let page, let reason, _) = self else { return whileWaiting }
    let place = page.map { "page \($0): " } ?? ""
    return ToolError(.data, "\(path): \(place)\(reason ?? "no reason given")")
  }

  /// The message and the exit code.
  var toolError: ToolError {
    switch self {
    case .failure(let error), .disconnected(let error): return error
    case .tooLong(let name, let limit):
      return ToolError(
        .usage, "\(name) is too long for the pad's panel: at most \(limit) characters fit")
    case .badDocument: return ofDocument("document")
    case .answer("org.paraph.Pad.Busy", _):
      return ToolError(.tempfail, "the pad is busy with another request")
    case .answer("org.paraph.Pad.OutOfService", let reason):
      return ToolError(
        .outOfService, "the pad is out of service: \(reason ?? "no reason given")")
    case .answer("org.varlink.service.InvalidParameter", let name):
      return ToolError(.usage, "the pad rejects the parameter \(name ?? "of this call")")
    case .answer("org.paraph.Pad.InvalidMessage", let reason):
      return ToolError(.usage, "the pad rejects this call: \(reason ?? "no reason given")")
    case .answer("org.varlink.service.PermissionDenied", _):
      return ToolError(.noPermission, "permission denied; add this user to [control] users")
    case .answer(let name, _):
      return ToolError(.unavailable, "unexpected error of the pad: \(name)")
    }
  }
}

/// The option `--socket`: the control socket of the running pad.
struct PadSocket {
  private static let installed = "/run/paraph/org.paraph.Pad"

  static var option: Option {
    Option(
      "socket", value: "PATH", values: .file([]),
      "Set the pad's control socket; by default, the variable PARAPH_SOCKET, else \(installed)."
    )
  }

  let path: String

  init(_ arguments: Arguments) {
    let variable = unsafe getenv("PARAPH_SOCKET").map { unsafe String(cString: $0) }
    path = arguments.value("socket") ?? variable ?? PadSocket.installed
  }
}

extension Arguments {
  /// The value of `--timeout` of a request, in seconds; nil: none.
  func timeLimit() throws(UsageError) -> Double? {
    try number("timeout", "a number above 0 and up to 86400") { $0 > 0 && $0 <= 86400 }
  }
}

extension ToolError {
  /// The error of a request whose time limit has passed.
  static var noSignatureInTime: ToolError {
    ToolError(.timedOut, "timed out without a signature")
  }

  /// A request that the reply says was cancelled.
  static func cancelled(_ reply: JSONValue, padEnded: String) -> ToolError {
    let by = reply["cancelled_by"]?.text ?? "pad or program"
    return by == "pad"
      ? ToolError(.padEnded, padEnded) : ToolError(.cancelled, "cancelled by the \(by)")
  }
}
