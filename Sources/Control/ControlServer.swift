public import Linux
internal import Spool

/// The control socket: receives calls, sends replies and events.
///
/// Belongs to the main thread, which polls `number`, calls `turn` when it is readable, and `time` at `deadline`.
///
/// No client can block the pad or other clients: a turn ends with the first message after `turnLimit`. New
/// connections come first; then one message of each connection is answered, of the longest waiting first and of busy
/// ones last. `ConnectionTable` selects the connection to close for a new one; `Connection` and `OutputQueue` limit
/// the memory of clients.
public final class ControlServer {
  /// The number of connections that a turn accepts.
  private static let acceptLimit = 16
  /// How long a turn serves connections, in nanoseconds.
  static let turnLimit: Int64 = 5_000_000
  /// How often the server checks whether clients have read their signatures, in nanoseconds.
  static let readInterval: Int64 = 100_000_000
  private static let unreadReply = "it does not read its replies"

  private var listener: ControlListener
  private let poll: EventPoll
  private let clock: () -> Int64
  private var service: ControlService
  private var connections = ConnectionTable()
  /// The user of paraph-web; nil: there is none.
  private let webUser: UInt32?
  private var lastID = 0
  /// Counts services of connections.
  private var lastTurn: Int64 = 0
  /// When to check next whether clients have read their signatures.
  private var nextReadCheck: Int64 = 0
  private var logLimit = LogLimit()
  private let log: (String) -> Void

  /// For poll(2).
  public var number: Int32 { poll.number }
  /// When `time(_:)` must be called; nil: never.
  public var deadline: Int64? {
    var deadlines = connections.all.compactMap { $0.output.deadline }
    if connections.all.contains(where: { !$0.unread.isEmpty }) { deadlines.append(nextReadCheck) }
    deadlines += [listener.pauseEnd, service.deadline].compactMap { $0 }
    return deadlines.min()
  }

  /// - Parameters:
  ///   - listener: The socket that clients connect to.
  ///   - users: The users that may call the pad's methods, besides root and this process's own; without these and
  ///     names, all may.
  ///   - names: The names of such users that do not exist yet.
  ///   - webUser: The user of paraph-web, whose word about tokens is believed; nil: nobody's is.
  ///   - state: The state before the first event.
  ///   - draw: Draws a signature as SVG or InkML; nil if that fails.
  ///   - log: Receives lines about clients, at a limited rate.
  ///   - clock: Measures how long a turn takes, in nanoseconds.
  public init(
    _ listener: consuming SocketListener, users: [UInt32], names: [String] = [],
    webUser: UInt32? = nil, info: PadInfo,
    allowsStrokes: Bool, allowsPresses: Bool = false, state: PadState = .idle,
    draw: @escaping (SavedSignature, SignatureFormat) -> [UInt8]?,
    log: @escaping (String) -> Void, clock: @escaping () -> Int64 = { MonotonicClock.now }
  ) throws(Errno) {
    let poll = try EventPoll()
    self.listener = try ControlListener(listener, users: users, names: names, in: poll)
    self.poll = poll
    self.webUser = webUser
    self.clock = clock
    self.log = log
    service = ControlService(
      info: info, allowsStrokes: allowsStrokes, allowsPresses: allowsPresses, state: state,
      draw: draw)
  }

  /// Adds a request that was open when the pad crashed. A client that asks with the same reference takes it over.
  public func restore(_ request: PadRequest, in state: PadState, at now: Int64) {
    service.restore(request, in: state, at: now)
  }

  /// Sets the state of ink without a request that was on the glass when the pad crashed.
  public func restore(_ state: PadState) { service.restore(state) }

  /// Adds a signature whose client may not have read it when the pad crashed. A client that asks with the same
  /// reference gets it.
  public func restore(_ signature: SavedSignature, at now: Int64) {
    service.restore(signature, at: now)
  }

  /// Looks up the names of users that did not exist. Returns those that are known now.
  public func findUsers(_ find: (String) -> UInt32?) -> [String] { listener.findUsers(find) }

  /// Replaces what GetInfo answers.
  public func update(_ info: PadInfo) { service.info = info }

  /// Sends the clients that watch ink what they need to draw it.
  public func show(_ surface: PadSurface, at now: Int64) -> [ControlRequest] {
    perform(service.show(surface, at: now), now)
  }

