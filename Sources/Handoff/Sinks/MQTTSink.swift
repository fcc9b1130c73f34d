internal import Configuration
internal import Linux
internal import Retry
internal import Spool

/// Delivers to an MQTT broker: publishes the picture and then the manifest, each acknowledged.
final class MQTTSink {
  private let configuration: MQTTSinkConfiguration
  private let cancellation: Cancellation
  private let names: DeviceNames
  private let clientID: String
  /// The client id for use after a conflict of names; nil: another client id than the default is configured.
  private let machineClientID: String?
  private var currentClientID: String
  private let username: String?
  private let statusTopic: String?
  private let eventsTopic: String?
  private var client: MQTTClient?
  /// When an unaccepted connection fails.
  private var connectDue: Int64 = 0
  private var schedule: ReconnectSchedule
  /// Connections in a row that the broker ended instead of acknowledging a message.
  private var refusals = 0
  /// Why there is no connection, which was logged; nil while connected.
  private var failure: MQTTClient.Failure?
  private var statusRefusals: StatusRefusals
  /// Whether this connection has published "online" as a text.
  private var isAnnounced = false
  /// The reason code of the last rejected status, which was logged.
  private var loggedRejection: Int32?
  private var onlyIPv4 = false
  /// When this connection began.
  private var connectedText = ""
  private let health: SinkHealth
  private var presence: PresencePublisher

  /// The number of refusals in a row that is reported. A broker may also restart while it owes an
  /// acknowledgement.
  private static let refusalLimit = 3
  /// How late a keep-alive may be. Brokers wait for half of the interval longer.
  static let workInterval: Int64 = 5_000_000_000

  /// `bootDue`: when deliveries begin after a boot, at random; nil: the machine has not just started.
  init(
    _ configuration: MQTTSinkConfiguration, _ cancellation: Cancellation,
    _ health: SinkHealth = SinkHealth(),
    _ backoff: Backoff = Backoff(
      first: 5_000_000_000, longest: 3_600_000_000_000, longestEarly: Backoff.fleetLimit),
    bootDue: Int64? = nil
  ) throws(Errno) {
    self.configuration = configuration
    self.cancellation = cancellation
    self.health = health
    presence = PresencePublisher(seed: try Randomness.bits())
    statusRefusals = StatusRefusals(seed: try Randomness.bits())
    health.setConnected(false)
    schedule = ReconnectSchedule(
      backoff, seed: try Randomness.bits(), bootDue: bootDue, at: MonotonicClock.now)
    names = DeviceNames(configuration.deviceName)
    clientID = names.text(configuration.clientID, escape: Escape.plain)
    currentClientID = clientID
    machineClientID =
      configuration.clientID == .defaultClientID ? "\(clientID)-\(MachineID.current.text)" : nil
    statusTopic = names.text(configuration.statusTopic, escape: Escape.plain)
    eventsTopic = names.text(configuration.eventsTopic, escape: Escape.plain)
    username = names.text(configuration.username, escape: Escape.plain)
  }

  func deliver(_ item: Item) -> Outcome {
    if let picture = picture(of: item), picture.bytes.count > configuration.pictureLimit {
      return .permanentFailure(
        "\(picture.name) has \(picture.bytes.count) bytes; picture-limit is "
          + "\(configuration.pictureLimit)")
    }
    let limit = MonotonicClock.now + configuration.timeLimit
    if let pause = schedule.pause(at: MonotonicClock.now) {
      return .temporaryFailure(
        "\(address): \(failure?.text ?? "another client has the client id")", retryAfter: pause,
        kind: .conflict)
    }
    if let failure = connect(until: limit) { return outcome(failure) }
    let topic = names.text(configuration.topic, for: item.manifest, escape: Escape.plain)
    let prefix = "\(topic)/\(item.manifest.id.text)"
    if let picture = picture(of: item) {
      let outcome = publish(picture.bytes, to: prefix + "/png", until: limit)
      if outcome != .delivered { return outcome }
    }
    guard let manifest = item.files.first(where: { $0.name == Manifest.name }) else {
      return .permanentFailure("the item has no manifest")
    }
    return publish(manifest.bytes, to: prefix + "/manifest", until: limit)
  }

  /// Keeps the connection between deliveries, so that the status topic is correct before the first delivery and
  /// after the last.
  func work() {
    let now = MonotonicClock.now
    client?.work(milliseconds: 0)
    logRejection()
    switch client?.state {
    case .open?:
      logConnected()
      publishPresence(at: now)
    case .opening? where now < connectDue: break
    case .opening?: lose(Self.noResponse)
    case .closed(let failure)?: lose(failure)
    case nil: if now >= schedule.due { start(until: now + configuration.timeLimit) }
    }
  }

