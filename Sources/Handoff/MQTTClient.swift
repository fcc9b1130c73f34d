internal import CLibmosquitto
internal import Configuration
internal import Linux

/// A connection to a broker, kept alive by libmosquitto's own thread.
@safe struct MQTTClient: ~Copyable {
  /// What the broker said.
  enum Event: Sendable {
    /// The connection is accepted, or refused with this code.
    case connected(Int32)
    /// The connection has ended.
    case disconnected(Int32)
    /// A message is acknowledged.
    case acknowledged(Int32)
  }

  /// Why something could not be done.
  struct Failure: Error {
    let code: Int32
    let text: String
  }

  /// What libmosquitto's thread reaches.
  private final class Context: Sendable {
    let events: Mailbox<Event>
    let statusTopic: String?
    init(_ events: Mailbox<Event>, _ statusTopic: String?) {
      self.events = events
      self.statusTopic = statusTopic
    }
  }

  private let client: OpaquePointer
  private let context: Context

  /// Once in the program, before its threads start.
  static func prepareLibrary() { mosquitto_lib_init() }

  /// Starts to connect; `events` hears what comes of it.
  static func connect(
    _ configuration: MQTTSinkConfiguration, password: String?, events: Mailbox<Event>
  ) throws(Failure) -> MQTTClient {
    let client = try MQTTClient(
      id: configuration.clientID ?? "paraph-" + Process.hostName,
      Context(events, configuration.statusTopic))
    try client.set(configuration, password)
    try client.check(
      unsafe mosquitto_connect_async(
        client.client, configuration.host, Int32(configuration.port), 60))
    try client.check(unsafe mosquitto_loop_start(client.client))
    return client
  }

  private init(id: String, _ context: Context) throws(Failure) {
    let object = unsafe Unmanaged.passUnretained(context).toOpaque()
    guard let client = unsafe mosquitto_new(id, true, object) else {
      throw Failure(code: Int32(MOSQ_ERR_INVAL.rawValue), text: "the client's name is refused")
    }
    unsafe self.client = unsafe client
    self.context = context
  }

  private borrowing func set(
    _ configuration: MQTTSinkConfiguration, _ password: String?
  ) throws(Failure) {
    unsafe mosquitto_connect_callback_set(client, Self.connected)
    unsafe mosquitto_disconnect_callback_set(client, Self.disconnected)
    unsafe mosquitto_publish_callback_set(client, Self.published)
    unsafe mosquitto_reconnect_delay_set(client, 1, 60, true)
    if let username = configuration.username {
      try check(unsafe mosquitto_username_pw_set(client, username, password))
    }
    if configuration.usesTLS {
      let tls = configuration.tls
      let folder = tls.authority == nil ? "/etc/ssl/certs" : nil
      try check(
        unsafe mosquitto_tls_set(client, tls.authority, folder, tls.certificate, tls.key, nil))
    }
    if let topic = configuration.statusTopic {
      let text = Array("offline".utf8)
      try check(unsafe mosquitto_will_set(client, topic, Int32(text.count), text, 1, true))
    }
  }

  deinit {
    unsafe mosquitto_disconnect(client)
    unsafe mosquitto_loop_stop(client, true)
    unsafe mosquitto_destroy(client)
  }

  /// Publishes with QoS 1. Returns the number that its acknowledgement will have.
  borrowing func publish(_ bytes: [UInt8], to topic: String) throws(Failure) -> Int32 {
    var number: Int32 = 0
    try check(
      unsafe mosquitto_publish(client, &number, topic, Int32(bytes.count), bytes, 1, false))
    return number
  }

  private borrowing func check(_ code: Int32) throws(Failure) {
    if code == Int32(MOSQ_ERR_SUCCESS.rawValue) { return }
    let error = Errno.current
    if code == Int32(MOSQ_ERR_ERRNO.rawValue) { throw Failure(code: code, text: error.text) }
    throw Failure(code: code, text: unsafe String(cString: mosquitto_strerror(code)))
  }

  /// Why a broker refuses a connection.
  static func reason(ofRefusal code: Int32) -> String {
    unsafe String(cString: mosquitto_connack_string(code))
  }

  private typealias Callback =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void

  private static let connected: Callback = { client, object, code in
    guard let object = unsafe object else { return }
    let context = unsafe Unmanaged<Context>.fromOpaque(object).takeUnretainedValue()
    if code == 0, let topic = context.statusTopic {
      let text = Array("online".utf8)
      unsafe mosquitto_publish(client, nil, topic, Int32(text.count), text, 1, true)
    }
    context.events.post(.connected(code))
  }

  private static let disconnected: Callback = { _, object, code in
    guard let object = unsafe object else { return }
    let context = unsafe Unmanaged<Context>.fromOpaque(object).takeUnretainedValue()
    context.events.post(.disconnected(code))
  }

  private static let published: Callback = { _, object, number in
    guard let object = unsafe object else { return }
    let context = unsafe Unmanaged<Context>.fromOpaque(object).takeUnretainedValue()
    context.events.post(.acknowledged(number))
  }
}
