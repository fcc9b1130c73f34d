internal import Configuration
internal import Linux
internal import Spool

/// Delivers to a broker: the picture, then the manifest, each acknowledged.
final class MQTTSink {
  private let configuration: MQTTSinkConfiguration
  private let cancellation: Cancellation
  private let clientID: String
  private let statusTopic: String?
  private var client: MQTTClient?
  /// When the current connection is given up if the broker has not accepted it.
  private var openingDue: Int64 = 0
  private var jitter: Jitter
  private var failures = 0
  /// When to connect again while there is nothing to deliver.
  private var attemptDue: Int64 = 0
  private var logged = ""
  private var onlyIPv4 = false

  /// A fleet whose broker restarts does not come back all at once.
  private static let backoff = Backoff(first: 1_000_000_000, longest: 60_000_000_000)
  /// Often enough for any keep-alive that a broker asks for.
  private static let miscPause: Int64 = 5_000_000_000

  init(_ configuration: MQTTSinkConfiguration, _ cancellation: Cancellation) throws(Errno) {
    self.configuration = configuration
    self.cancellation = cancellation
    jitter = Jitter(seed: try Randomness.bits())
    let device = configuration.deviceName ?? Process.hostName
    clientID = configuration.clientID.text(device: device, machine: MachineID.text)
    statusTopic = configuration.statusTopic?.text(device: device, machine: MachineID.text)
  }

  func deliver(_ item: Item) -> Outcome {
    if let picture = picture(of: item), picture.bytes.count > configuration.pictureLimit {
      return .never(
        "\(picture.name) has \(picture.bytes.count) bytes, and picture-limit is "
          + "\(configuration.pictureLimit)")
    }
    let limit = MonotonicClock.now + configuration.timeLimit
    if let reason = connect(until: limit) { return .later("\(address): \(reason)") }
    let topic = configuration.topic.text(for: item.manifest, escape: Escape.plain)
    let place = "\(topic)/\(item.manifest.id.text)"
    if let picture = picture(of: item) {
      let outcome = publish(picture.bytes, to: place + "/png", until: limit)
      if outcome != .delivered { return outcome }
    }
    guard let manifest = item.files.first(where: { $0.name == Manifest.name }) else {
      return .never("there is no manifest")
    }
    return publish(manifest.bytes, to: place + "/manifest", until: limit)
  }

  /// Keeps the connection while there is nothing to deliver: the status topic holds the truth before the
  /// first signature and after the last.
  func work() {
    let now = MonotonicClock.now
    client?.work(milliseconds: 0)
    switch client?.state {
    case .open?: noteOpen()
    case .opening? where now < openingDue: break
    case .opening?: fail("no answer within the time limit")
    case .closed(let reason)?: fail(reason)
    case nil: if now >= attemptDue { start(until: now + configuration.timeLimit) }
    }
  }

  /// What to wait for before `work`.
  var wait: SinkWait {
    let now = MonotonicClock.now
    guard client != nil else { return SinkWait(nanoseconds: attemptDue - now) }
    let number = client?.number ?? -1
    return SinkWait(
      descriptor: number, output: client?.wantsToSend ?? false,
      nanoseconds: client?.state == .opening
        ? min(openingDue - now, Self.miscPause) : Self.miscPause)
  }

  private var address: String { "\(configuration.host):\(configuration.port)" }

  /// Nil where the sink carries manifests only.
  private func picture(of item: Item) -> Item.File? {
    if configuration.pictureLimit == 0 { return nil }
    return item.files.first { $0.name == ItemFile.png.name }
  }

  private func start(until limit: Int64) {
    openingDue = limit
    do throws(SecretError) {
      let password = try configuration.password?.readText()
      do throws(MQTTClient.Failure) {
        client = try MQTTClient.connect(
          configuration, id: clientID, statusTopic: statusTopic, password: password,
          onlyIPv4: onlyIPv4)
      } catch { fail(error.text) }
    } catch { fail(error.text) }
  }

  /// Ends the connection: the next one reads password and certificates again, and sends nothing of this.
  private func fail(_ reason: String) {
    // The other family of addresses is next; the one that has worked stays.
    if client?.isReached != true { onlyIPv4.toggle() }
    client = nil
    failures += 1
    attemptDue = MonotonicClock.now + Self.backoff.pause(after: failures, jitter: &jitter)
    if logged == reason { return }
    logged = reason
    StandardError.log(.warning, "paraph: mqtt \(address): \(reason); connecting again")
  }

  private func noteOpen() {
    failures = 0
    if logged.isEmpty { return }
    logged = ""
    StandardError.log(.info, "paraph: mqtt \(address): connected")
  }

  /// Nil when the connection is open, else why not.
  private func connect(until limit: Int64) -> String? {
    // What happened since the last delivery.
    client?.work(milliseconds: 0)
    if case .closed? = client?.state { client = nil }
    if client == nil { start(until: limit) }
    var isSecond = false
    while true {
      switch client?.state {
      case .open?:
        noteOpen()
        return nil
      case .closed(let reason)?:
        let wasReached = client?.isReached == true
        fail(reason)
        if wasReached || isSecond { return reason }
        isSecond = true
        start(until: limit)
        if client == nil { return reason }
      case nil: return logged
      case .opening?: break
      }
      if !work(until: limit) {
        let reason = "no answer within the time limit"
        fail(reason)
        return reason
      }
    }
  }

  private func publish(_ bytes: [UInt8], to topic: String, until limit: Int64) -> Outcome {
    do throws(MQTTClient.Failure) {
      try client?.publish(bytes, to: topic)
    } catch {
      if error.isPermanent { return .never("\(address): \(error.text)") }
      fail(error.text)
      return .later("\(address): \(error.text)")
    }
    while true {
      if let code = client?.answer {
        return MQTTReason.outcome(code, acceptsUnrouted: configuration.acceptsUnrouted)
          .naming(address)
      }
      if case .closed(let reason)? = client?.state {
        fail(reason)
        return .later("\(address): \(reason)")
      }
      if !work(until: limit) {
        let reason = "the broker does not acknowledge"
        fail(reason)
        return .later("\(address): \(reason)")
      }
    }
  }

  /// False at the limit or at the end of the program.
  private func work(until limit: Int64) -> Bool {
    let left = limit - MonotonicClock.now
    if left <= 0 || cancellation.isCancelled { return false }
    let milliseconds = Int32(clamping: min(left, Self.miscPause) / 1_000_000 + 1)
    client?.work(milliseconds: milliseconds, cancellation: cancellation.number)
    return true
  }
}
