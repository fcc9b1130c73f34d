internal import CLibmicrohttpd
internal import CLinux
internal import Linux
internal import Web

/// A libmicrohttpd daemon for one kind of clients. Its owner accepts connections, polls `number`, and calls `run`.
///
/// Uses libmicrohttpd, because libwebsockets 4.1.6 (Debian 12) does not notice a client that
/// disconnects while it waits for a response: it polls the socket without a pause and reads
/// nothing, with one processor at 100 % (strace). libmicrohttpd 0.9.75 does not notice it either,
/// because it does not poll a suspended connection. But other code can poll the socket:
/// `HangUpWatch` reports EPOLLRDHUP at once, and the resumed connection is closed.
@safe final class HTTPDaemon {
  /// The memory of a connection for headers and buffers, in bytes.
  private static let memory = 16 << 10
  /// The connections of a daemon.
  private static let connectionLimit: UInt32 = 192
  /// The connections of one address beyond this machine, which the browsers behind a router share.
  /// One peer must not take all connections.
  private static let addressLimit: UInt32 = 160
  /// How long a connection may be without traffic, in seconds. Suspended connections have no limit.
  private static let idleLimit: UInt32 = 30
  /// How long a client may take to send a request, and a page after its headers, in nanoseconds.
  private static let requestLimit: Int64 = 60_000_000_000
  /// How long a client may take to receive a response, unless it is the live stream, in nanoseconds.
  private static let responseLimit: Int64 = 300_000_000_000

  /// A connection that has not sent its next request or its page, or not received its response, yet.
  private struct Slow {
    let socket: Int32
    let deadline: Int64
  }

  let channel: WebRequest.Channel
  let server: HTTPServer
  private var daemon: OpaquePointer?
  /// The certificate and the key, which libmicrohttpd may read again.
  private let tls: TLSPair?
  private var slow: [Slow] = []
  /// A connection was resumed since `run`: libmicrohttpd's descriptor does not report that at once.
  var mustRun = false
  /// The open connections.
  private(set) var connections = 0

  /// Nil: libmicrohttpd refuses to start, for example with an invalid certificate.
  init?(_ channel: WebRequest.Channel, _ tls: TLSPair? = nil, server: HTTPServer) {
    self.channel = channel
    self.server = server
    self.tls = tls
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe daemon = unsafe HTTPDaemon.start(channel, tls, this)
    if unsafe daemon == nil { return nil }
  }

  /// Whether libmicrohttpd can serve with this certificate and key.
  static func accepts(_ tls: TLSPair) -> Bool {
    guard let daemon = unsafe start(.network, tls, nil) else { return false }
    unsafe MHD_stop_daemon(daemon)
    return true
  }

  private static func start(
    _ channel: WebRequest.Channel, _ tls: TLSPair?, _ this: UnsafeMutableRawPointer?
  ) -> OpaquePointer? {
    // Clients on this machine have the same address, or none.
    let addressLimit = channel == .network ? addressLimit : 0
    func start(_ certificate: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?) -> OpaquePointer?
    {
      unsafe CLibmicrohttpd_start(
        receive, complete, notify, this, memory, connectionLimit, addressLimit, idleLimit,
        certificate, key)
    }
    guard let tls else { return unsafe start(nil, nil) }
    return unsafe tls.certificate.withUnsafeBufferPointer { certificate in
      unsafe tls.key.withUnsafeBufferPointer { key in
        unsafe start(certificate.baseAddress, key.baseAddress)
      }
    }
  }

  deinit { if let daemon = unsafe daemon { unsafe MHD_stop_daemon(daemon) } }

  /// For poll(2).
  var number: Int32 { unsafe CLibmicrohttpd_epoll(daemon) }

  /// When `run` must be called, in milliseconds from now; −1: never.
  var timeout: Int32 { unsafe CLibmicrohttpd_timeout(daemon) }

  /// When `time(_:)` must be called; nil: never.
  var deadline: Int64? { slow.map { $0.deadline }.min() }

  /// Closes connections whose request or response is overdue: each byte would begin libmicrohttpd's own limit anew.
  func time(_ now: Int64) {
    for connection in slow where connection.deadline <= now {
      shutdown(connection.socket, Int32(SHUT_RDWR))
    }
    slow.removeAll { $0.deadline <= now }
  }

  /// Reads, calls the server, and writes.
  func run() {
    mustRun = false
    unsafe MHD_run(daemon)
  }

  /// Takes over a connected socket; closes it if there are too many.
  func add(_ socket: consuming FileDescriptor) {
    _ = unsafe CLibmicrohttpd_add(daemon, socket.release())
  }

