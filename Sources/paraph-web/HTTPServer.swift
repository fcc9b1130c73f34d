internal import CLibmicrohttpd
internal import Linux
internal import Web

/// The requests that the daemons have received, and their responses. Belongs to the main thread.
@safe final class HTTPServer {
  /// The size of the buffer of a live stream, in bytes.
  private static let streamBuffer = 4 << 10

  /// Performs what the service decides. Both live until the program ends.
  let owner: WebDaemon
  private var exchanges: [Int: Exchange] = [:]
  private var lastClient = 0
  private let hangUps: HangUpWatch
  private let sent = SentResponses()

  init(_ owner: WebDaemon) throws(Errno) {
    self.owner = owner
    hangUps = try HangUpWatch()
  }

  /// For poll(2): readable when a client that waits has disconnected.
  var number: Int32 { hangUps.number }

  /// Whether no request is open, and no response on its way.
  var isIdle: Bool { exchanges.isEmpty && sent.isEmpty }

  /// When `time(_:)` must be called; nil: never.
  var deadline: Int64? { sent.deadline }

  // MARK: - Inputs

  /// Ends the requests of clients that have disconnected.
  func endDisconnected() {
    for client in hangUps.gone() {
      guard let exchange = exchanges[client] else { continue }
      leave(exchange)
      exchange.answer = .close
      exchange.resume()
    }
  }

  /// Tells the service which responses have been received or lost.
  func time(_ now: Int64) {
    for outcome in sent.check(at: now) {
      switch outcome {
      case .received(let client): owner.delivered(to: client)
      case .lost(let client): owner.disconnected(client)
      }
    }
  }

  /// The headers of a request were received.
  func begin(
    _ request: WebRequest, _ connection: OpaquePointer, _ daemon: HTTPDaemon
  ) -> Exchange {
    // After 2³¹ requests, on 32 bits, the first numbers are free again.
    lastClient = lastClient == .max ? 1 : lastClient + 1
    let exchange = unsafe Exchange(lastClient, connection, daemon, request)
    exchanges[lastClient] = exchange
    let length = request.headers.first { $0.name == "content-length" }
      .flatMap { Int($0.value) }
    switch owner.reception(of: request, length: length ?? 0) {
    case .whole: break
    case .parts:
      (exchange.isUpload, exchange.isAsked) = (true, true)
      owner.upload(request, from: lastClient)
    case .refused(let response): exchange.answer = .whole(response)
    }
    return exchange
  }

