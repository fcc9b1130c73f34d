public import Linux

/// The control socket: connections in, requests to the pad out. It belongs on the main thread, which
/// polls `number`, calls `turn` when it is readable, and `time` at `deadline`.
///
/// A turn does a bounded amount of work, and what a client can make it keep is bounded: `connectionLimit`
/// connections of one message each; a connection that waits for nothing gives way to a new one.
public final class ControlServer {
  /// More than any terminal needs; each costs at most 32 kB.
  static let connectionLimit = 128
  /// Connections that are taken in one turn.
  private static let acceptLimit = 16
  /// Messages of one connection that are answered in one turn.
  private static let messageLimit = 16
  /// For which nobody is accepted after that has failed, in nanoseconds.
  static let rest: Int64 = 1_000_000_000

  private let listener: SocketListener
  private let poll: EventPoll
  private let users: [UInt32]
  private var service: ControlService
  /// In the order in which they came.
  private var connections: [Connection] = []
  private var lastID = 0
  /// When the listener, which rests, is tried again; nil: it does not rest.
  private var restEnd: Int64?
  private var logLimit = LogLimit()
  private let log: (String) -> Void

  /// For poll(2).
  public var number: Int32 { poll.number }
  /// When `time(_:)` must be called, if ever.
  public var deadline: Int64? {
    guard let restEnd else { return service.deadline }
    return min(restEnd, service.deadline ?? restEnd)
  }

  /// - Parameters:
  ///   - listener: Where programs connect to.
  ///   - users: Who may do anything, besides root and this process's own user; empty: whoever can
  ///     connect.
  ///   - state: What the pad does until it says something else.
  ///   - draw: A signature as a file, SVG or InkML; nil if it cannot be.
  ///   - log: Is given a line for what others do wrong, with a limit.
  public init(
    _ listener: consuming SocketListener, users: [UInt32], info: PadInfo, allowsStrokes: Bool,
    state: PadState = .idle, draw: @escaping (SavedSignature, SignatureFormat) -> [UInt8]?,
    log: @escaping (String) -> Void
  ) throws(Errno) {
    let poll = try EventPoll()
    // The listener's key; connections count from 1.
    try poll.add(listener.number, key: 0, .init(input: true, output: false))
    self.listener = listener
    self.poll = poll
    self.users = users
    self.log = log
    service = ControlService(
      info: info, allowsStrokes: allowsStrokes, state: state, draw: draw)
  }

  /// A request is open from before the pad was started; who asks for the same reference takes it over.
  public func adopt(
    _ number: Int64, reference: String?, in state: PadState, limit: Int64?, at now: Int64
  ) {
    service.adopt(number, reference: reference, in: state, limit: limit, at: now)
  }

  /// A signature that a pad which crashed has saved, and that may not have reached who asked for it: who asks
  /// for the same reference gets it.
  public func adopt(_ signature: SavedSignature, at now: Int64) {
    service.adopt(signature, at: now)
  }

  /// What waits at the sockets. Returns what programs want of the pad.
  public func turn(at now: Int64) -> [ControlRequest] {
    guard let events = try? poll.ready() else { return [] }
    var requests: [ControlRequest] = []
    for event in events where event.key != 0 {
      guard let connection = self.connection(event.key) else { continue }
      requests += serve(connection, event, now)
    }
    if events.contains(where: { $0.key == 0 }) { requests += takeNew(now) }
    return requests
  }

  /// The pad has something to tell.
  public func event(_ event: ControlEvent, at now: Int64) -> [ControlRequest] {
    perform(service.event(event, at: now), now)
  }

  /// The clock stands at `now`.
  public func time(_ now: Int64) -> [ControlRequest] {
    if let restEnd, restEnd <= now { listen() }
    return perform(service.time(now), now)
  }

  private func takeNew(_ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    for _ in 0..<ControlServer.acceptLimit {
      let socket: FileDescriptor
      let peer: Peer
      do throws(Errno) {
        guard let accepted = try listener.accept() else { return requests }
        peer = try Peer(of: accepted)
        socket = accepted
      } catch {
        // Without a free descriptor the listener would be ready for ever: until one is closed it rests, and
        // for a while at most, for others may have taken them all.
        complain("the control socket accepts nobody: \(error.text)", now)
        listen(after: now + ControlServer.rest)
        return requests
      }
      if connections.count >= ControlServer.connectionLimit {
        guard let idle = longestIdle else { continue }
        requests += drop(idle, nil, now)
      }
      requests += add(socket, peer, now)
    }
    return requests
  }

  /// Now, or after a rest.
  private func listen(after time: Int64? = nil) {
    if time == restEnd { return }
    restEnd = time
    try? poll.change(listener.number, key: 0, .init(input: time == nil, output: false))
  }

