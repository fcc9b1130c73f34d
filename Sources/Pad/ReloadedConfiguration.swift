internal import Configuration
internal import Linux

/// What a reload (SIGHUP) finds in the pad's file: examined as at the start, and compared with what the
/// pad runs with. Threads, panel and sockets are made once, so that a start takes changes over.
struct ReloadedConfiguration {
  /// For the log.
  private(set) var lines: [(priority: StandardError.Priority, text: String)] = []

  init(of running: PadConfiguration) {
    let file = running.origin.file
    do throws(ConfigurationError) {
      let read = try PadConfiguration(reading: file, models: Appliance.modelNames)
      let problems = PadExamination(read).problems
      add(problems)
      if problems.areFatal {
        keep(file)
      } else {
        compare(read.origin, running.origin)
      }
    } catch {
      add(error.problems)
      keep(file)
    }
  }

  private mutating func compare(_ new: ConfigurationOrigin, _ old: ConfigurationOrigin) {
    var keys = ""
    for change in new.changes(since: old) { keys += keys.isEmpty ? change : ", " + change }
    add(
      .notice,
      keys.isEmpty
        ? "\(new.file): nothing has changed"
        : "\(new.file): changed \(keys); systemctl restart paraphd takes it over")
  }

  private mutating func keep(_ file: String) {
    add(.error, "\(file) cannot be used: the pad goes on with what it was started with")
  }

  private mutating func add(_ problems: [ConfigurationProblem]) {
    for problem in problems { add(problem.severity == .error ? .error : .warning, problem.text) }
  }

  private mutating func add(_ priority: StandardError.Priority, _ text: String) {
    lines.append((priority, "config: " + text))
  }
}
