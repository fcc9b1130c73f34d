internal import CLinux
internal import Linux

/// Checks the files and folders that paraph-handoff's configuration names.
///
/// Used by `--check-config`, `paraph doctor`, the start and a reload. Most problems are warnings: a missing file
/// may appear later, and the other sinks deliver meanwhile.
public struct HandoffValidator {
  /// The problems, in the order of the sections.
  public private(set) var problems: [ConfigurationProblem] = []

  private let origin: ConfigurationOrigin
  private let isDelivering: Bool
  private static let waits = "signatures wait until this is fixed"

  /// Checks a configuration.
  ///
  /// - Parameter isDelivering: Whether sinks wait for the result. If so, does not access the
  ///   filesystems that they deliver to: a call to one whose server is gone would block.
  public init(_ configuration: HandoffConfiguration, isDelivering: Bool = false) {
    origin = configuration.origin
    self.isDelivering = isDelivering
    if let flaw = PathCheck.makeable(configuration.spool) {
      add(flaw.severity, "spool", "path", "\(flaw.reason): nothing can be delivered")
    }
    if let metrics = configuration.metrics { examine(metrics: metrics) }
    if let timestamp = configuration.timestamp { examine(timestamp) }
    for path in configuration.certificates {
      if let reason = PathCheck.readable(path) {
        add(.warning, "handoff", "certificates", "\(reason): their expiry is not reported")
      }
    }
    for sink in configuration.sinks { examine(sink) }
    examineClients(of: configuration.sinks)
  }

  private mutating func add(
    _ severity: ConfigurationProblem.Severity, _ section: String, _ key: String, _ reason: String
  ) {
    problems.append(origin.problem(severity, section, key, reason))
  }

  private mutating func add(_ sink: String, _ key: String, _ reason: String?) {
    if let reason { add(.warning, "sink \(sink)", key, "\(reason); \(Self.waits)") }
  }

  private mutating func examine(metrics: String) {
    if let reason = PathCheck.folder(of: metrics) {
      add(.warning, "handoff", "metrics", "\(reason): no metrics are written")
    } else if !metrics.utf8.suffix(5).elementsEqual(".prom".utf8) {
      add(
        .warning, "handoff", "metrics",
        "\(metrics) does not end in .prom: node_exporter's textfile collector ignores it")
    }
  }

  private mutating func examine(_ timestamp: TimestampConfiguration) {
    let program = timestamp.service ?? Process.path(besideThis: "paraph-seal")
    var flaws = [
      ("ca", TimestampConfiguration.flaw(ofAuthority: timestamp.authority)),
      ("service", PathCheck.missing(program)),
      ("ca-file", timestamp.tls.authority.flatMap { PathCheck.readable($0) }),
      ("client-certificate", timestamp.tls.certificate.flatMap { PathCheck.readable($0) }),
      ("client-key", timestamp.tls.key.flatMap { PathCheck.readable($0) }),
    ]
    for header in timestamp.secretHeaders {
      flaws.append(
        (HTTPSinkConfiguration.secretHeaderPrefix + header.name, Self.flaw(of: header.value)))
    }
    for case (let key, let reason?) in flaws {
      add(.warning, "timestamp", key, "\(reason); signatures get no time stamp until this is fixed")
    }
  }

  private mutating func examine(_ sink: SinkConfiguration) {
    let name = sink.name
    switch sink.kind {
    case .directory(let sink):
      if !isDelivering { add(name, "path", PathCheck.folder(sink.path)) }
    case .command(let sink):
      add(name, "command", sink.words.first.flatMap { PathCheck.program($0) })
    case .http(let sink):
      examine(name, "token-file", sink.token)
      for header in sink.secretHeaders {
        examine(name, HTTPSinkConfiguration.secretHeaderPrefix + header.name, header.value)
      }
      examine(name, "hmac-key-file", sink.signingKey)
      examine(name, sink.tls)
    case .s3(let sink):
      if case .secret(let secret) = sink.accessKey { examine(name, "access-key-file", secret) }
      examine(name, "secret-key-file", sink.secretKey)
      examine(name, "session-token-file", sink.sessionToken)
      examine(name, sink.tls)
    case .mqtt(let sink):
      if sink.version == .three {
        add(
          .warning, "sink \(name)", "protocol",
          "3.1.1 has no reason codes: the broker may acknowledge a message that it discards")
      }
      examineName(name, sink)
      examine(name, "password-file", sink.password)
      examine(name, sink.tls)
    }
  }

  /// A broker ends a client's connection when another one connects with the same id.
  private mutating func examineClients(of sinks: [SinkConfiguration]) {
    var known: [(name: String, client: MQTTSinkConfiguration)] = []
    for sink in sinks where !sink.isHeld {
      guard case .mqtt(let client) = sink.kind else { continue }
      let other = known.first {
        $0.client.host == client.host && $0.client.port == client.port
          && $0.client.clientID == client.clientID
      }
      if let other {
        add(
          .warning, "sink \(sink.name)", "client-id",
          "the same as that of sink \(other.name) at \(client.host):\(client.port): each ends the "
            + "other's connection; set client-id")
      }
      known.append((sink.name, client))
    }
  }

  /// Brokers of AMQP, such as RabbitMQ, translate each level of a topic to a word, and a dot separates words.
  private mutating func examineName(_ name: String, _ sink: MQTTSinkConfiguration) {
    let topics = [sink.topic, sink.statusTopic, sink.eventsTopic].compactMap { $0 }
    guard topics.contains(where: { $0.contains(.device) }) else { return }
    let device = sink.deviceName.map { $0.text { $0 == .host ? Process.hostName : "" } }
    let value = device ?? Process.hostName
    guard value.utf8.contains(UInt8(ascii: ".")) else { return }
    add(
      .warning, "handoff", "device-name",
      "\(value) has a dot, which RabbitMQ treats as a separator in topics; sink \(name) uses {device}"
    )
  }

  private mutating func examine(_ sink: String, _ key: String, _ secret: Secret?) {
    if let secret { add(sink, key, Self.flaw(of: secret)) }
  }

  private static func flaw(of secret: Secret) -> String? {
    // Only a service has credentials; they cannot be checked outside of it.
    if case .credential = secret, unsafe getenv("INVOCATION_ID") == nil { return nil }
    do throws(SecretError) { _ = try secret.read() } catch { return error.text }
    return nil
  }

  private mutating func examine(_ sink: String, _ tls: TLSConfiguration) {
    add(sink, "ca-file", tls.authority.flatMap { PathCheck.readable($0) })
    add(sink, "client-certificate", tls.certificate.flatMap { PathCheck.readable($0) })
    add(sink, "client-key", tls.key.flatMap { PathCheck.readable($0) })
  }
}
