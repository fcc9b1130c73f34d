internal import CLinux
internal import Linux
internal import Seal

/// A process of paraph-seal, which answers requests one after the other.
///
/// The `deinit` kills it, or closes the connection to one that systemd has started. That one then
/// ends by itself, or by its own limit of 30 s if it hangs.
struct SealProcess: ~Copyable {
  private let path: String
  /// How long a request may take, in milliseconds, for messages.
  private let timeLimit: Int
  private let socket: FileDescriptor
  /// Nil: systemd's.
  private var child: ChildProcess?
  /// The bytes of a request, of which the socket has taken the first `sent`.
  private var unsent: [UInt8] = []
  private var sent = 0
  /// The beginning of the next reply.
  private var received: [UInt8] = []

  /// Connects to a socket, or starts a program.
  init(_ path: String, key: String?, timeLimit: Int) throws(SealFailure) {
    self.path = path
    self.timeLimit = timeLimit
    var isSocket = false
    do throws(Errno) {
      do throws(SystemError) {
        isSocket = try FileStatus(of: path).kind == .other
      } catch { throw error.errno }
      if isSocket {
        child = nil
        socket = try FileDescriptor(connectingTo: path)
      } else {
        let pair = try SocketPair()
        child = try ChildProcess(
          path, key.map { ["--sign-key=\($0)"] } ?? [], inherits: false,
          input: pair.other.number, output: pair.other.number)
        socket = pair.closingOther()
      }
    } catch {
      if isSocket, error.rawValue == EACCES { throw .forbidden(path) }
      throw .unreachable("\(path): \(error.text)")
    }
  }

  /// Whether it can be asked: it runs, and has said nothing unasked.
  var isReady: Bool {
    var poll = Poll()
    poll.add(socket.number)
    return (try? poll.wait(milliseconds: 0)) == false
  }

  /// Sends a request that has no reply, without waiting. Returns false if the socket does not take all of it: the process
  /// must be dropped then.
  mutating func tell(_ request: SealRequest) -> Bool {
    guard let bytes = request.bytes else { return false }
    (unsent, sent) = (bytes, 0)
    return (try? send()) == true
  }

  /// Sends a request and waits for its reply, at most until the limit, CLOCK_MONOTONIC.
  ///
  /// - Parameter isLast: Whether no other request follows.
  mutating func ask(
    _ request: SealRequest, until limit: Int64, isLast: Bool
  ) throws(SealFailure) -> SealReply {
    guard let bytes = request.bytes else {
      throw .program("the files are too large to be sealed")
    }
    (unsent, sent) = (bytes, 0)
    let end: End
    let cause: String
    do throws(Errno) {
      end = try exchange(until: limit, isLast: isLast)
      cause = try self.cause(of: end)
    } catch { throw .program("\(path): \(error.text)") }
    switch end {
    case .reply(let content):
      if let reply = SealReply(content: content) { return reply }
      throw .program("its reply is invalid or cut")
    case .ended: throw .program("ended without a reply\(cause)")
    case .invalid: throw .program("its reply is invalid or cut")
    case .late: throw .program("no reply within \(timeLimit) ms")
    }
  }

  /// Nothing more is asked: the process releases what it holds in a TPM, and ends.
  func finish() { socket.endSending() }

  /// Whether the process has ended, or systemd's has closed the connection.
  var hasEnded: Bool {
    var poll = Poll()
    switch child {
    case .some(let child): poll.add(child.descriptor.number)
    case .none: poll.add(socket.number)
    }
    return (try? poll.wait(milliseconds: 0)) != false
  }

  /// Waits a moment for the end of the process, to which nothing more is said.
  mutating func waitForEnd() {
    if var child = child.take() {
      _ = try? child.wait(milliseconds: 1000)
      return
    }
    var poll = Poll()
    poll.add(socket.number)
    _ = try? poll.wait(milliseconds: 1000)
  }

  // MARK: - The connection

  private enum End {
    case reply([UInt8])
    /// It closed the connection without a reply.
    case ended
    case invalid
    case late
  }

  /// Sends what the socket takes now. Returns whether all is sent.
  private mutating func send() throws(Errno) -> Bool {
    if sent < unsent.count {
      sent += try unsafe socket.send(unsent.span.bytes.extracting(droppingFirst: sent))
    }
    if sent < unsent.count { return false }
    (unsent, sent) = ([], 0)
    return true
  }

  /// Sends and reads, both at once: a program that does not listen must not block this one.
  private mutating func exchange(until limit: Int64, isLast: Bool) throws(Errno) -> End {
    var poll = Poll()
    let place = poll.add(socket.number, output: true)
    var isSending = true
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let left = limit - MonotonicClock.now
      if left <= 0 { return .late }
      guard try poll.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1)) else { continue }
      if isSending, poll.isWritable(place) || poll.isGone(place) {
        do throws(Errno) {
          isSending = try !send()
        } catch {
          // It may have replied before it closed the connection.
          if error.rawValue != EPIPE && error.rawValue != ECONNRESET { throw error }
          isSending = false
        }
        if !isSending {
          if isLast { socket.endSending() }
          poll.replace(place, with: socket.number)
          continue
        }
      }
      guard poll.isReadable(place) || poll.isGone(place) else { continue }
      if try !read(&chunk) { return received.isEmpty ? .ended : .invalid }
      if let end = received(isAwaited: !isSending) { return end }
    }
  }

  /// Reads what has come. Returns false at the end.
  private mutating func read(_ chunk: inout [UInt8]) throws(Errno) -> Bool {
    do throws(Errno) {
      var span = chunk.mutableSpan
      var part = unsafe span.mutableBytes
      let count = try socket.read(into: &part)
      received += chunk[..<count]
      return count > 0
    } catch {
      if error.rawValue == EAGAIN { return true }
      if error.rawValue != ECONNRESET { throw error }
      return false
    }
  }

  /// Parses the bytes that were received; nil: they are the beginning of a reply.
  private mutating func received(isAwaited: Bool) -> End? {
    guard received.count >= SealFrame.headSize else { return nil }
    guard let size = SealFrame.contentSize(head: Array(received[..<SealFrame.headSize])) else {
      return .invalid
    }
    let missing = SealFrame.headSize + size - received.count
    if missing > 0 { return nil }
    // Rejects bytes after the reply, and a reply that came before the request was sent.
    if missing < 0 || !isAwaited { return .invalid }
    let content = Array(received.dropFirst(SealFrame.headSize))
    received = []
    return .reply(content)
  }

  /// How the process ended, for a message.
  private mutating func cause(of end: End) throws(Errno) -> String {
    guard case .ended = end, var child = child.take() else { return "" }
    switch try child.wait(milliseconds: 1000) {
    case .exit(let code)?: return " (exit code \(code))"
    case .signal(let number)?: return " (signal \(number))"
    case nil: return ""
    }
  }
}
