internal import Configuration

/// The configuration of a session. Durations are in nanoseconds.
struct SessionRules: Equatable, Sendable {
  /// Stand-alone mode: a person may sign at any time, without a request.
  var invites = true
  /// The pad starts out of service, until the save thread has found that it can seal and sign.
  var awaitsService = false
  /// How long ink stays without a touch; nil: forever.
  var abandonment: Int64?
  /// How long *saved* is shown.
  var acknowledgement: Int64 = 1_200_000_000
  /// How long *cancelled* and *timed out* are shown.
  var notice: Int64 = 2_000_000_000
  /// How long a pad in stand-alone mode is not touched before it shows slides again.
  var invitation: Int64 = 30_000_000_000
}

extension SessionRules {
  /// The rules that a configuration demands.
  init(_ configuration: PadConfiguration) {
    invites = configuration.pad.invitesAlways
    abandonment = configuration.pad.abandonAfter
    awaitsService = configuration.seal.isActive || configuration.sign.certificate != nil
  }
}
