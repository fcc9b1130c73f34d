internal import CLibmosquitto
internal import CLinux
internal import Configuration
internal import Linux

/// One connection to a broker. Nothing happens outside of `work`, which its owner calls.
@safe struct MQTTClient: ~Copyable {
  /// The state of a connection.
  enum State: Equatable {
    /// The broker has not accepted the client yet.
    case opening
    /// Messages can be published.
    case open
    /// The connection ended, with the reason.
    case closed(Failure)
  }

  /// Why an operation failed.
  struct Failure: Error, Equatable {
    let text: String
    var kind = FailureKind.network
    /// Whether the message is the cause.
    var isPermanent = false
  }

  /// The time without a packet after which one is sent, in seconds.
  ///
  /// A proxy may end a connection that is idle for 50 s, and several such ends would look like
  /// another client with the same id.
  static let keepAlive: Int32 = 30

  private let client: OpaquePointer
  private let context: MQTTContext
  private let usesTLS: Bool

  private static let library = mosquitto_lib_init()

  /// Initialises libmosquitto once. Call it before threads use it.
  static func prepareLibrary() { _ = library }

  /// Begins to connect. Blocks only for the resolver.
  ///
  /// `onlyIPv4`: libmosquitto tries one address only, and IPv6 is the first.
  static func connect(
    _ configuration: MQTTSinkConfiguration, id: String, will: MQTTContext.Will?, username: String?,
    password: String?, onlyIPv4: Bool
  ) throws(Failure) -> MQTTClient {
    let client = try MQTTClient(
      id: id, MQTTContext(configuration.version, will: will), usesTLS: configuration.usesTLS)
    try client.set(configuration, username, password)
    try client.check(
      unsafe mosquitto_connect_bind_async(
        client.client, configuration.host, Int32(configuration.port), keepAlive,
        onlyIPv4 ? "0.0.0.0" : nil))
    return client
  }

  private init(id: String, _ context: MQTTContext, usesTLS: Bool) throws(Failure) {
    let object = unsafe Unmanaged.passUnretained(context).toOpaque()
    guard let client = unsafe mosquitto_new(id, true, object) else {
      throw Failure(text: "the client id is not valid", kind: .other)
    }
    unsafe self.client = unsafe client
    self.context = context
    self.usesTLS = usesTLS
    unsafe mosquitto_connect_callback_set(client, MQTTContext.connected)
    unsafe mosquitto_disconnect_callback_set(client, MQTTContext.disconnected)
    unsafe mosquitto_publish_v5_callback_set(client, MQTTContext.published)
    unsafe mosquitto_log_callback_set(client, MQTTContext.logged)
  }

