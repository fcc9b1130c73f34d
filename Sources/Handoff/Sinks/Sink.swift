internal import Configuration
internal import Linux
internal import Retry
internal import Spool
internal import Synchronization

/// A destination of signatures. Belongs to one thread, because it waits for disk and network.
enum Sink: ~Copyable {
  case directory(DirectorySink)
  case http(HTTPSink)
  case s3(S3Sink)
  case command(CommandSink)
  case mqtt(MQTTSink)

  /// Initialises the libraries that these sinks need. Call it before threads start.
  static func prepareLibraries(for sinks: [SinkConfiguration]) {
    var (curl, mosquitto) = (false, false)
    for sink in sinks {
      switch sink.kind {
      case .http, .s3: curl = true
      case .mqtt: mosquitto = true
      case .directory, .command: break
      }
    }
    if curl { HTTPClient.prepareLibrary() }
    if mosquitto { MQTTClient.prepareLibrary() }
  }

  /// `spool`: the spool's path; `backoff`: the pauses of a connection that the sink keeps.
  init(
    _ configuration: SinkConfiguration, spool: String, _ cancellation: Cancellation,
    _ health: SinkHealth, _ backoff: Backoff, bootDue: Int64? = nil
  ) throws(Errno) {
    switch configuration.kind {
    case .directory(let directory): self = .directory(DirectorySink(configuration: directory))
    case .http(let http): self = .http(HTTPSink(http, cancellation))
    case .s3(let s3): self = .s3(S3Sink(s3, cancellation))
    case .command(let command):
      self = .command(
        CommandSink(configuration: command, folder: spool + "/new", cancellation: cancellation))
    case .mqtt(let mqtt):
      self = .mqtt(try MQTTSink(mqtt, cancellation, health, backoff, bootDue: bootDue))
    }
  }

  /// The event to wait for between deliveries, before `work` is called.
  var wait: SinkWait {
    switch self {
    case .mqtt(let sink): sink.wait
    default: SinkWait()
    }
  }

  /// Does the work between deliveries, such as keeping a connection.
  borrowing func work() {
    switch self {
    case .mqtt(let sink): sink.work()
    default: break
    }
  }

  /// A network came up. `queueDue`: when deliveries begin again; nil: they have not stopped.
  borrowing func networkChanged(queueDue: Int64?) {
    switch self {
    case .mqtt(let sink): sink.networkChanged(queueDue: queueDue)
    default: break
    }
  }

  /// Someone asks for a retry, whatever the sink waits for.
  borrowing func retryNow() {
    switch self {
    case .mqtt(let sink): sink.retryNow()
    default: break
    }
  }

  /// The pad's status changed.
  borrowing func publish(_ presence: Presence) {
    switch self {
    case .mqtt(let sink): sink.publish(presence)
    default: break
    }
  }

  /// Delivers an item.
  borrowing func deliver(_ item: Item) -> Outcome {
    switch self {
    case .directory(let sink): sink.deliver(item)
    case .http(let sink): sink.deliver(item)
    case .s3(let sink): sink.deliver(item)
    case .command(let sink): sink.deliver(item)
    case .mqtt(let sink): sink.deliver(item)
    }
  }
}

/// The result of a delivery.
enum Outcome: Equatable, Sendable {
  /// The receiver has the item durably.
  case delivered
  /// The delivery failed and is retried. `retryAfter`: the delay that the receiver requested, in nanoseconds.
  case temporaryFailure(String, retryAfter: Int64? = nil, kind: FailureKind = .other)
  /// The receiver rejected the item. `SinkQueue` decides whether that is the item's fault.
  case permanentFailure(String)

  /// Kinds are for metrics: texts tell outcomes apart.
  static func == (a: Outcome, b: Outcome) -> Bool {
    switch (a, b) {
    case (.delivered, .delivered): true
    case (.temporaryFailure(let a, let c, _), .temporaryFailure(let b, let d, _)): a == b && c == d
    case (.permanentFailure(let a), .permanentFailure(let b)): a == b
    default: false
    }
  }

  /// The same with the receiver's name before the reason.
  func naming(_ receiver: String) -> Outcome {
    switch self {
    case .delivered: .delivered
    case .temporaryFailure(let reason, let retryAfter, let kind):
      .temporaryFailure("\(receiver): \(reason)", retryAfter: retryAfter, kind: kind)
    case .permanentFailure(let reason): .permanentFailure("\(receiver): \(reason)")
    }
  }
}

/// The event that a sink waits for between deliveries.
struct SinkWait {
  /// Readable, or writable if `output`; −1: none.
  var descriptor: Int32 = -1
  var output = false
  /// The maximum duration; nil: unlimited.
  var nanoseconds: Int64?

  /// For poll(2), rounded up.
  var milliseconds: Int32 {
    guard let nanoseconds else { return -1 }
    return Int32(clamping: max(0, nanoseconds + 999_999) / 1_000_000)
  }
}

/// Cancels the running deliveries of all sinks at the end of the program.
final class Cancellation: Sendable {
  private let flag = Atomic(false)
  private let event: EventDescriptor

  init() throws(Errno) { event = try EventDescriptor() }

  /// For poll(2): readable in all threads after `cancel`.
  var number: Int32 { event.number }

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() {
    flag.store(true, ordering: .relaxed)
    event.signal()
  }
}

/// Delivers to a folder of any filesystem. The folder `PATH/ID/` appears with all files, or not at all.
final class DirectorySink {
  private let configuration: DirectorySinkConfiguration
  /// Whether an earlier run or a failure may have left unfinished copies. Large folders are not listed each time.
  private var mayHaveUnfinished = true

  init(configuration: DirectorySinkConfiguration) { self.configuration = configuration }

  func deliver(_ item: Item) -> Outcome {
    do throws(SystemError) {
      let path = "\(configuration.path)/\(item.manifest.id.text)"
      let folder = try Folder(configuration.path)
      if mayHaveUnfinished {
        mayHaveUnfinished = Item.removeUnfinishedCopies(in: folder) { $0 == item.manifest.id }
      }
      switch try item.copy(into: folder) {
      case nil: return .delivered
      case .notAFolder: return .permanentFailure("\(path) exists and is not a folder")
      case .otherContent: return .permanentFailure("\(path) exists with other content")
      }
    } catch {
      mayHaveUnfinished = true
      return .temporaryFailure(error.text, kind: FailureKind(error.errno))
    }
  }
}