  /// The event to wait for before `work`.
  var wait: SinkWait {
    let now = MonotonicClock.now
    guard client != nil else { return SinkWait(nanoseconds: schedule.due - now) }
    let due =
      client?.state == .opening ? connectDue : max(presence.due, statusRefusals.due)
    return SinkWait(
      descriptor: client?.number ?? -1, output: client?.wantsToSend ?? false,
      nanoseconds: min(due - now, Self.workInterval))
  }

  private var address: String { "\(configuration.host):\(configuration.port)" }

  /// Nil if the sink publishes manifests only.
  private func picture(of item: Item) -> Item.File? {
    configuration.pictureLimit == 0 ? nil : item.picture
  }

  /// `isDelivery`: a delivery needs the connection.
  private func start(until limit: Int64, isDelivery: Bool = false) {
    connectDue = limit
    connectedText = WallClock.text(WallClock.now)
    do throws(MQTTClient.Failure) {
      client = try MQTTClient.connect(
        configuration, id: currentClientID, will: will(), username: username,
        password: try password(), onlyIPv4: onlyIPv4)
    } catch {
      if isDelivery { fail(error, isDelivery: true) } else { lose(error) }
    }
  }

  /// Nil: the broker wants none.
  private func password() throws(MQTTClient.Failure) -> String? {
    do throws(SecretError) {
      return try configuration.password?.readText()
    } catch { throw .init(text: error.text, kind: .other) }
  }

  /// The last will; nil: none.
  private func will() -> MQTTContext.Will? {
    guard let statusTopic else { return nil }
    guard configuration.statusIsJSON else { return .init(topic: statusTopic, text: nil) }
    return .init(
      topic: statusTopic, text: Presence.offline(device: names.name, connected: connectedText))
  }

  /// Ends a connection that no delivery waits for, and counts the failure, which no delivery reports.
  private func lose(_ failure: MQTTClient.Failure) {
    let conflicts = health.conflictCount
    let kind = fail(failure).kind
    health.countFailure(health.conflictCount == conflicts ? kind : .conflict)
  }

  /// Ends the connection. The next one reads password and certificates again. Returns the failure to report.
  @discardableResult
  private func fail(
    _ failure: MQTTClient.Failure, isDelivery: Bool = false
  ) -> MQTTClient.Failure {
    let failure = judged(failure)
    // Tries the other address family next, unless this one works.
    if client?.isReached != true { onlyIPv4.toggle() }
    let loss = client?.loss
    client = nil
    presence.disconnected()
    isAnnounced = false
    health.setConnected(false)
    let now = MonotonicClock.now
    var pause: Int64?
    if let loss {
      pause = schedule.closed(loss, at: now)
    } else {
      schedule.failed(at: now, isDelivery: isDelivery)
    }
    // Tries the configured client id again: the other pad may have gone.
    if loss != nil && pause == nil { currentClientID = clientID }
    guard let loss, let pause else {
      log(.warning, failure, "connection failed (\(failure.text)); retrying")
      return failure
    }
    health.countConflict()
    let verb = loss == .takenOver ? "has taken over" : "seems to take over"
    let conflict = "another client \(verb) the client id \(currentClientID)"
    self.failure = nil
    if let machineClientID, currentClientID != machineClientID {
      // With another client id, both pads deliver, and the conflict has been reported.
      currentClientID = machineClientID
      schedule.clientChanged(at: now)
      log(
        .error, .init(text: conflict, kind: .conflict),
        "\(conflict); connecting again as \(machineClientID); "
          + "give each pad a name of its own (device-name)")
      return failure
    }
    log(
      .error, .init(text: conflict, kind: .conflict),
      "\(conflict); connecting again in \(pause / 60_000_000_000 + 1) min; "
        + "give each pad a name of its own (device-name, client-id)")
    return failure
  }

  /// Counts refusals. A broker refuses a message of MQTT 3.1.1 by ending the connection (section
  /// 3.3.5), and RabbitMQ 4.0 does the same with MQTT 5.
  private func judged(_ failure: MQTTClient.Failure) -> MQTTClient.Failure {
    if client?.hasAnsweredStatus == true { statusRefusals.answered() }
    let isStatusRejected =
      client?.isStatusRefused == true && statusRefusals.refused(at: MonotonicClock.now)
    if isStatusRejected { health.countRejectedStatus() }
    if client?.isRefused == true {
      refusals = min(refusals + 1, Self.refusalLimit)
      if refusals == Self.refusalLimit {
        return .init(
          text:
            "the broker ended connections instead of acknowledging messages; check its access "
            + "list and its size limit", kind: .denied)
      }
    }
    return isStatusRejected ? Self.statusRejection : failure
  }

  /// Treated as a network failure: signatures are not denied, and rejected statuses are counted
  /// apart.
  private static let statusRejection = MQTTClient.Failure(
    text: "the broker ended connections instead of acknowledging the status; check its access list "
      + "for status-topic and events-topic", kind: .network)

