import CLinux
import JSON
import Linux

/// A connection to the running pad, by its Varlink interface org.paraph.Pad.
struct PadConnection: ~Copyable {
  private let socket: FileDescriptor
  private let path: String
  private var bytes: [UInt8] = []

  /// A pad answers with pictures, and with strokes of ten minutes.
  private static let replyLimit = 64 << 20

  init(_ path: String) throws(ToolError) {
    do throws(Errno) {
      socket = try FileDescriptor(connectingTo: path)
    } catch {
      switch error.rawValue {
      case EACCES, EPERM:
        throw ToolError(.noPermission, "\(path): \(error.text): may this user ask the pad?")
      default: throw ToolError(.unavailable, "\(path): \(error.text): is paraphd running?")
      }
    }
    self.path = path
  }

  /// Calls a method and gives each reply to `hear`, the last one too; returns the last one.
  mutating func call(
    _ method: String, _ parameters: [(String, JSONValue)], more: Bool = false,
    hear: (JSONValue) -> Void = { _ in }
  ) throws(PadRefusal) -> JSONValue {
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
      hear(result)
      if reply["continues"]?.flag != true { return result }
    }
  }

  private func send(_ message: [UInt8]) throws(PadRefusal) {
    var rest = message[...]
    while !rest.isEmpty {
      do throws(Errno) {
        let count = try unsafe socket.send(rest.span.bytes)
        rest = rest.dropFirst(count)
      } catch { throw gone(error.text) }
    }
  }

  private mutating func receive() throws(PadRefusal) -> JSONValue {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var poll = Poll()
    poll.add(socket.number)
    while true {
      if let end = bytes.firstIndex(of: 0) {
        let message = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        do throws(JSONError) {
          return try JSONValue.parse(message, limits: .init(size: PadConnection.replyLimit))
        } catch { throw wrong("the answer is invalid JSON: \(error.text)") }
      }
      if bytes.count > PadConnection.replyLimit { throw wrong("the answer is too large") }
      do throws(Errno) {
        try poll.wait()
        var span = chunk.mutableSpan
        var raw = unsafe span.mutableBytes
        let count = try socket.read(into: &raw)
        if count == 0 { throw Errno(ECONNRESET) }
        bytes += chunk[..<count]
      } catch {
        if error.rawValue != EAGAIN { throw gone(error.text) }
      }
    }
  }

  private func wrong(_ reason: String) -> PadRefusal {
    .failure(ToolError(.unavailable, "\(path): \(reason)"))
  }

  private func gone(_ reason: String) -> PadRefusal {
    .gone(ToolError(.unavailable, "\(path): the pad is gone: \(reason)"))
  }
}

/// Why a call got no result.
enum PadRefusal: Error {
  /// The pad answered with a named error, and what it says about it.
  case answer(String, detail: String?)
  /// A text does not fit its panel: which, and how many characters of it fit.
  case tooLong(String, limit: Int64)
  /// The connection ended before the answer came.
  case gone(ToolError)
  /// It did not answer as it should.
  case failure(ToolError)

  /// The same for who waits for a person: the pad's end is neither that person's doing nor a missing pad.
  var whileWaiting: ToolError {
    guard case .gone(let error) = self else { return toolError }
    return ToolError(.padEnded, error.text)
  }

  /// One line and the exit code.
  var toolError: ToolError {
    switch self {
    case .failure(let error), .gone(let error): return error
    case .tooLong(let name, let limit):
      return ToolError(
        .usage, "the \(name) is too long for the pad's panel: \(limit) characters of it fit")
    case .answer("org.paraph.Pad.Busy", _):
      return ToolError(.tempfail, "the pad is busy with another request")
    case .answer("org.paraph.Pad.OutOfService", let reason):
      return ToolError(
        .outOfService, "the pad is out of service: \(reason ?? "no reason given")")
    case .answer("org.varlink.service.InvalidParameter", let name):
      return ToolError(.usage, "the pad does not take this \(name ?? "parameter")")
    case .answer("org.paraph.Pad.InvalidMessage", let reason):
      return ToolError(.usage, "the pad does not take this call: \(reason ?? "no reason given")")
    case .answer("org.varlink.service.PermissionDenied", _):
      return ToolError(.noPermission, "this user is not among the pad's [control] users")
    case .answer(let name, _):
      return ToolError(.unavailable, "the pad answers \(name)")
    }
  }
}