  /// Takes a part of a body, as far as there is room for it, and returns its size. Suspends the connection while the
  /// service has a part.
  ///
  /// The rest of a body whose response is known is discarded: a client reads nothing before it has sent all.
  func take(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> Int {
    guard case .none = exchange.answer else { return bytes.count }
    if exchange.isPartTaken {
      hold(exchange)
      return 0
    }
    let count = min(bytes.count, WebLimits.part - exchange.request.body.count)
    unsafe exchange.request.body.append(contentsOf: bytes.prefix(count))
    if exchange.request.body.count < WebLimits.part { return count }
    pass(exchange)
    guard case .none = exchange.answer else { return bytes.count }
    if count < bytes.count { hold(exchange) }
    return count
  }

  /// Passes a part of a body to the service.
  private func pass(_ exchange: Exchange, isLast: Bool = false) {
    let part = exchange.request.body
    exchange.request.body = []
    exchange.isPartTaken = true
    owner.part(part, isLast: isLast, from: exchange.client)
  }

  /// The service is done with a part.
  func proceed(_ client: Int) {
    exchanges[client]?.isPartTaken = false
    exchanges[client]?.resume()
  }

  /// Queues the answer of a complete request, or suspends it until there is one.
  func answer(_ exchange: Exchange) -> MHD_Result {
    if case .none = exchange.answer, !exchange.isAsked {
      exchange.isAsked = true
      // The client may ask because it has received the last response.
      if !sent.isEmpty { time(MonotonicClock.now) }
      owner.receive(exchange.request, from: exchange.client)
      exchange.request.body = []
    }
    if case .none = exchange.answer, exchange.isUpload, !exchange.isPartTaken {
      pass(exchange, isLast: true)
    }
    switch exchange.answer {
    case .none:
      hold(exchange)
      return CLibmicrohttpd_yes()
    case .close: return CLibmicrohttpd_no()
    case .whole(let response):
      exchange.daemon.awaitReceipt(exchange.socket)
      return queue(response, exchange)
    case .stream(let headers):
      hangUps.add(exchange.socket, exchange.client)
      return queue(streamWith: headers, exchange)
    }
  }

  /// libmicrohttpd has finished with a request.
  func complete(_ exchange: Exchange, isWhole: Bool) {
    hangUps.remove(exchange.socket)
    exchanges[exchange.client] = nil
    if exchange.isGone || !exchange.isAsked { return }
    guard isWhole else { return leave(exchange) }
    guard owner.isKept(for: exchange.client) else { return owner.delivered(to: exchange.client) }
    let now = MonotonicClock.now
    for client in sent.keep({ owner.isKept(for: $0) }) { owner.disconnected(client) }
    do throws(Errno) {
      try sent.add(exchange.client, exchange.socket, at: now)
    } catch { return leave(exchange) }
    time(now)
  }

  /// A socket is about to be closed.
  func forget(socket: Int32) { hangUps.remove(socket) }

  private func leave(_ exchange: Exchange) {
    guard !exchange.isGone else { return }
    exchange.isGone = true
    owner.disconnected(exchange.client)
  }

  // MARK: - Answers of the service

  /// Responds to a client.
  func respond(_ client: Int, _ response: WebResponse) { answer(client, .whole(response)) }

  /// Begins the live stream for a client.
  func stream(_ client: Int, _ headers: [WebRequest.Field]) { answer(client, .stream(headers)) }

  /// There is more of the stream for a client that waits for it.
  func wake(_ client: Int) { exchanges[client]?.resume() }

  private func answer(_ client: Int, _ answer: Exchange.Answer) {
    guard let exchange = exchanges[client] else { return }
    exchange.answer = answer
    exchange.resume()
  }

  /// Suspends a connection until the service has decided.
  private func hold(_ exchange: Exchange) {
    hangUps.add(exchange.socket, exchange.client)
    exchange.suspend()
  }

  private func queue(_ response: WebResponse, _ exchange: Exchange) -> MHD_Result {
    let body = response.body
    let made = unsafe body.withUnsafeBytes { bytes in
      unsafe CLibmicrohttpd_response(bytes.baseAddress, bytes.count)
    }
    return unsafe queue(made, response.status, response.headers, exchange)
  }

  private func queue(
    streamWith headers: [WebRequest.Field], _ exchange: Exchange
  ) -> MHD_Result {
    // The response holds a reference, too: libmicrohttpd may free it after the request.
    let this = unsafe Unmanaged.passRetained(exchange).toOpaque()
    let made = unsafe MHD_create_response_from_callback(
      CLibmicrohttpd_sizeUnknown(), HTTPServer.streamBuffer, HTTPServer.read, this,
      HTTPServer.release)
    return unsafe queue(made, 200, headers, exchange)
  }

  private func queue(
    _ made: OpaquePointer?, _ status: Int, _ headers: [WebRequest.Field], _ exchange: Exchange
  ) -> MHD_Result {
    guard let made = unsafe made else { return CLibmicrohttpd_no() }
    for header in headers { unsafe MHD_add_response_header(made, header.name, header.value) }
    let result = unsafe MHD_queue_response(exchange.connection, UInt32(status), made)
    unsafe MHD_destroy_response(made)
    return result
  }

  /// Reads the live stream. Suspends the connection if there is nothing: libmicrohttpd would ask again at once.
  private static let read: MHD_ContentReaderCallback = { context, _, buffer, room in
    guard let context = unsafe context, let buffer = unsafe buffer else {
      return CLibmicrohttpd_endWithError()
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    if exchange.isGone { return CLibmicrohttpd_endWithError() }
    if exchange.pending.isEmpty {
      switch exchange.daemon.server.owner.read(exchange.client) {
      case .bytes(let bytes): exchange.pending = bytes[...]
      case .end: return CLibmicrohttpd_endWithError()
      case .wait:
        exchange.suspend()
        return 0
      }
    }
    let count = min(room, exchange.pending.count)
    unsafe exchange.pending.withUnsafeBytes { bytes in
      let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
      unsafe target.copyBytes(from: bytes.prefix(count))
    }
    exchange.pending = exchange.pending.dropFirst(count)
    return count
  }

  private static let release: MHD_ContentReaderFreeCallback = { context in
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Exchange>.fromOpaque(context).release()
  }
}