  /// Logs a problem once.
  private func log(
    _ priority: StandardError.Priority, _ failure: MQTTClient.Failure, _ text: String
  ) {
    if self.failure == failure { return }
    self.failure = failure
    StandardError.log(priority, "paraph: mqtt \(address): \(text)")
  }

  // MARK: Presence

  /// The pad's status changed.
  func publish(_ status: Presence) { presence.update(status) }

  private func publishPresence(at now: Int64) {
    guard configuration.statusIsJSON, statusTopic != nil || eventsTopic != nil,
      now >= statusRefusals.due,
      let status = presence.next(at: now)
    else { return }
    let text = status.json(device: names.name, connected: connectedText)
    if let statusTopic { client?.report(text, to: statusTopic, retained: true) }
    if let eventsTopic { client?.report(text, to: eventsTopic, retained: false) }
  }

  /// A network came up. `queueDue`: when deliveries begin again; nil: they have not stopped.
  func networkChanged(queueDue: Int64?) {
    if client == nil { schedule.networkChanged(at: MonotonicClock.now, queueDue: queueDue) }
  }

  /// Someone asks for a retry.
  func retryNow() { schedule.retryNow(at: MonotonicClock.now) }

  /// Logs once that the broker rejects status messages, and counts each.
  private func logRejection() {
    guard let code = client?.takeRejection() else { return }
    health.countRejectedStatus()
    if loggedRejection == code { return }
    loggedRejection = code
    StandardError.log(
      .warning,
      "paraph: mqtt \(address): the broker rejects the status (\(MQTTReason.text(code))); "
        + "check its access list for status-topic and events-topic")
  }

  private func logConnected() {
    schedule.opened(at: MonotonicClock.now)
    presence.connected()
    announce()
    health.setConnected(true)
    if failure == nil { return }
    failure = nil
    StandardError.log(.info, "paraph: mqtt \(address): connected")
  }

  /// Publishes "online", which the last will replaces by "offline".
  private func announce() {
    if isAnnounced || configuration.statusIsJSON || MonotonicClock.now < statusRefusals.due {
      return
    }
    isAnnounced = true
    if let statusTopic { client?.report(Array("online".utf8), to: statusTopic, retained: true) }
  }

  private static let noResponse = MQTTClient.Failure(text: "no response within the time limit")

  private func outcome(_ failure: MQTTClient.Failure) -> Outcome {
    .temporaryFailure("\(address): \(failure.text)", kind: failure.kind)
  }

  /// Opens the connection. Returns the reason if that fails.
  private func connect(until limit: Int64) -> MQTTClient.Failure? {
    // Processes the events since the last delivery.
    client?.work(milliseconds: 0)
    if case .closed(let reason)? = client?.state {
      lose(reason)
      if schedule.pause(at: MonotonicClock.now) != nil { return failure }
    }
    if client == nil { start(until: limit, isDelivery: true) }
    var isSecond = false
    while true {
      switch client?.state {
      case .open?:
        logConnected()
        return nil
      case .closed(let reason)?:
        let wasReached = client?.isReached == true
        let reported = fail(reason, isDelivery: true)
        if wasReached || isSecond { return reported }
        isSecond = true
        start(until: limit, isDelivery: true)
        if client == nil { return reason }
      case nil: return failure ?? Self.noResponse
      case .opening?: break
      }
      if !work(until: limit) {
        fail(Self.noResponse, isDelivery: true)
        return Self.noResponse
      }
    }
  }

  private func publish(_ bytes: [UInt8], to topic: String, until limit: Int64) -> Outcome {
    do throws(MQTTClient.Failure) {
      try client?.publish(bytes, to: topic)
    } catch {
      if error.isPermanent { return .permanentFailure("\(address): \(error.text)") }
      fail(error)
      return outcome(error)
    }
    while true {
      if let code = client?.answer {
        refusals = 0
        return MQTTReason.outcome(code, acceptsUnrouted: configuration.acceptsUnrouted)
          .naming(address)
      }
      if case .closed(let reason)? = client?.state { return outcome(fail(reason)) }
      if !work(until: limit) {
        let reason = MQTTClient.Failure(text: "the broker did not acknowledge the message")
        fail(reason)
        return outcome(reason)
      }
    }
  }

  /// Returns false at the limit or after a cancellation.
  private func work(until limit: Int64) -> Bool {
    let left = limit - MonotonicClock.now
    if left <= 0 || cancellation.isCancelled { return false }
    let milliseconds = Int32(clamping: min(left, Self.workInterval) / 1_000_000 + 1)
    client?.work(milliseconds: milliseconds, cancellation: cancellation.number)
    return true
  }
}
