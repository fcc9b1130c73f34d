internal import Configuration
internal import Retry

extension Backoff {
  /// The pauses of deliveries, and of connections to brokers.
  init(_ configuration: HandoffConfiguration) {
    self.init(
      first: configuration.firstPause, longest: configuration.longestPause,
      longestEarly: Self.fleetLimit)
  }
}
