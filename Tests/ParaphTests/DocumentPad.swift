import Foundation
import JSON
import Linux
import Testing

/// A pad that keeps the pages that are uploaded to it and answers `Sign` at once, on a real socket.
final class DocumentPad: @unchecked Sendable {
  /// A reply, or the name of an error with its parameters.
  enum Reply {
    case result([(String, JSONValue)], continues: Bool = false)
    case error(String, [(String, JSONValue)])
  }

  /// The width of the panel in pixels.
  static let width = 200

  let socket: String
  /// The replies to `Sign`.
  private let answer: [Reply]
  /// The reply to `PutPage` of a page; nil: none, the pad is silent.
  private let onPage: (Int64) -> Reply?
  private let folder: Folder
  private let listener: SocketListener
  private let stop: EventDescriptor
  private let ended = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private var uploaded: [Int64: [UInt8]] = [:]
  private var longest = 0
  private var signCalls: [[UInt8]] = []

  init(
    _ answer: [Reply] = [
      .result([("state", .text("cancelled")), ("cancelled_by", .text("person"))])
    ],
    onPage: @escaping (Int64) -> Reply? = { _ in .result([]) }
  ) throws {
    folder = try Folder()
    socket = folder.path("pad")
    (self.answer, self.onPage) = (answer, onPage)
    listener = try SocketListener(path: socket, mode: 0o600)
    stop = try EventDescriptor()
    Foundation.Thread.detachNewThread { [unowned self] in
      serve()
      ended.signal()
    }
  }

  deinit { end() }

  private func end() {
    stop.signal()
    ended.wait()
  }

  /// The pages by their numbers.
  var pages: [Int64: [UInt8]] { lock.withLock { uploaded } }
  /// The size of the largest part of a page.
  var longestPart: Int { lock.withLock { longest } }
  /// The parameters of each call of `Sign`.
  var requests: [JSONValue] {
    lock.withLock { signCalls }.compactMap {
      try? JSONValue.parse($0, limits: .init(size: 1 << 16))
    }
  }

  private func serve() {
    var poll = Poll()
    poll.add(listener.number)
    poll.add(stop.number)
    while !poll.isReadable(1) {
      _ = try? poll.wait()
      if poll.isReadable(0), let client = try? listener.accept() { serve(client) }
    }
  }

  private func serve(_ client: borrowing FileDescriptor) {
    var poll = Poll()
    poll.add(client.number)
    poll.add(stop.number)
    var input: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while (try? poll.wait()) != nil, !poll.isReadable(1) {
      var span = chunk.mutableSpan
      var raw = unsafe span.mutableBytes
      guard let count = try? client.read(into: &raw), count > 0 else { return }
      input += chunk[..<count]
      while let end = input.firstIndex(of: 0) {
        let call = try? JSONValue.parse(Array(input[..<end]), limits: .init(size: 1 << 16))
        input.removeSubrange(...end)
        guard let call, let method = call["method"]?.text, let parameters = call["parameters"]
        else {
          return
        }
        for reply in replies(method, parameters) {
          try? client.writeAll(reply.bytes() + [0])
        }
      }
    }
  }

  private func replies(_ method: String, _ parameters: JSONValue) -> [JSONValue] {
    let replies: [Reply]
    switch method {
    case "org.paraph.Pad.GetInfo":
      replies = [.result([("panel", .object([("width", .integer(DocumentPad.width))]))])]
    case "org.paraph.Pad.PutPage": replies = [put(parameters)].compactMap { $0 }
    case "org.paraph.Pad.Sign":
      lock.withLock { signCalls.append(parameters.bytes()) }
      replies = answer
    default: replies = [.error("org.varlink.service.MethodNotFound", [])]
    }
    return replies.map { reply in
      switch reply {
      case .result(let members, let continues):
        .object(
          [("parameters", .object(members))] + (continues ? [("continues", .flag(true))] : []))
      case .error(let name, let members):
        .object([("error", .text(name)), ("parameters", .object(members))])
      }
    }
  }

  /// Keeps a part, which must be the next one of its page, or begins it anew.
  private func put(_ part: JSONValue) -> Reply? {
    guard let number = part["number"]?.integer, let offset = part["offset"]?.integer,
      let bytes = part["data"]?.text.flatMap({ Data(base64Encoded: $0) }), !bytes.isEmpty
    else { return .error("org.varlink.service.InvalidParameter", [("parameter", .text("data"))]) }
    let reply = onPage(number)
    guard case .result = reply else { return reply }
    return lock.withLock {
      if offset == 0 { uploaded[number] = nil }
      guard Int(offset) == uploaded[number]?.count ?? 0 else {
        return .error(
          "org.paraph.Pad.BadDocument",
          [("page", .integer(number)), ("reason", .text("not the next part"))])
      }
      uploaded[number, default: []] += bytes
      longest = max(longest, bytes.count)
      return reply
    }
  }
}
