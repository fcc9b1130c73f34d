internal import CLibmosquitto
internal import Configuration
internal import Linux
internal import Spool

/// Delivers to a broker: the manifest, and the picture where it is not too large. Delivered is what the
/// broker has acknowledged.
final class MQTTSink {
  private let configuration: MQTTSinkConfiguration
  private let cancellation: Cancellation
  private let events: Mailbox<MQTTClient.Event>
  private var client: MQTTClient?
  private var connection = Connection.opening

  private enum Connection: Equatable {
    case opening
    case open
    /// The broker said why.
    case refused(Int32)
  }

  init(_ configuration: MQTTSinkConfiguration, _ cancellation: Cancellation) throws(Errno) {
    self.configuration = configuration
    self.cancellation = cancellation
    events = try Mailbox()
    // Early, so that the status topic tells the truth before the first signature; a failure is
    // repeated, and told, then.
    _ = try? connect()
  }

  func deliver(_ item: Item) -> Outcome {
    do throws(MQTTClient.Failure) {
      try connect()
      let limit = MonotonicClock.now + configuration.timeLimit
      if let reason = waitForConnection(until: limit) { return giveUp(reason) }
      var open = try publish(item)
      // What is not acknowledged when the connection breaks is sent again by libmosquitto.
      while !open.isEmpty {
        guard let taken = takeEvents(until: limit) else {
          return giveUp("\(address): the broker does not acknowledge")
        }
        open.subtract(taken)
      }
      return .delivered
    } catch {
      if error.code == Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue) { return .never(error.text) }
      return giveUp("\(address): \(error.text)")
    }
  }

  private var address: String { "\(configuration.host):\(configuration.port)" }

  /// Without the client, what it has not got rid of is not sent beside the next attempt.
  private func giveUp(_ reason: String) -> Outcome {
    client = nil
    return .later(reason)
  }

  private func connect() throws(MQTTClient.Failure) {
    if client != nil { return }
    connection = .opening
    _ = events.takeAll()
    var password: String?
    do throws(SecretError) {
      password = try configuration.password?.readText()
    } catch { throw MQTTClient.Failure(code: -1, text: error.text) }
    client = try MQTTClient.connect(configuration, password: password, events: events)
  }

  private func publish(_ item: Item) throws(MQTTClient.Failure) -> Set<Int32> {
    let topic = configuration.topic.text(for: item.manifest, escape: Escape.plain)
    var numbers: Set<Int32> = []
    for file in item.files {
      let leaf: String
      if file.name == Manifest.name {
        leaf = "manifest"
      } else if file.name == ItemFile.png.name, file.bytes.count <= configuration.pictureLimit {
        leaf = "png"
      } else {
        continue
      }
      let path = "\(topic)/\(item.manifest.id.text)/\(leaf)"
      if let number = try client?.publish(file.bytes, to: path) { numbers.insert(number) }
    }
    return numbers
  }

  /// Nil when it is open, else why not.
  private func waitForConnection(until limit: Int64) -> String? {
    _ = takeEvents(until: 0)
    while true {
      switch connection {
      case .open: return nil
      case .refused(let code): return "\(address): \(MQTTClient.reason(ofRefusal: code))"
      case .opening: break
      }
      if takeEvents(until: limit) == nil { return "\(address): no connection" }
    }
  }

  /// Takes what has happened, or happens until `limit`; nil if nothing does. Returns the numbers of
  /// acknowledged messages.
  private func takeEvents(until limit: Int64) -> Set<Int32>? {
    var poll = Poll()
    poll.add(events.number)
    poll.add(cancellation.number)
    let left = limit - MonotonicClock.now
    guard (try? poll.wait(milliseconds: Int32(clamping: max(0, left) / 1_000_000))) == true,
      !cancellation.isCancelled
    else { return nil }
    var numbers: Set<Int32> = []
    for event in events.takeAll() {
      switch event {
      case .connected(0): connection = .open
      case .connected(let code): connection = .refused(code)
      case .disconnected: if connection == .open { connection = .opening }
      case .acknowledged(let number): numbers.insert(number)
      }
    }
    return numbers
  }
}