  private borrowing func set(
    _ configuration: MQTTSinkConfiguration, _ username: String?, _ password: String?
  ) throws(Failure) {
    switch configuration.version {
    case .three:
      try check(unsafe mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311))
    case .five:
      try check(unsafe mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5))
      setLimits()
    }
    if let username {
      try check(unsafe mosquitto_username_pw_set(client, username, password))
    }
    if configuration.usesTLS {
      let tls = configuration.tls
      // Trusts the system's authorities, or only those of ca-file. The bundle is added to the
      // folder, in which some of its certificates may have no hash.
      let bundle = "/etc/ssl/certs/ca-certificates.crt"
      let file = tls.authority ?? ((try? FileStatus(of: bundle)) == nil ? nil : bundle)
      let folder = tls.authority == nil ? "/etc/ssl/certs" : nil
      let code = unsafe mosquitto_tls_set(client, file, folder, tls.certificate, tls.key, nil)
      if code == Int32(MOSQ_ERR_INVAL.rawValue) {
        throw Failure(text: "ca-file, client-certificate or client-key cannot be read", kind: .tls)
      }
      try check(code)
    }
    if let will = context.will {
      let text = will.text ?? Array("offline".utf8)
      try check(unsafe mosquitto_will_set(client, will.topic, Int32(text.count), text, 1, true))
    }
  }

  /// Limits what the broker may send. `mosquitto_connect_async` has no parameter for properties; this call stores
  /// them for later connections before it rejects the missing host.
  private borrowing func setLimits() {
    var properties: OpaquePointer?
    unsafe mosquitto_property_add_int32(
      &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.packetLimit)
    unsafe mosquitto_property_add_int16(&properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), 1)
    unsafe mosquitto_connect_bind_v5(client, nil, 0, Self.keepAlive, nil, properties)
    unsafe mosquitto_property_free_all(&properties)
  }

  private static let packetLimit: UInt32 = 16384

  deinit {
    // After a DISCONNECT, the broker would not publish the last will.
    if context.will == nil { unsafe mosquitto_disconnect(client) }
    unsafe mosquitto_destroy(client)
  }

  /// The state of the connection.
  var state: State { context.state }

  /// How the accepted connection ended; nil: the broker did not accept it.
  var loss: ReconnectSchedule.Loss? {
    context.wasOpen ? context.loss : nil
  }

  /// Whether the broker ended the connection without a reason instead of acknowledging a message of an item.
  var isRefused: Bool { context.isRefused }

  /// Whether the broker ended the connection without a reason instead of acknowledging a status.
  var isStatusRefused: Bool { context.isStatusRefused }

  /// Whether the broker has acknowledged or rejected all statuses.
  var hasAnsweredStatus: Bool { context.hasAnsweredStatus }

  /// Whether the socket was connected.
  var isReached: Bool { context.isReached }

  /// For poll(2); −1 without a socket.
  var number: Int32 { unsafe mosquitto_socket(client) }

  /// Whether data waits to be sent. During a TLS handshake libmosquitto always returns true, although its few
  /// bytes never fill the socket's buffer.
  var wantsToSend: Bool {
    if context.state == .opening && context.isReached { return false }
    return unsafe mosquitto_want_write(client)
  }

  /// Waits for the broker or `cancellation`, at most `milliseconds`, and processes what is ready.
  borrowing func work(milliseconds: Int32, cancellation: Int32 = -1) {
    if case .closed = context.state { return }
    var poll = Poll()
    poll.add(number, output: wantsToSend)
    poll.add(cancellation)
    guard (try? poll.wait(milliseconds: milliseconds)) != nil else { return }
    let isReadable = poll.isReadable(0) || poll.isGone(0)
    if context.state == .opening {
      if isReadable || poll.isWritable(0) { open(isReadable: isReadable) }
    } else {
      if isReadable { read() }
      if poll.isWritable(0) { process(unsafe mosquitto_loop_write(client, 1)) }
    }
    if case .closed = context.state { return }
    process(unsafe mosquitto_loop_misc(client))
  }

  /// Reads from an accepted connection.
  private borrowing func read() {
    let code = unsafe mosquitto_loop_read(client, 1)
    let error = Errno.current
    if code == Int32(MOSQ_ERR_SUCCESS.rawValue) { return }
    // The end of the connection, which OpenSSL reports as EPROTO.
    let isEnd =
      switch mosq_err_t(rawValue: numericCast(code)) {
      case MOSQ_ERR_CONN_LOST: error.rawValue != ECONNRESET
      case MOSQ_ERR_ERRNO, MOSQ_ERR_TLS:
        usesTLS && error.rawValue == EPROTO
          && (context.problem.isEmpty || TLSError.isEnd(context.problem))
      default: false
      }
    context.close(failure(code, error), isEnd ? .lost : .local)
  }

  private borrowing func open(isReadable: Bool) {
    if !context.isReached {
      let error = CLinux_socketError(number)
      if error != 0 { return context.close(Failure(text: Errno(error).text)) }
      // OpenSSL has read the error.
      if !CLinux_isConnected(number) {
        return context.close(Failure(text: "connection refused or unreachable"))
      }
      context.isReached = true
    }
    // libmosquitto with OpenSSL 1.1 treats the end of the connection as a handshake in progress.
    if isReadable && CLinux_isAtEnd(number) {
      return context.close(
        Failure(text: "the broker closed the connection before it accepted the client"))
    }
    // Reading continues a TLS handshake.
    process(unsafe mosquitto_loop_read(client, 1))
    if case .closed = context.state { return }
    process(unsafe mosquitto_loop_write(client, 1))
  }

  /// Publishes with QoS 1.
  borrowing func publish(_ bytes: [UInt8], to topic: String) throws(Failure) {
    var number: Int32 = 0
    context.answer = nil
    context.awaited = 0
    let code = unsafe mosquitto_publish(
      client, &number, topic, Int32(bytes.count), bytes, 1, false)
    context.awaited = number
    try check(code)
    context.await(number)
  }

  /// Publishes a status with QoS 1, without waiting for its acknowledgement. The next status replaces one that is lost.
  borrowing func report(_ bytes: [UInt8], to topic: String, retained: Bool) {
    var number: Int32 = 0
    let code = unsafe mosquitto_publish(
      client, &number, topic, Int32(bytes.count), bytes, 1, retained)
    if code == Int32(MOSQ_ERR_SUCCESS.rawValue) { context.await(number, isStatus: true) }
  }

  /// The reason code of a rejected status, once for each rejection; nil: none.
  borrowing func takeRejection() -> Int32? {
    defer { context.rejectedStatus = nil }
    return context.rejectedStatus
  }

  /// The broker's reason code for the last message; nil before it arrived.
  var answer: Int32? { context.answer }

  private borrowing func process(_ code: Int32) {
    let error = Errno.current
    if code != Int32(MOSQ_ERR_SUCCESS.rawValue) { context.close(failure(code, error)) }
  }

  private borrowing func check(_ code: Int32) throws(Failure) {
    let error = Errno.current
    switch mosq_err_t(rawValue: numericCast(code)) {
    case MOSQ_ERR_SUCCESS: return
    case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE:
      throw Failure(
        text: "the message is larger than the broker accepts", kind: .other, isPermanent: true)
    default: throw failure(code, error)
    }
  }

  private borrowing func failure(_ code: Int32, _ error: Errno) -> Failure {
    if context.problem.isEmpty { return Failure(text: text(code, error)) }
    return Failure(
      text: TLSError.text(context.problem),
      kind: usesTLS && !TLSError.isEnd(context.problem) ? .tls : .network)
  }

  private func text(_ code: Int32, _ error: Errno) -> String {
    switch mosq_err_t(rawValue: numericCast(code)) {
    case MOSQ_ERR_ERRNO: return error.text
    case MOSQ_ERR_EAI: return "the host's name cannot be resolved"
    case MOSQ_ERR_CONN_LOST: return "the connection was lost"
    default: return unsafe String(cString: mosquitto_strerror(code))
    }
  }
}
