internal import CLinux
internal import Configuration
internal import Handoff
internal import JSON
internal import Linux
internal import Nettle

/// paraph-handoff. Exit codes are those of sysexits.h.
enum HandoffCommand {
  static func run(_ arguments: DaemonArguments) -> Int32 {
    guard let configuration = read(arguments.configuration, isDelivering: !arguments.checksOnly)
    else { return EX_CONFIG }
    if arguments.checksOnly { return EX_OK }
    do throws(Errno) {
      return try deliver(configuration, arguments)
    } catch {
      StandardError.log(.error, "kernel: \(error.text)")
      return EX_OSERR
    }
  }

  /// Returns nil for an invalid configuration, whose errors are logged.
  private static func read(_ path: String, isDelivering: Bool) -> HandoffConfiguration? {
    let configuration: HandoffConfiguration
    do throws(ConfigurationError) {
      configuration = try HandoffConfiguration(reading: path)
    } catch {
      for line in error.lines { StandardError.log(.error, "config: \(line)") }
      return nil
    }
    let problems = HandoffValidator(configuration, isDelivering: isDelivering).problems
    for problem in problems {
      StandardError.log(problem.severity == .error ? .error : .warning, "config: \(problem.text)")
    }
    return problems.areFatal ? nil : configuration
  }

  private static func deliver(
    _ configuration: HandoffConfiguration, _ arguments: DaemonArguments
  ) throws(Errno) -> Int32 {
    // A backlog needs memory only for a while.
    Process.returnFreedMemory()
    // Before the threads start, because they inherit the signal mask.
    let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
    if arguments.flags.contains("once") {
      return try Delivery(configuration).runOnce(signals: signals) == 0 ? EX_OK : EX_TEMPFAIL
    }
    var next = configuration
    while true {
      switch try run(next, signals, arguments.configuration) {
      case .terminated: return EX_OK
      case .locked: return EX_TEMPFAIL
      case .reload(let configuration): next = configuration
      }
    }
  }

  /// The delivery ends with this call, and releases the spool and the connections.
  private static func run(
    _ configuration: HandoffConfiguration, _ signals: borrowing SignalDescriptor, _ path: String
  ) throws(Errno) -> Delivery.End {
    try Delivery(configuration).run(signals: signals) {
      guard let new = read(path, isDelivering: true) else {
        StandardError.log(
          .error, "config: \(path) is invalid; the previous configuration stays in use")
        return nil
      }
      let change = new == configuration ? "is unchanged" : "was reloaded"
      StandardError.log(.notice, "config: \(path) \(change); retrying failed deliveries")
      return new
    }
  }
}

DaemonArguments.main(
  Process.begin("paraph-handoff"), DaemonArguments.handoff,
  versions: {
    Handoff.LibraryVersions.lines + JSON.LibraryVersions.lines + Nettle.LibraryVersions.lines
  }, run: HandoffCommand.run)
