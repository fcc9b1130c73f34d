internal import CLinux
internal import Configuration
internal import JSON
internal import Linux
internal import Web

/// paraph-web: polls its sockets, and performs what `WebService` decides.
final class WebDaemon {
  /// Descriptors in `poll`. Listeners count from 0, calls from `firstCall`.
  private enum Key {
    static let signals = 1000, hangUps = 1001, daemons = 1002, firstCall = 10_000
  }

  /// The connections that a turn accepts.
  private static let acceptLimit = 16
  /// How long nothing is accepted after a failure, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  private let poll: EventPoll
  private let sockets: ListeningSockets
  private let pages: PageFolder
  private let metrics: String?
  private let calls: PadCalls
  private var service: WebService
  private var server: HTTPServer?
  /// Includes daemons that still serve connections with a previous certificate.
  private var daemons: [HTTPDaemon] = []
  private var tls: TLSStore?
  /// The end of a pause of the listeners.
  private var pauseEnd: Int64?
  private var idle = IdleLimit()
  /// The last logged reason why the certificate cannot be read. Each connection tries again.
  private var tlsFailure: String?
  /// Events of calls that failed at once.
  private var failures: [PadCalls.Event] = []

  init(_ configuration: WebConfiguration, _ sockets: ListeningSockets) throws(Errno) {
    let ports = sockets.localPorts
    self.sockets = sockets
    poll = try EventPoll()
    pages = PageFolder(configuration.pages)
    metrics = configuration.metrics
    calls = PadCalls(configuration.pad)
    tls = configuration.tls.map { TLSStore($0) }
    // Milliseconds: the numbers of a later start are higher, unless there were a thousand events a second.
    service = WebService(
      configuration, ports: ports, version: DaemonArguments.version,
      firstEvent: max(1, WallClock.now / 1_000_000))
  }

  /// Serves until SIGTERM or SIGINT, or for a while unused. Returns the exit status.
  func run(signals: borrowing SignalDescriptor) throws(Errno) -> Int32 {
    let server = try HTTPServer(self)
    self.server = server
    try poll.add(signals.number, key: Key.signals)
    try poll.add(server.number, key: Key.hangUps)
    for key in 0..<sockets.count {
      let listener = sockets[key]
      guard prepareDaemon(for: listener.channel) else { return EX_CONFIG }
      try poll.add(listener.number, key: key)
    }
    var waiting = Poll()
    waiting.add(poll.number)
    while true {
      try waiting.wait(milliseconds: timeout(at: MonotonicClock.now))
      if try turn(signals) || isUnused(at: MonotonicClock.now) { return EX_OK }
    }
  }

  // MARK: - Turns

  /// Serves what is ready. Returns whether a signal ends the program.
  private func turn(_ signals: borrowing SignalDescriptor) throws(Errno) -> Bool {
    for event in try poll.ready() {
      switch event.key {
      case Key.signals: if signals.next() != nil { return true }
      case Key.hangUps: server?.endDisconnected()
      case Key.daemons: break
      case Key.firstCall...:
        let number = event.key - Key.firstCall
        for event in calls.ready(number, in: poll, key: event.key) { handle(event) }
      default: accept(from: sockets[event.key])
      }
    }
    let now = MonotonicClock.now
    if let due = service.deadline, due <= now { perform(service.time(now)) }
    if let end = pauseEnd, end <= now { setListening(true) }
    // Before the daemons read, in each turn: reading a socket clears the error of a lost response.
    server?.time(now)
    for daemon in daemons { daemon.time(now) }
    repeat {
      for daemon in daemons { daemon.run() }
      while !failures.isEmpty { handle(failures.removeFirst()) }
    } while daemons.contains { $0.mustRun }
    retire()
    return false
  }

  /// How long nothing is due, in milliseconds; −1: until something is ready.
  private func timeout(at now: Int64) -> Int32 {
    var deadlines = [service.deadline, server?.deadline, pauseEnd, idle.deadline].compactMap { $0 }
    deadlines += daemons.compactMap { $0.deadline }
    let timers = deadlines.map { Int32(clamping: max(0, ($0 - now + 999_999) / 1_000_000)) }
    return (timers + daemons.map { $0.timeout }.filter { $0 >= 0 }).min() ?? -1
  }

  /// Whether systemd may end the program, and start it again for the next connection.
  private func isUnused(at now: Int64) -> Bool {
    let isUnused =
      sockets.isActivated && service.isIdle && server?.isIdle != false
      && daemons.allSatisfy { $0.connections == 0 }
    return idle.isOver(isUnused: isUnused, at: now)
  }

  // MARK: - Connections

  private func accept(from listener: ListeningSockets.Listener) {
    for _ in 0..<WebDaemon.acceptLimit {
      do throws(Errno) {
        guard let socket = try listener.accept() else { return }
        if listener.channel == .network { _ = prepareDaemon(for: .network) }
        daemons.last { $0.channel == listener.channel }?.add(socket)
      } catch {
        StandardError.log(.warning, "kernel: accept failed: \(error.text); retrying in a second")
        return setListening(false)
      }
    }
  }

