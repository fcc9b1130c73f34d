internal import ArgumentParser
import CLinux
import Configuration
import Ink
import Linux
import Touch

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds out how a touchscreen lies on the pad's panel, and writes it down for udev.",
    discussion: """
      Shows seven targets on the panel, one after the other: touch each one's middle. The first five give \
      the matrix, the last two check it; what does not fit is asked for again, at most three times. \
      Prints LIBINPUT_CALIBRATION_MATRIX and writes a udev rule with it, which libinput takes as well as \
      the pad. No keyboard is needed; a minute without a touch ends it.

      The device and the panel of a running pad are taken: stop it first. Ends with 0 if the rule is \
      written, 2 if nobody touched, 65 if nothing fits, 73 if the rule cannot be written, 75 if the \
      device or the panel is in use.
      """)

  @Argument(help: "A node below /dev/input; without one, what the pad would take.")
  var device: String?

  @Option(name: .shortAndLong, help: "The file of rules; other devices' stay.", completion: .file())
  var output = CalibrationRule.path

  @Option(help: ArgumentHelp("How far beside a target a touch may be.", valueName: "mm"))
  var tolerance: Double = 4

  @OptionGroup var pad: PadSettings

  func validate() throws {
    guard tolerance > 0, tolerance <= 100 else {
      throw ValidationError("--tolerance must be from above 0 to 100 mm")
    }
  }

  func run() throws {
    let settings = try pad.read()
    var feed = try TouchFeed.open(device, settings)
    // Before anybody has to touch anything.
    let rules = try RuleFile(output)
    let result = try touches(&feed, settings)
    var lines = StandardOutput()
    try lines.line("LIBINPUT_CALIBRATION_MATRIX=\"\(result.matrix.text)\"")
    try lines.flush()
    Notice.write(
      "five touches are at most \(millimetres(result.residual)) beside their targets, "
        + "two more \(millimetres(result.check))")
    try rules.add(CalibrationRule(result.matrix, for: feed.description))
    Notice.write("\(output) has the rule for \(feed.label)")
    Notice.write(
      "udevadm control --reload && udevadm trigger --action=change \(feed.path ?? "/dev/input/event*"), "
        + "then start the pad")
    if settings.touch.calibrationMatrix != nil {
      Notice.write("[touch] calibration-matrix of the configuration goes before it: take that out")
    }
  }

  private func millimetres(_ value: Float) -> String {
    "\((Double(value) * 10).rounded() / 10) mm"
  }

  /// Shows the targets until all are touched and fit.
  private func touches(
    _ feed: inout TouchFeed, _ settings: PadConfiguration
  ) throws -> CalibrationCourse.Result {
    let stop = try StopSignals()
    var session = try CalibrationSession(
      settings, feed.description, tolerance: Float(tolerance))
    var poll = Poll()
    let feedPlace = poll.add(feed.number)
    let stopPlace = poll.add(stop.number)
    poll.add(session.number)
    while true {
      try session.show()
      let wait = session.milliseconds(at: MonotonicClock.now)
      _ = try? poll.wait(milliseconds: wait)
      if poll.isReadable(stopPlace) {
        throw ToolError(.cancelled, "interrupted: nothing is written")
      }
      if poll.isReadable(feedPlace) || poll.isGone(feedPlace) {
        switch try feed.read({ session.take($0) }) {
        case .waiting: break
        case .over:
          poll.replace(feedPlace, with: -1)
          session.endOfTouches()
        case .gone(let reason):
          throw ToolError(.unavailable, "\(feed.label) is gone: \(reason.text)")
        }
      }
      if let result = try session.outcome(at: MonotonicClock.now) { return result }
    }
  }
}
