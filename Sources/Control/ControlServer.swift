public import Linux

/// The control socket: connections in, requests to the pad out. It belongs on the main thread, which
/// polls `number`, calls `turn` when it is readable, and `time` at `deadline`.
///
/// Clients cannot hold up the pad or one another: a turn takes `turnLimit` and then at most one message more; new
/// connections are accepted first, then each connection gets one message answered before it is another's
/// turn, and those that call without end come last. `ConnectionTable` says who makes room for others,
/// `Connection` and `OutputQueue` what clients can make the pad keep. A file of a signature is drawn once.
public final class ControlServer {
  /// Connections that are accepted in one turn.
  private static let acceptLimit = 16
  /// How long a turn serves connections, in nanoseconds; the others get the next one.
  static let turnLimit: Int64 = 5_000_000
  /// For which nobody is accepted after that has failed, in nanoseconds.
  static let rest: Int64 = 1_000_000_000
  /// How often it is looked whether a client has read a signature, in nanoseconds.
  static let readInterval: Int64 = 100_000_000

  private let listener: SocketListener
  private let poll: EventPoll
  private let access: ControlAccess
  private let clock: () -> Int64
  private var service: ControlService
  private var connections = ConnectionTable()
  private var lastID = 0
  /// Counts those who were served.
  private var lastTurn: Int64 = 0
  /// When the listener, which rests, is tried again; nil: it does not rest.
  private var restEnd: Int64?
  /// When clients are looked at next that have a signature to read.
  private var nextLook: Int64 = 0
  private var logLimit = LogLimit()
  private let log: (String) -> Void

  /// For poll(2).
  public var number: Int32 { poll.number }
  /// When `time(_:)` must be called, if ever.
  public var deadline: Int64? {
    var moments = connections.all.compactMap { $0.output.deadline }
    if connections.all.contains(where: { !$0.unread.isEmpty }) { moments.append(nextLook) }
    if let restEnd { moments.append(restEnd) }
    if let deadline = service.deadline { moments.append(deadline) }
    return moments.min()
  }