  /// The number of unsent bytes of all connections that are not shared.
  var queuedBytes: Int { connections.queuedBytes }

  // MARK: - Inputs

  /// Serves connections that are ready. Returns requests to the pad.
  public func turn(at now: Int64) -> [ControlRequest] {
    let started = clock()
    let events = readyEvents()
    var requests = events.contains { $0.key == ControlListener.key } ? accept(now) : []
    var hasServed = false
    for next in fairOrder(events, now) {
      if hasServed && clock() - started >= ControlServer.turnLimit { break }
      // Serving another one may have closed it.
      guard connections[next.connection.id] === next.connection else { continue }
      hasServed = true
      lastTurn += 1
      next.connection.lastTurn = lastTurn
      requests += serve(next.connection, next.event, now)
    }
    return requests
  }

  /// All ready events. The kernel returns some at a time, then the first ones again.
  private func readyEvents() -> [EventPoll.Event] {
    var events: [EventPoll.Event] = []
    var keys: Set<Int> = []
    while true {
      let more = ((try? poll.ready()) ?? []).filter { keys.insert($0.key).inserted }
      if more.isEmpty { return events }
      events += more
    }
  }

  private typealias Ready = (connection: Connection, event: EventPoll.Event)

  /// Orders connections by the time since they were served; busy ones come last.
  private func fairOrder(_ events: [EventPoll.Event], _ now: Int64) -> [Ready] {
    var calm: [Ready] = []
    var busy: [Ready] = []
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

  /// Sends an event of the pad to clients.
  public func event(_ event: ControlEvent, at now: Int64) -> [ControlRequest] {
    perform(service.event(event, at: now), now)
  }

  /// Handles what was due at `now`.
  public func time(_ now: Int64) -> [ControlRequest] {
    if let end = listener.pauseEnd, end <= now { listener.resume(in: poll) }
    nextReadCheck = now + ControlServer.readInterval
    var requests: [ControlRequest] = []
    for connection in connections.all where !connection.unread.isEmpty {
      requests += collectRead(connection, now)
      if connections[connection.id] != nil { requests += settle(connection, now) }
    }
    for connection in connections.all {
      guard let deadline = connection.output.deadline, deadline <= now else { continue }
      requests += drop(connection, ControlServer.unreadReply, now)
    }
    return requests + perform(service.time(now), now)
  }

  /// Waits until clients have read their signatures, for at most `limit` nanoseconds, and answers no calls.
  ///
  /// For the end of the pad: clients can ask for the others after its next start.
  public func drain(for limit: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    let end = clock() + limit
    while true {
      let now = clock()
      for connection in connections.all where connection.holdsSignature {
        requests +=
          connection.flush(at: now) ? collectRead(connection, now) : drop(connection, nil, now)
      }
      if now >= end || !connections.all.contains(where: { $0.holdsSignature }) { return requests }
      var pause = Poll()
      _ = try? pause.wait(milliseconds: 5)
    }
  }

  /// Collects the signatures that a client has read. The kernel does not report that.
  private func collectRead(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    for id in connection.drainRead(at: now) {
      requests += perform(service.wasRead(id, by: connection.id), now)
    }
    return requests
  }

  // MARK: - Connections

  private func accept(_ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    for _ in 0..<ControlServer.acceptLimit {
      let socket: FileDescriptor
      let peer: Peer
      do throws(Errno) {
        guard let accepted = try listener.accept() else { return requests }
        peer = try Peer(of: accepted)
        socket = accepted
      } catch {
        complain("accept failed: \(error.text); retrying in a second", now)
        listener.pause(at: now, in: poll)
        return requests
      }
      let isAllowed = listener.admits(peer.user, at: now)
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

  private func add(
    _ socket: consuming FileDescriptor, _ peer: Peer, _ isAllowed: Bool, _ now: Int64
  ) {
    // After 2³¹ connections, on 32 bits, the first numbers are free again.
    lastID = lastID == .max ? 1 : lastID + 1
    let connection = Connection(lastID, socket, peer, isAllowed: isAllowed, at: now)
    do throws(Errno) {
      try poll.add(connection.socket.number, key: lastID, connection.interest)
    } catch {
      return complain("epoll_ctl failed: \(error.text); closed a new connection", now)
    }
    if !isAllowed { complain("user \(peer.user) is not in [control] users: access denied", now) }
    connection.lastTurn = lastTurn
    connections.add(connection)
    let requester = Requester(uid: peer.user, program: peer.program(on: connection.socket))
    service.connected(
      lastID, isAllowed: isAllowed, as: requester, namesTokens: peer.user == webUser)
  }

  private func serve(
    _ connection: Connection, _ event: EventPoll.Event, _ now: Int64
  ) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    if event.canWrite {
      guard connection.flush(at: now, isRead: true) else { return drop(connection, nil, now) }
      requests += sendInk(connection, now)
      guard connections[connection.id] != nil else { return requests }
    }
    if event.canRead || event.isGone {
      guard connection.read() else { return requests + drop(connection, nil, now) }
    }
    requests += answer(connection, now)
    guard connections[connection.id] != nil else { return requests }
    // The calls of a client that has left are answered until one of them waits.
    let isDone = connection.hasEnded && !connection.incoming.hasMessage
    if event.isGone && (isDone || !service.isReady(connection.id)) {
      requests += drop(connection, nil, now)
    }
    return requests
  }

  /// Answers the next message if the connection can take a reply.
  private func answer(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    var requests: [ControlRequest] = []
    connection.isAnswering = true
    if connection.isFlushed, !connection.isClosing, service.isReady(connection.id) {
      if let message = connection.incoming.next() {
        connection.countMessage(at: now)
        // A client that asks again for a signature that was just read wants another one.
        for other in connections.all { requests += collectRead(other, now) }
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

  /// Closes a connection that is done, or sets what to wait for.
  private func settle(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    let hasMore =
      !connection.isClosing && service.isReady(connection.id) && connection.incoming.hasMessage
    let isOver = connection.isClosing || connection.hasEnded && service.isReady(connection.id)
    let isRead = connection.isFlushed && connection.unread.isEmpty && !connection.isDiscarding
    if isOver && isRead && !hasMore { return drop(connection, nil, now) }
    let takesInput =
      connection.incoming.room > 0 && !connection.isClosing || connection.isDiscarding
    let interest = EventPoll.Interest(
      input: takesInput && !connection.hasEnded,
      // A message that waits is answered in a later turn, and more ink sent: a socket is almost always writable.
      output: !connection.isFlushed || hasMore || service.hasInk(for: connection.id))
    guard interest != connection.interest else { return [] }
    connection.interest = interest
    do throws(Errno) {
      try poll.change(connection.socket.number, key: connection.id, interest)
    } catch { return drop(connection, nil, now) }
    return []
  }

  // MARK: - Actions

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
          requests += drop(connection, ControlServer.unreadReply, now)
        }
      case .deliver(let id, let reply, let awaiting):
        guard let connection = connections[id] else { continue }
        if nextReadCheck <= now { nextReadCheck = now + ControlServer.readInterval }
        connection.queue(reply, awaiting: awaiting, at: now)
        requests += send(connection, now)
      case .sendInk(let id):
        guard let connection = connections[id] else { continue }
        requests += sendInk(connection, now)
      case .close(let id, let reason):
        guard let connection = connections[id] else { continue }
        if let reason { complain(reason, of: connection, now) }
        connection.isClosing = true
      }
    }
    return requests
  }

  /// Sends the next ink to a client that has been sent all before: ink waits in the service, not in the output.
  private func sendInk(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    guard connection.isFlushed, let bytes = service.nextInk(for: connection.id, at: now),
      connection.queue(bytes, at: now)
    else { return [] }
    return send(connection, now)
  }

  /// Sends what the kernel takes, and closes connections if all exceed the memory limit.
  private func send(_ connection: Connection, _ now: Int64) -> [ControlRequest] {
    if !connection.flush(at: now) { return drop(connection, nil, now) }
    var requests: [ControlRequest] = []
    while let other = connections.excess {
      requests += drop(other, ControlServer.unreadReply, now)
    }
    // The next call may have waited for this reply.
    if !connection.isAnswering && connections[connection.id] != nil {
      requests += settle(connection, now)
    }
    return requests
  }

  private func drop(
    _ connection: Connection, _ reason: String?, _ now: Int64
  ) -> [ControlRequest] {
    guard connections[connection.id] != nil else { return [] }
    let requests = collectRead(connection, now)
    guard connections.remove(connection) else { return requests }
    if let reason { complain(reason, of: connection, now) }
    listener.resume(in: poll)
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