  /// Without a free descriptor, a listener would be ready forever.
  private func setListening(_ isListening: Bool) {
    pauseEnd = isListening ? nil : MonotonicClock.now + WebDaemon.pause
    for key in 0..<sockets.count {
      try? poll.change(sockets[key].number, key: key, .init(input: isListening, output: false))
    }
  }

  /// Starts a daemon for clients of this kind, or another one if its certificate has changed. Returns false and logs
  /// if there is none.
  private func prepareDaemon(for channel: WebRequest.Channel) -> Bool {
    let current = daemons.last { $0.channel == channel }
    guard let server else { return false }
    if channel != .network {
      return current != nil || add(HTTPDaemon(channel, server: server))
    }
    guard var store = tls else {
      StandardError.log(
        .error,
        "config: [web] certificate and key are missing: a socket of systemd is beyond this machine"
      )
      return false
    }
    defer { tls = store }
    do throws(SystemError) {
      guard let pair = try store.changed() else { return current != nil }
      tlsFailure = nil
      if add(HTTPDaemon(channel, pair, server: server)) {
        if current != nil { StandardError.log(.notice, "config: the certificate was reloaded") }
        return true
      }
      StandardError.log(.error, "config: \(TLSStore.mismatch)")
    } catch {
      if error.text == tlsFailure { return current != nil }
      tlsFailure = error.text
      StandardError.log(.error, "config: \(TLSStore.text(of: error))")
    }
    if current != nil {
      StandardError.log(.warning, "config: the former certificate stays in use")
    }
    return current != nil
  }

  private func add(_ daemon: HTTPDaemon?) -> Bool {
    guard let daemon else { return false }
    do throws(Errno) {
      try poll.add(daemon.number, key: Key.daemons)
    } catch { return false }
    daemons.append(daemon)
    return true
  }

  /// Ends the daemons of former certificates that have no connections any more.
  private func retire() {
    guard daemons.contains(where: { $0.channel == .network }) else { return }
    let last = daemons.last { $0.channel == .network }
    daemons.removeAll { $0.channel == .network && $0 !== last && $0.connections == 0 }
  }

  // MARK: - The service

  /// Decides about the body of a request whose headers were received.
  func reception(of request: WebRequest, length: Int) -> BodyReception {
    service.reception(of: request, length: length)
  }

  /// A client begins to upload a page.
  func upload(_ request: WebRequest, from client: Int) {
    perform(service.upload(request, from: client, at: MonotonicClock.now))
  }

  /// A part of a page has come.
  func part(_ bytes: [UInt8], isLast: Bool, from client: Int) {
    perform(service.part(bytes, isLast: isLast, from: client, at: MonotonicClock.now))
  }

  /// A request is complete.
  func receive(_ request: WebRequest, from client: Int) {
    perform(service.request(request, from: client, at: MonotonicClock.now))
  }

  /// A client is gone before its response was complete.
  func disconnected(_ client: Int) {
    perform(service.disconnected(client, at: MonotonicClock.now))
  }

  /// Whether a client's response is kept until the client has received it.
  func isKept(for client: Int) -> Bool { service.isKept(for: client) }

  /// A client has received its response, or nobody keeps it.
  func delivered(to client: Int) {
    perform(service.delivered(to: client, at: MonotonicClock.now))
  }

  /// Reads the live stream for a client.
  func read(_ client: Int) -> StreamRead { service.read(client) }

  private func handle(_ event: PadCalls.Event) {
    let now = MonotonicClock.now
    switch event {
    case .reply(let number, let value, let continues):
      perform(service.replied(number, value, continues: continues, at: now))
    case .error(let number, let name, let details):
      perform(service.refused(number, name, details, at: now))
    case .failed(let number, let reason, let wasConnected):
      perform(service.failed(number, reason, wasConnected: wasConnected, at: now))
    case .invalid(let number, let reason):
      perform(service.misread(number, reason, at: now))
    }
  }

  private func perform(_ actions: [WebAction]) {
    for action in actions {
      switch action {
      case .respond(let client, let response): server?.respond(client, response)
      case .page(let client, let name, let origin):
        server?.respond(client, WebPage.response(name, pages.content(of: name), for: origin))
      case .metrics(let client, let format, let origin):
        let text = metrics.flatMap { Folder.content(of: $0, limit: WebMetrics.sizeLimit) }
        server?.respond(client, WebMetrics.response(text, as: format, for: origin))
      case .stream(let client, let headers): server?.stream(client, headers)
      case .wake(let client): server?.wake(client)
      case .proceed(let client): server?.proceed(client)
      case .hangUp(let number): calls.hangUp(number)
      case .log(let line): StandardError.log(.warning, line)
      case .call(let number, let method, let parameters, let more):
        let key = Key.firstCall + number
        if let failure = calls.call(number, method, parameters, more: more, in: poll, key: key) {
          failures.append(failure)
        } else {
          service.connected(number, at: MonotonicClock.now)
        }
      }
    }
  }
}
