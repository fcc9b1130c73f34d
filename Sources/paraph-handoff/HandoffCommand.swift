internal import CLinux
internal import Configuration
internal import Handoff
internal import Linux

/// paraph-handoff from its arguments to its exit code (sysexits.h).
enum HandoffCommand {
  static func run(_ arguments: [String]) -> Never {
    switch DaemonArguments.parse(arguments, for: DaemonArguments.handoff) {
    case .print(let text): Process.end(EX_OK, output: text)
    case .refuse(let line): Process.end(EX_USAGE, line)
    case .run(let arguments): Process.end(run(arguments))
    }
  }

  private static func run(_ arguments: DaemonArguments) -> Int32 {
    guard let configuration = read(arguments.configuration) else { return EX_CONFIG }
    if arguments.checksOnly { return EX_OK }
    do throws(Errno) {
      return try deliver(configuration, arguments)
    } catch {
      StandardError.log(.error, "kernel: \(error.text)")
      return EX_OSERR
    }
  }

  /// Nil if it is refused, which is logged.
  private static func read(_ path: String) -> HandoffConfiguration? {
    let configuration: HandoffConfiguration
    do throws(ConfigurationError) {
      configuration = try HandoffConfiguration(reading: path)
    } catch {
      for line in error.lines { StandardError.log(.error, "config: \(line)") }
      return nil
    }
    let problems = HandoffExamination(configuration).problems
    for problem in problems {
      StandardError.log(problem.severity == .error ? .error : .warning, "config: \(problem.text)")
    }
    return problems.areFatal ? nil : configuration
  }

  private static func deliver(
    _ configuration: HandoffConfiguration, _ arguments: DaemonArguments
  ) throws(Errno) -> Int32 {
    // A backlog comes and goes.
    Process.returnFreedMemory()
    // Before the threads start: they inherit the block.
    let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
    if arguments.flags.contains("once") {
      return try Courier(configuration).runOnce(signals: signals) == 0 ? EX_OK : EX_TEMPFAIL
    }
    var next = configuration
    while true {
      switch try run(next, signals, arguments.configuration) {
      case .asked: return EX_OK
      case .elsewhere: return EX_TEMPFAIL
      case .reload(let configuration): next = configuration
      }
    }
  }

  /// The courier ends with this call: it holds the spool, and what it delivers to.
  private static func run(
    _ configuration: HandoffConfiguration, _ signals: borrowing SignalDescriptor, _ path: String
  ) throws(Errno) -> Courier.End {
    try Courier(configuration).run(signals: signals) {
      guard let new = read(path) else {
        StandardError.log(.error, "config: \(path) is refused; the old configuration stays")
        return nil
      }
      let change = new == configuration ? "is unchanged" : "is taken over"
      StandardError.log(.notice, "config: \(path) \(change); trying all that waits")
      return new
    }
  }
}