  /// - Parameters:
  ///   - listener: Where programs connect to.
  ///   - users: Who may do anything, besides root and this process's own user; empty: whoever can
  ///     connect.
  ///   - state: What the pad does until it says something else.
  ///   - draw: A signature as a file, SVG or InkML; nil if it cannot be.
  ///   - log: Is given a line for what others do wrong, with a limit.
  ///   - clock: Measures how long a turn takes, in nanoseconds.
  public init(
    _ listener: consuming SocketListener, users: [UInt32], info: PadInfo, allowsStrokes: Bool,
    state: PadState = .idle, draw: @escaping (SavedSignature, SignatureFormat) -> [UInt8]?,
    log: @escaping (String) -> Void, clock: @escaping () -> Int64 = { MonotonicClock.now }
  ) throws(Errno) {
    let poll = try EventPoll()
    // The listener's key; connections count from 1.
    try poll.add(listener.number, key: 0, .init(input: true, output: false))
    self.listener = listener
    self.poll = poll
    self.clock = clock
    access = ControlAccess(users: users)
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

  /// Bytes that wait for all clients, without what they share.
  var queuedBytes: Int { connections.queuedBytes }

  /// What waits at the sockets. Returns what programs want of the pad.
  public func turn(at now: Int64) -> [ControlRequest] {
    let started = clock()
    let events = readyEvents()
    var requests = events.contains { $0.key == 0 } ? takeNew(now) : []
    var hasServed = false
    for next in inOrder(events, now) {
      if hasServed && clock() - started >= ControlServer.turnLimit { break }
      // An earlier one may have had it closed.
      guard connections[next.connection.id] === next.connection else { continue }
      hasServed = true
      lastTurn += 1
      next.connection.lastTurn = lastTurn
      requests += serve(next.connection, next.event, now)
    }
    return requests
  }

  /// What is ready, of all connections: the kernel names a part of it at a time, and then begins anew.
  private func readyEvents() -> [EventPoll.Event] {
    var events: [EventPoll.Event] = []
    while true {
      let more = ((try? poll.ready()) ?? []).filter { event in
        !events.contains { $0.key == event.key }
      }
      if more.isEmpty { return events }
      events += more
    }
  }

  /// Connections in the order in which they are served: those that call without end after the others, and
  /// otherwise the one first that was served longest ago.
  private func inOrder(
    _ events: [EventPoll.Event], _ now: Int64
  ) -> [(connection: Connection, event: EventPoll.Event)] {
    var calm: [(connection: Connection, event: EventPoll.Event)] = []
    var busy = calm
    for event in events {
      guard let connection = connections[event.key] else { continue }
      if connection.isBusy(at: now) {
        busy.append((connection, event))
      } else {
        calm.append((connection, event))
      }
    }
    return calm.sorted { $0.connection.lastTurn < $1.connection.lastTurn }
      + busy.sorted { $0.connection.lastTurn < $1.connection.lastTurn }
  }

  /// The pad has something to tell.
  public func event(_ event: ControlEvent, at now: Int64) -> [ControlRequest] {
    perform(service.event(event, at: now), now)
  }

  /// The clock stands at `now`.
  public func time(_ now: Int64) -> [ControlRequest] {
    if let restEnd, restEnd <= now { listen() }
    var requests = lookForReaders(now)
    for connection in connections.all {
      guard let deadline = connection.output.deadline, deadline <= now else { continue }
      requests += drop(connection, "it does not read its replies", now)
    }
    return requests + perform(service.time(now), now)
  }

  /// Waits until clients have read their signatures, for at most `limit` nanoseconds, and answers no calls
  /// meanwhile. For the end of the pad: what they have not read by then, they can ask for at its next start.
  public func drain(for limit: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    let end = clock() + limit
    while true {
      let now = clock()
      for connection in connections.all where !connection.unread.isEmpty {
        requests +=
          connection.flush(at: now) ? noticeRead(connection, now) : drop(connection, nil, now)
      }
      if now >= end || connections.all.allSatisfy({ $0.unread.isEmpty }) { return requests }
      var pause = Poll()
      _ = try? pause.wait(milliseconds: 5)
    }
  }

  /// Takes notice of who has read a signature. Nothing wakes the pad when that happens.
  private func lookForReaders(_ now: Int64) -> [ControlRequest] {
    nextLook = now + ControlServer.readInterval
    var requests: [ControlRequest] = []
    for connection in connections.all where !connection.unread.isEmpty {
      requests += noticeRead(connection, now)
      if connections[connection.id] != nil { requests += settle(connection, now) }
    }
    return requests
  }

  private func noticeRead(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    for id in connection.takeRead(at: now) {
      requests += perform(service.hasRead(connection.id, id), now)
    }
    return requests
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
      let isAllowed = access.allows(peer.user)
      switch connections.room(
        for: peer, isAllowed: isAllowed, at: now, occupation: { service.occupation($0) })
      {
      case .free: break
      case .after(let other): requests += drop(other, nil, now)
      case .none: continue
      }
      add(socket, peer, isAllowed, now)
    }
    return requests
  }

  /// Now, or after a rest.
  private func listen(after time: Int64? = nil) {
    if time == restEnd { return }
    restEnd = time
    try? poll.change(listener.number, key: 0, .init(input: time == nil, output: false))
  }

  private func add(
    _ socket: consuming FileDescriptor, _ peer: Peer, _ isAllowed: Bool, _ now: Int64
  ) {
    // 0 is the listener. After 2³¹ connections, on 32 bits, the first numbers are free again.
    lastID = lastID == .max ? 1 : lastID + 1
    let connection = Connection(lastID, socket, peer, isAllowed: isAllowed, at: now)
    do throws(Errno) {
      try poll.add(connection.socket.number, key: lastID, connection.interest)
    } catch {
      return complain("a connection cannot be served: \(error.text)", now)
    }
    if !isAllowed { complain("user \(peer.user) is not among [control] users", now) }
    connection.lastTurn = lastTurn
    connections.add(connection)
    service.connected(lastID, isAllowed: isAllowed)
  }