  /// Begins the time anew in which a client must send its request, or its page.
  private func awaitRequest(_ socket: Int32) { limit(socket, HTTPDaemon.requestLimit) }

  /// Begins the time in which a client must receive its response.
  func awaitReceipt(_ socket: Int32) { limit(socket, HTTPDaemon.responseLimit) }

  private func limit(_ socket: Int32, _ time: Int64) {
    slow.removeAll { $0.socket == socket }
    slow.append(Slow(socket: socket, deadline: MonotonicClock.now + time))
  }

  // MARK: - Callbacks of libmicrohttpd, on the thread that calls `run`

  private static func this(_ context: UnsafeMutableRawPointer?) -> HTTPDaemon? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
  }

  private static func exchange(_ pointer: UnsafeMutableRawPointer?) -> Exchange? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static let notify: MHD_NotifyConnectionCallback = { context, connection, _, code in
    guard let this = unsafe this(context), let connection = unsafe connection else { return }
    let socket = unsafe CLibmicrohttpd_socket(connection)
    if CLibmicrohttpd_isStart(code) != 0 {
      this.connections += 1
      this.awaitRequest(socket)
    } else {
      this.connections -= 1
      this.slow.removeAll { $0.socket == socket }
      this.server.forget(socket: socket)
    }
  }

  /// Is called with the headers first, then for each part of the body, then until there is an answer.
  private static let receive: MHD_AccessHandlerCallback = {
    context, connection, path, method, _, bytes, count, state in
    guard let this = unsafe this(context), let connection = unsafe connection,
      let state = unsafe state,
      let count = unsafe count
    else { return CLibmicrohttpd_no() }
    guard let exchange = unsafe exchange(state.pointee) else {
      guard let path = unsafe path, let method = unsafe method else { return CLibmicrohttpd_no() }
      let request = WebRequest(
        unsafe String(cString: method), unsafe String(cString: path),
        query: unsafe Fields(of: connection, areHeaders: false).fields,
        headers: unsafe Fields(of: connection, areHeaders: true).fields, channel: this.channel)
      let exchange = unsafe this.server.begin(request, connection, this)
      unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
      if exchange.isUpload {
        // Restarts the time limit: a connection that is kept alive has used a part of it for its
        // headers.
        this.awaitRequest(exchange.socket)
        return CLibmicrohttpd_yes()
      }
      if case .none = exchange.answer { return CLibmicrohttpd_yes() }
      // Refused before its body is received.
      return this.server.answer(exchange)
    }
    if let bytes = unsafe bytes, unsafe count.pointee > 0 {
      let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
      if exchange.isUpload {
        if case .close = exchange.answer { return CLibmicrohttpd_no() }
        unsafe count.pointee -= this.server.take(buffer, exchange)
        return CLibmicrohttpd_yes()
      }
      // Keeps one byte more than the limit, which is enough to refuse the body.
      let room = WebLimits.body + 1 - exchange.request.body.count
      unsafe exchange.request.body.append(contentsOf: buffer.prefix(room))
      unsafe count.pointee = 0
      return CLibmicrohttpd_yes()
    }
    this.slow.removeAll { $0.socket == exchange.socket }
    return this.server.answer(exchange)
  }

  private static let complete: MHD_RequestCompletedCallback = { context, _, state, code in
    guard let this = unsafe this(context), let state = unsafe state,
      let exchange = unsafe exchange(state.pointee)
    else { return }
    this.awaitRequest(exchange.socket)
    this.server.complete(exchange, isWhole: CLibmicrohttpd_isWhole(code) != 0)
    if let pointer = unsafe state.pointee {
      unsafe Unmanaged<Exchange>.fromOpaque(pointer).release()
    }
    unsafe state.pointee = nil
  }
}

/// Collects headers or arguments of a request.
private final class Fields {
  private(set) var fields: [WebRequest.Field] = []
  private let areHeaders: Bool

  init(of connection: OpaquePointer, areHeaders: Bool) {
    self.areHeaders = areHeaders
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    if areHeaders {
      unsafe CLibmicrohttpd_headers(connection, Fields.add, this)
    } else {
      unsafe CLibmicrohttpd_arguments(connection, Fields.add, this)
    }
  }

  private static let add: MHD_KeyValueIterator = { context, _, name, value in
    guard let context = unsafe context, let name = unsafe name else { return CLibmicrohttpd_yes() }
    let this = unsafe Unmanaged<Fields>.fromOpaque(context).takeUnretainedValue()
    let text = unsafe String(cString: name)
    this.fields.append(
      WebRequest.Field(
        name: this.areHeaders ? text.asciiLowercase : text,
        value: unsafe value.map { unsafe String(cString: $0) } ?? ""))
    return CLibmicrohttpd_yes()
  }
}
