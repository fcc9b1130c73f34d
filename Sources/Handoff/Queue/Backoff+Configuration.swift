internal import Configuration
internal import Retry

extension Backoff {
  /// The pauses of deliveries.
  init(_ configuration: HandoffConfiguration) {
    self.init(
      first: configuration.firstPause, longest: configuration.longestPause,
      longestEarly: Self.fleetLimit)
  }

  /// The pauses of connections to brokers: from a second to an hour, because the broker shows the
  /// pad as offline meanwhile.
  init(connectionsOf configuration: HandoffConfiguration) {
    let (least, most): (Int64, Int64) = (1_000_000_000, 3_600_000_000_000)
    let longest = max(least, min(configuration.longestPause, most))
    self.init(
      first: max(least, min(configuration.firstPause, longest)), longest: longest,
      longestEarly: Self.fleetLimit)
  }
}
