internal import Configuration
internal import Linux
internal import Spool

/// A place that signatures are delivered to. Belongs to one thread, and waits for disk and network.
enum Sink: ~Copyable {
  /// Another folder.
  case directory(DirectorySink)
  /// A web server.
  case http(HTTPSink)
  /// An object store.
  case s3(S3Sink)
  /// A program.
  case command(CommandSink)
  /// A broker.
  case mqtt(MQTTSink)

  /// Initialises the libraries that these sinks need, before threads start.
  static func prepareLibraries(for sinks: [SinkConfiguration]) {
    var (curl, mosquitto) = (false, false)
    for sink in sinks {
      switch sink.kind {
      case .http, .s3: curl = true
      case .mqtt: mosquitto = true
      case .directory, .command: break
      }
    }
    if curl { CurlHandle.prepareLibrary() }
    if mosquitto { MQTTClient.prepareLibrary() }
  }

  /// `spool`: where items are.
  init(
    _ configuration: SinkConfiguration, spool: String, _ cancellation: Cancellation
  ) throws(Errno) {
    switch configuration.kind {
    case .directory(let directory): self = .directory(DirectorySink(configuration: directory))
    case .http(let http): self = .http(HTTPSink(http, cancellation))
    case .s3(let s3): self = .s3(S3Sink(s3, cancellation))
    case .command(let command):
      self = .command(
        CommandSink(configuration: command, folder: spool + "/new", cancellation: cancellation))
    case .mqtt(let mqtt): self = .mqtt(try MQTTSink(mqtt, cancellation))
    }
  }

  /// What to wait for while there is nothing to deliver; then `work` is called.
  var wait: SinkWait {
    switch self {
    case .mqtt(let sink): sink.wait
    default: SinkWait()
    }
  }

  /// Does what has to be done between deliveries.
  borrowing func work() {
    switch self {
    case .mqtt(let sink): sink.work()
    default: break
    }
  }

  /// Delivers a whole item, and says what came of it.
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