  private func serve(
    _ connection: Connection, _ event: EventPoll.Event, _ now: Int64
  ) -> [ControlRequest] {
    if event.canWrite && !connection.flush(at: now, isRead: true) {
      return drop(connection, nil, now)
    }
    if event.canRead || event.isGone {
      guard connection.read() else { return drop(connection, nil, now) }
    }
    var requests = answer(connection, now)
    guard connections[connection.id] != nil else { return requests }
    // Calls of a client that has left are still heard, until one of them waits for something.
    let isDone = connection.hasEnded && !connection.incoming.hasMessage
    if event.isGone && (isDone || !service.isReady(connection.id)) {
      requests += drop(connection, nil, now)
    }
    return requests
  }

  /// Answers the message that waits, if the connection can take an answer.
  private func answer(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    connection.isAnswering = true
    if connection.isFlushed, !connection.isClosing, service.isReady(connection.id) {
      if let message = connection.incoming.next() {
        connection.noteMessage(at: now)
        // Whoever asks again for what has just been read asks for another signature.
        for other in connections.all { requests += noticeRead(other, now) }
        requests += perform(service.message(message, from: connection.id, at: now), now)
      } else if connection.incoming.isOverlong {
        connection.discard()
        requests += perform(service.overlongMessage(from: connection.id), now)
      }
    }
    connection.isAnswering = false
    guard connections[connection.id] != nil else { return requests }
    return requests + settle(connection, now)
  }

  /// Waits for what can happen next, or closes what is over.
  private func settle(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    let hasMore =
      !connection.isClosing && service.isReady(connection.id) && connection.incoming.hasMessage
    let isOver = connection.isClosing || connection.hasEnded && service.isReady(connection.id)
    let isTold = connection.isFlushed && connection.unread.isEmpty && !connection.isDiscarding
    if isOver && isTold && !hasMore { return drop(connection, nil, now) }
    let takesInput =
      connection.incoming.room > 0 && !connection.isClosing || connection.isDiscarding
    let interest = EventPoll.Interest(
      input: takesInput && !connection.hasEnded,
      // A message that waits is answered when it is this connection's turn again.
      output: !connection.isFlushed || hasMore)
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
        guard let connection = connections[id] else { continue }
        if connection.queue(bytes, at: now) {
          requests += send(connection, now)
        } else {
          requests += drop(connection, "it does not read its replies", now)
        }
      case .deliver(let id, let reply, let awaiting):
        guard let connection = connections[id] else { continue }
        if nextLook <= now { nextLook = now + ControlServer.readInterval }
        connection.queue(reply, awaiting: awaiting, at: now)
        requests += send(connection, now)
      case .close(let id, let reason):
        guard let connection = connections[id] else { continue }
        if let reason { complain(reason, of: connection, now) }
        connection.isClosing = true
      }
    }
    return requests
  }

  /// Sends what the client takes, and keeps no more for all of them than there is room for.
  private func send(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    if !connection.flush(at: now) { return drop(connection, nil, now) }
    var requests: [ControlRequest] = []
    while let other = connections.excess {
      requests += drop(other, "it does not read its replies", now)
    }
    // A next call may have been waiting for this reply.
    if !connection.isAnswering && connections[connection.id] != nil {
      requests += settle(connection, now)
    }
    return requests
  }

  private func drop(
    _ connection: Connection, _ reason: String?, _ now: Int64
  ) -> [ControlRequest] {
    guard connections[connection.id] != nil else { return [] }
    let requests = noticeRead(connection, now)
    guard connections.remove(connection) else { return requests }
    if let reason { complain(reason, of: connection, now) }
    listen()
    return requests + perform(service.disconnected(connection.id, at: now), now)
  }

  private func complain(_ reason: String, of connection: Connection, _ now: Int64) {
    let peer = connection.peer
    complain("closed the connection of process \(peer.process), user \(peer.user): \(reason)", now)
  }

  private func complain(_ line: String, _ now: Int64) {
    for line in logLimit.lines("control: \(line)", at: now) { log(line) }
  }
}
