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
  private let username: String?
  private let statusTopic: String?
  private var client: MQTTClient?
  /// When an unaccepted connection fails.
  private var connectDue: Int64 = 0
  private var random: SplitMix64
  private var failures = 0
  /// When to connect again between deliveries.
  private var retryDue: Int64 = 0
  /// The reason that was logged last; empty while connected.
  private var loggedReason = ""
  private var onlyIPv4 = false

  /// Random, so that a fleet does not reconnect at the same time.
  private static let backoff = Backoff(first: 1_000_000_000, longest: 60_000_000_000)
  /// Shorter than any keep-alive interval.
  private static let workInterval: Int64 = 5_000_000_000

  init(_ configuration: MQTTSinkConfiguration, _ cancellation: Cancellation) throws(Errno) {
    self.configuration = configuration
    self.cancellation = cancellation
    random = SplitMix64(seed: try Randomness.bits())
    names = DeviceNames(configuration.deviceName)
    clientID = names.text(configuration.clientID, escape: Escape.plain)
    statusTopic = names.text(configuration.statusTopic, escape: Escape.plain)
    username = names.text(configuration.username) { $0 }
  }

  func deliver(_ item: Item) -> Outcome {
    if let picture = picture(of: item), picture.bytes.count > configuration.pictureLimit {
      return .permanentFailure(
        "\(picture.name) has \(picture.bytes.count) bytes; picture-limit is "
          + "\(configuration.pictureLimit)")
    }
    let limit = MonotonicClock.now + configuration.timeLimit
    if let reason = connect(until: limit) { return .temporaryFailure("\(address): \(reason)") }
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
    switch client?.state {
    case .open?: logConnected()
    case .opening? where now < connectDue: break
    case .opening?: fail("no response within the time limit")
    case .closed(let reason)?: fail(reason)
    case nil: if now >= retryDue { start(until: now + configuration.timeLimit) }
    }
  }

  /// The event to wait for before `work`.
  var wait: SinkWait {
    let now = MonotonicClock.now
    guard client != nil else { return SinkWait(nanoseconds: retryDue - now) }
    let number = client?.number ?? -1
    return SinkWait(
      descriptor: number, output: client?.wantsToSend ?? false,
      nanoseconds: client?.state == .opening
        ? min(connectDue - now, Self.workInterval) : Self.workInterval)
  }

  private var address: String { "\(configuration.host):\(configuration.port)" }

  /// Nil if the sink publishes manifests only.
  private func picture(of item: Item) -> Item.File? {
    configuration.pictureLimit == 0 ? nil : item.picture
  }

  private func start(until limit: Int64) {
    connectDue = limit
    do throws(SecretError) {
      let password = try configuration.password?.readText()
      do throws(MQTTClient.Failure) {
        client = try MQTTClient.connect(
          configuration, id: clientID, statusTopic: statusTopic, username: username,
          password: password, onlyIPv4: onlyIPv4)
      } catch { fail(error.text) }
    } catch { fail(error.text) }
  }

  /// Ends the connection. The next one reads password and certificates again.
  private func fail(_ reason: String) {
    // Tries the other address family next, unless this one works.
    if client?.isReached != true { onlyIPv4.toggle() }
    client = nil
    failures += 1
    retryDue = MonotonicClock.now + Self.backoff.delay(after: failures, random: &random)
    if loggedReason == reason { return }
    loggedReason = reason
    StandardError.log(.warning, "paraph: mqtt \(address): connection failed (\(reason)); retrying")
  }

  private func logConnected() {
    failures = 0
    if loggedReason.isEmpty { return }
    loggedReason = ""
    StandardError.log(.info, "paraph: mqtt \(address): connected")
  }

  /// Opens the connection. Returns the reason if that fails.
  private func connect(until limit: Int64) -> String? {
    // Processes the events since the last delivery.
    client?.work(milliseconds: 0)
    if case .closed? = client?.state { client = nil }
    if client == nil { start(until: limit) }
    var isSecond = false
    while true {
      switch client?.state {
      case .open?:
        logConnected()
        return nil
      case .closed(let reason)?:
        let wasReached = client?.isReached == true
        fail(reason)
        if wasReached || isSecond { return reason }
        isSecond = true
        start(until: limit)
        if client == nil { return reason }
      case nil: return loggedReason
      case .opening?: break
      }
      if !work(until: limit) {
        let reason = "no response within the time limit"
        fail(reason)
        return reason
      }
    }
  }

  private func publish(_ bytes: [UInt8], to topic: String, until limit: Int64) -> Outcome {
    do throws(MQTTClient.Failure) {
      try client?.publish(bytes, to: topic)
    } catch {
      if error.isPermanent { return .permanentFailure("\(address): \(error.text)") }
      fail(error.text)
      return .temporaryFailure("\(address): \(error.text)")
    }
    while true {
      if let code = client?.answer {
        return MQTTReason.outcome(code, acceptsUnrouted: configuration.acceptsUnrouted)
          .naming(address)
      }
      if case .closed(let reason)? = client?.state {
        fail(reason)
        return .temporaryFailure("\(address): \(reason)")
      }
      if !work(until: limit) {
        let reason = "the broker did not acknowledge the message"
        fail(reason)
        return .temporaryFailure("\(address): \(reason)")
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