  private var longestIdle: Connection? {
    connections.filter { service.isReady($0.id) && $0.isFlushed }
      .min { ($0.lastMessage, $0.id) < ($1.lastMessage, $1.id) }
  }

  private func connection(_ id: Int) -> Connection? { connections.first { $0.id == id } }

  private func add(
    _ socket: consuming FileDescriptor, _ peer: Peer, _ now: Int64
  ) -> [ControlRequest] {
    lastID += 1
    let connection = Connection(lastID, socket, peer, at: now)
    do throws(Errno) {
      try poll.add(connection.socket.number, key: lastID, connection.interest)
    } catch {
      complain("a connection cannot be served: \(error.text)", now)
      return []
    }
    let isAllowed =
      users.isEmpty || users.contains(peer.user) || peer.user == 0 || peer.user == Peer.ownUser
    if !isAllowed { complain("user \(peer.user) is not among [control] users", now) }
    connections.append(connection)
    service.connected(lastID, isAllowed: isAllowed)
    return []
  }

  private func serve(
    _ connection: Connection, _ event: EventPoll.Event, _ now: Int64
  ) -> [ControlRequest] {
    if event.canWrite && !connection.flush() { return drop(connection, nil, now) }
    if event.canRead || event.isGone {
      guard connection.read() else { return drop(connection, nil, now) }
    }
    var requests = answer(connection, now)
    guard self.connection(connection.id) != nil else { return requests }
    // Who has sent a last call and left is still heard; then nobody waits for an answer.
    let isDone = !service.isReady(connection.id) || connection.hasEnded
    if event.isGone && (isDone || connection.incoming.room == 0) {
      requests += drop(connection, nil, now)
    }
    return requests
  }

  /// Answers the messages that wait, while the connection can take answers.
  private func answer(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    var count = 0
    connection.isAnswering = true
    while count < ControlServer.messageLimit, connection.isFlushed, !connection.isClosing,
      service.isReady(connection.id), let message = connection.incoming.next()
    {
      count += 1
      connection.lastMessage = now
      requests += perform(service.message(message, from: connection.id, at: now), now)
    }
    connection.isAnswering = false
    guard self.connection(connection.id) != nil else { return requests }
    if connection.incoming.isOverlong {
      return requests + drop(connection, "a message is longer than any call", now)
    }
    return requests + settle(connection, mayHaveMore: count == ControlServer.messageLimit, now)
  }

  /// Waits for what can happen next, or closes what is over.
  private func settle(
    _ connection: Connection, mayHaveMore: Bool, _ now: Int64
  ) -> [ControlRequest] {
    let isOver = connection.isClosing || connection.hasEnded && service.isReady(connection.id)
    if isOver && connection.isFlushed && !mayHaveMore { return drop(connection, nil, now) }
    let interest = EventPoll.Interest(
      input: connection.incoming.room > 0 && !connection.hasEnded && !connection.isClosing,
      output: !connection.isFlushed || mayHaveMore)
    guard interest != connection.interest else { return [] }
    connection.interest = interest
    do throws(Errno) {
      try poll.change(connection.socket.number, key: connection.id, interest)
    } catch { return drop(connection, nil, now) }
    return []
  }

  private func perform(_ actions: [ControlService.Action], _ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    for action in actions {
      switch action {
      case .ask(let request): requests.append(request)
      case .send(let id, let bytes):
        guard let connection = self.connection(id) else { continue }
        if !connection.queue(bytes) {
          requests += drop(connection, "it does not read its replies", now)
        } else if !connection.flush() {
          requests += drop(connection, nil, now)
        } else if !connection.isAnswering {
          // A next call may have been waiting for this reply.
          requests += settle(connection, mayHaveMore: true, now)
        }
      case .close(let id, let reason):
        guard let connection = self.connection(id) else { continue }
        if let reason { complain(reason, of: connection, now) }
        connection.isClosing = true
      }
    }
    return requests
  }

  private func drop(
    _ connection: Connection, _ reason: String?, _ now: Int64
  ) -> [ControlRequest] {
    guard let place = connections.firstIndex(where: { $0 === connection }) else { return [] }
    connections.remove(at: place)
    if let reason { complain(reason, of: connection, now) }
    listen()
    return perform(service.disconnected(connection.id), now)
  }

  private func complain(_ reason: String, of connection: Connection, _ now: Int64) {
    let peer = connection.peer
    complain("closed the connection of process \(peer.process), user \(peer.user): \(reason)", now)
  }

  private func complain(_ line: String, _ now: Int64) {
    for line in logLimit.lines("control: \(line)", at: now) { log(line) }
  }
}
