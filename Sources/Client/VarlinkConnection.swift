internal import CLinux
public import JSON
public import Linux

/// A client's connection to a Varlink service, such as the pad's org.paraph.Pad.
///
/// Never waits: poll `number`, for output too while `hasOutput`, and call `flush` and `receive`.
public struct VarlinkConnection: ~Copyable {
  /// A reply of the service.
  public enum Reply {
    /// The parameters; `continues`: more replies of the same call follow.
    case result(JSONValue, continues: Bool)
    /// A named error with its parameters.
    case error(String, JSONValue)
  }

  /// Why no reply can be expected any more.
  public enum Failure: Error, Equatable, Sendable {
    /// The connection failed, or the service closed it (ECONNRESET).
    case disconnected(Errno)
    /// The service sent something that is not a reply; the reason.
    case invalid(String)

    /// One line.
    public var text: String {
      switch self {
      case .disconnected(let error): error.text
      case .invalid(let reason): reason
      }
    }
  }

  private let socket: FileDescriptor
  private let replyLimit: Int
  private var incoming: [UInt8] = []
  /// The bytes of `incoming` that are known to contain no NUL.
  private var scanned = 0
  private var outgoing: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// The descriptor for poll(2).
  public var number: Int32 { socket.number }
  /// Whether bytes of a call wait until the socket takes them.
  public var hasOutput: Bool { !outgoing.isEmpty }

  /// Connects to a Unix socket.
  ///
  /// - Parameter replyLimit: The maximum size of a reply in bytes.
  public init(_ path: String, replyLimit: Int) throws(Errno) {
    socket = try FileDescriptor(connectingTo: path)
    self.replyLimit = replyLimit
  }

  /// Sends a call, as far as the socket takes it.
  ///
  /// - Parameter more: Whether several replies are wanted.
  public mutating func call(
    _ method: String, _ parameters: [(String, JSONValue)], more: Bool = false
  ) throws(Failure) {
    var call: [(String, JSONValue)] = [
      ("method", .text(method)), ("parameters", .object(parameters)),
    ]
    if more { call.append(("more", .flag(true))) }
    outgoing += JSONValue.object(call).bytes() + [0]
    try flush()
  }

  /// Sends what waits, as far as the socket takes it.
  public mutating func flush() throws(Failure) {
    while !outgoing.isEmpty {
      do throws(Errno) {
        let count = try unsafe socket.send(outgoing.span.bytes)
        if count == 0 { return }
        outgoing.removeFirst(count)
      } catch { throw .disconnected(error) }
    }
  }

  /// Reads once from the socket. Returns false if nothing was there.
  public mutating func receive() throws(Failure) -> Bool {
    // The socket and its buffer are parts of one value, of which only one can be changed at a time.
    var buffer: [UInt8] = []
    swap(&buffer, &chunk)
    defer { swap(&buffer, &chunk) }
    do throws(Errno) {
      var span = buffer.mutableSpan
      var raw = unsafe span.mutableBytes
      let count = try socket.read(into: &raw)
      if count == 0 { throw Errno(ECONNRESET) }
      incoming += buffer[..<count]
      return true
    } catch {
      if error.rawValue == EAGAIN { return false }
      throw .disconnected(error)
    }
  }

  /// Removes and returns the next complete reply; nil: none was received.
  public mutating func next() throws(Failure) -> Reply? {
    guard let end = incoming[scanned...].firstIndex(of: 0) else {
      scanned = incoming.count
      if incoming.count > replyLimit { throw .invalid("the reply is too large") }
      return nil
    }
    let message = Array(incoming[..<end])
    incoming.removeSubrange(...end)
    scanned = 0
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(message, limits: .init(size: replyLimit))
    } catch { throw .invalid("the reply is invalid JSON: \(error.text)") }
    let parameters = value["parameters"] ?? .object([])
    if let error = value["error"]?.text { return .error(error, parameters) }
    return .result(parameters, continues: value["continues"]?.flag == true)
  }
}
