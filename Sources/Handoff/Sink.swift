internal import Configuration
internal import Spool

/// A place that signatures are delivered to. Belongs to one thread, and waits for disk and network.
enum Sink {
  /// Another folder.
  case directory(DirectorySink)

  init(_ configuration: SinkConfiguration) {
    switch configuration.kind {
    case .directory(let directory): self = .directory(DirectorySink(configuration: directory))
    }
  }

  /// Delivers a whole item, and says what came of it.
  func deliver(_ item: Item) -> Outcome {
    switch self {
    case .directory(let sink): sink.deliver(item)
    }
  }
}
