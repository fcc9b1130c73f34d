internal import CLinux
internal import Linux

/// Responses that the kernel has taken, and whose clients may not have received them: a phone may have lost its network.
///
/// The kernel knows what a peer has acknowledged (SIOCOUTQ), but reports no event for it. It is
/// queried in each turn of the loop, and by a timer whose pauses grow. Each response has a
/// descriptor of its own, because libmicrohttpd may close the connection first.
final class SentResponses {
  /// The fate of a response.
  enum Outcome {
    case received(Int)
    case lost(Int)
  }

  private final class Response {
    let client: Int
    let socket: FileDescriptor
    let end: Int64
    var pause = SentResponses.firstPause
    var next: Int64

    init(_ client: Int, _ socket: consuming FileDescriptor, at now: Int64) {
      self.client = client
      self.socket = socket
      end = now + SentResponses.limit
      next = now + SentResponses.firstPause
    }

    /// Nil: it is on its way.
    func outcome(at now: Int64) -> Outcome? {
      do throws(Errno) {
        if try socket.hasPeerReadAll() { return .received(client) }
      } catch { return .lost(client) }
      return end <= now ? .lost(client) : nil
    }
  }

  /// In nanoseconds.
  private static let firstPause: Int64 = 5_000_000
  private static let longestPause: Int64 = 500_000_000
  /// The time after which a response is lost, in nanoseconds, equal to the one in `CNetwork_tune`.
  private static let limit: Int64 = 20_000_000_000

  private var responses: [Response] = []

  /// Whether no response is on its way.
  var isEmpty: Bool { responses.isEmpty }

  /// When `check` must be called; nil: never.
  var deadline: Int64? { responses.map { $0.next }.min() }

  /// Adds a response that is in the kernel's buffer of this socket.
  func add(_ client: Int, _ socket: Int32, at now: Int64) throws(Errno) {
    let copy = FileDescriptor(owning: try Errno.check { dup(socket) })
    _ = CLinux_setCloseOnExec(copy.number)
    responses.append(Response(client, copy, at: now))
  }

  /// Forgets the responses of clients whose signatures are not kept any more, with their descriptors. Returns these
  /// clients.
  func keep(_ isKept: (Int) -> Bool) -> [Int] {
    let dropped = responses.map { $0.client }.filter { !isKept($0) }
    responses.removeAll { dropped.contains($0.client) }
    return dropped
  }

  /// Removes and returns what has been received or lost.
  ///
  /// Call it before libmicrohttpd reads the sockets, which clears the error of a lost connection.
  func check(at now: Int64) -> [Outcome] {
    var outcomes: [Outcome] = []
    responses.removeAll { response in
      guard let outcome = response.outcome(at: now) else {
        if response.next <= now {
          response.pause = min(2 * response.pause, SentResponses.longestPause)
          response.next = now + response.pause
        }
        return false
      }
      outcomes.append(outcome)
      return true
    }
    return outcomes
  }
}
