internal import Linux

/// Accepts connections, and pauses after failures.
struct ControlListener: ~Copyable {
  /// How long no connection is accepted after a failure, in nanoseconds.
  private static let pauseDuration: Int64 = 1_000_000_000
  /// The key of the listener in the server's `EventPoll`; connections count from 1.
  static let key = 0

  private let socket: SocketListener
  private var access: ControlAccess
  /// The end of the pause; nil: none.
  private(set) var pauseEnd: Int64?

  /// - Parameters:
  ///   - users: The users that may call the pad's methods; without these and names, all may.
  ///   - names: The names of such users that do not exist yet.
  init(
    _ socket: consuming SocketListener, users: [UInt32], names: [String] = [],
    in poll: borrowing EventPoll
  ) throws(Errno) {
    try poll.add(socket.number, key: ControlListener.key, .init(input: true, output: false))
    self.socket = socket
    access = ControlAccess(users: users, names: names)
  }

  /// Accepts a connection, as the descriptor of its socket; nil: none waits.
  func accept() throws(Errno) -> FileDescriptor? { try socket.accept() }

  /// Whether a user that connects may call the pad's methods.
  mutating func admits(_ user: UInt32, at now: Int64) -> Bool { access.admits(user, at: now) }

  /// Looks up the names that no user had. Returns those that are known now.
  mutating func findUsers(_ find: (String) -> UInt32?) -> [String] { access.find(find) }

  /// Accepts nothing for a second. Without a free descriptor, the listener would be ready forever.
  mutating func pause(at now: Int64, in poll: borrowing EventPoll) {
    pauseEnd = now + ControlListener.pauseDuration
    try? poll.change(socket.number, key: ControlListener.key, .init(input: false, output: false))
  }

  /// Accepts connections again: the pause has ended, or a descriptor was closed.
  mutating func resume(in poll: borrowing EventPoll) {
    if pauseEnd == nil { return }
    pauseEnd = nil
    try? poll.change(socket.number, key: ControlListener.key, .init(input: true, output: false))
  }
}

/// Limits log lines about clients to five a minute, and counts the rest.
struct LogLimit: Sendable {
  private static let lines = 5
  private static let span: Int64 = 60_000_000_000

  private var start: Int64 = 0
  private var count = 0

  /// The lines to log for `line`, which is due at `now`.
  mutating func lines(_ line: String, at now: Int64) -> [String] {
    var lines: [String] = []
    if now - start >= LogLimit.span || count == 0 {
      if count > LogLimit.lines {
        lines.append("control: suppressed \(count - LogLimit.lines) similar lines")
      }
      start = now
      count = 0
    }
    count += 1
    return count <= LogLimit.lines ? lines + [line] : lines
  }
}
