internal import CLinux
internal import Configuration
internal import Handoff
internal import Linux

/// paraph-handoff from its arguments to its exit code (sysexits.h).
enum HandoffCommand {
  private static let program = DaemonArguments.Program(
    name: "paraph-handoff",
    summary: "Carries the signatures of a spool to where they belong. SIGHUP: try all of them now.",
    defaultConfiguration: HandoffConfiguration.defaultPath,
    flags: [("once", "deliver what is there and exit (0, or 75: something is left)")])

  static func run(_ arguments: [String]) -> Never {
    switch DaemonArguments.parse(arguments, for: program) {
    case .print(let text): Process.end(EX_OK, output: text)
    case .refuse(let line): Process.end(EX_USAGE, line)
    case .run(let arguments): Process.end(run(arguments))
    }
  }

  private static func run(_ arguments: DaemonArguments) -> Int32 {
    let configuration: HandoffConfiguration
    do throws(ConfigurationError) {
      configuration = try HandoffConfiguration(reading: arguments.configuration)
    } catch {
      for line in error.lines { StandardError.log(.error, "config: \(line)") }
      return EX_CONFIG
    }
    let problems = HandoffExamination(configuration).problems
    for problem in problems {
      StandardError.log(problem.severity == .error ? .error : .warning, "config: \(problem.text)")
    }
    if problems.areFatal { return EX_CONFIG }
    if arguments.checksOnly { return EX_OK }
    do throws(Errno) {
      return try deliver(configuration, once: arguments.flags.contains("once"))
    } catch {
      StandardError.log(.error, "kernel: \(error.text)")
      return EX_OSERR
    }
  }

  private static func deliver(
    _ configuration: HandoffConfiguration, once: Bool
  ) throws(Errno) -> Int32 {
    // A backlog comes and goes.
    Process.returnFreedMemory()
    // Before the threads start: they inherit the block.
    let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
    let courier = try Courier(configuration)
    if once { return try courier.runOnce(signals: signals) == 0 ? EX_OK : EX_TEMPFAIL }
    return try courier.run(signals: signals) ? EX_OK : EX_TEMPFAIL
  }
}
