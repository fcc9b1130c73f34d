import CLibnettle
import CLinux
import Commands
import JSON
import Linux

/// A connection to the running pad through its Varlink interface org.paraph.Pad.
struct PadConnection: ~Copyable {
  private let socket: FileDescriptor
  private let path: String
  private var bytes: [UInt8] = []

  /// The maximum size of a reply, which may contain pictures and strokes of ten minutes.
  private static let replyLimit = 64 << 20

  init(_ path: String) throws(ToolError) {
    do throws(Errno) {
      socket = try FileDescriptor(connectingTo: path)
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
  mutating func call(
    _ method: String, _ parameters: [(String, JSONValue)], more: Bool = false,
    onReply: (JSONValue) -> Void = { _ in }
  ) throws(CallError) -> JSONValue {
    var call: [(String, JSONValue)] = [
      ("method", .text("org.paraph.Pad." + method)), ("parameters", .object(parameters)),
    ]
    if more { call.append(("more", .flag(true))) }
    try send(JSONValue.object(call).bytes() + [0])
    while true {
      let reply = try receive()
      if let error = reply["error"]?.text {
        let details = reply["parameters"]
        if let name = details?["parameter"]?.text, let limit = details?["limit"]?.integer {
          throw .tooLong(name, limit: limit)
        }
        throw .answer(error, detail: details?.members?.first?.value.text)
      }
      let result = reply["parameters"] ?? .object([])
      onReply(result)
      if reply["continues"]?.flag != true { return result }
    }
  }

  private func send(_ message: [UInt8]) throws(CallError) {
    var rest = message[...]
    while !rest.isEmpty {
      do throws(Errno) {
        let count = try unsafe socket.send(rest.span.bytes)
        rest = rest.dropFirst(count)
      } catch { throw disconnected(error.text) }
    }
  }

  private mutating func receive() throws(CallError) -> JSONValue {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var poll = Poll()
    poll.add(socket.number)
    while true {
      if let end = bytes.firstIndex(of: 0) {
        let message = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        do throws(JSONError) {
          return try JSONValue.parse(message, limits: .init(size: PadConnection.replyLimit))
        } catch { throw wrong("the reply is invalid JSON: \(error.text)") }
      }
      if bytes.count > PadConnection.replyLimit { throw wrong("the reply is too large") }
      do throws(Errno) {
        try poll.wait()
        var span = chunk.mutableSpan
        var raw = unsafe span.mutableBytes
        let count = try socket.read(into: &raw)
        if count == 0 { throw Errno(ECONNRESET) }
        bytes += chunk[..<count]
      } catch {
        if error.rawValue != EAGAIN { throw disconnected(error.text) }
      }
    }
  }

  private func wrong(_ reason: String) -> CallError {
    .failure(ToolError(.unavailable, "\(path): \(reason)"))
  }

  private func disconnected(_ reason: String) -> CallError {
    .disconnected(ToolError(.unavailable, "\(path): connection to the pad lost: \(reason)"))
  }
}

extension JSONValue {
  /// The bytes of a text in Base64; nil: it is none.
  var base64Bytes: [UInt8]? {
    guard let letters = text?.utf8.map({ CChar(bitPattern: $0) }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: letters.count / 4 * 3 + 3)
    var context = unsafe base64_decode_ctx()
    var count = bytes.count
    unsafe nettle_base64_decode_init(&context)
    guard
      unsafe nettle_base64_decode_update(&context, &count, &bytes, letters.count, letters) == 1,
      unsafe nettle_base64_decode_final(&context) == 1
    else { return nil }
    return Array(bytes[..<count])
  }
}

/// The reason why a call has no result.
enum CallError: Error {
  /// The pad replied with a named error and its first parameter.
  case answer(String, detail: String?)
  /// A parameter's text exceeds the number of characters that fit the panel.
  case tooLong(String, limit: Int64)
  /// The connection ended before the reply.
  case disconnected(ToolError)
  /// The reply is invalid.
  case failure(ToolError)

  /// The error of a call that waits for a person, with its own exit code for the pad's end.
  var whileWaiting: ToolError {
    guard case .disconnected(let error) = self else { return toolError }
    return ToolError(.padEnded, error.text)
  }

  /// The message and the exit code.
  var toolError: ToolError {
    switch self {
    case .failure(let error), .disconnected(let error): return error
    case .tooLong(let name, let limit):
      return ToolError(
        .usage, "\(name) is too long for the pad's panel: at most \(limit) characters fit")
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
