import CLinux
import Commands
import Configuration
import Ink
import Linux
import Touch

struct Calibrate: Runnable {
  static var command: Command {
    Command(
      "calibrate", "Calibrate a touchscreen to the pad's panel.",
      discussion: [
        "Shows seven targets on the panel, one after the other: touch the middle of each. Five touches determine "
          + "the matrix, two check it. Touches that do not match are requested again, at most three times. No "
          + "keyboard is needed; the program ends after a minute without a touch.",
        "Prints LIBINPUT_CALIBRATION_MATRIX and writes a udev rule with it, which libinput uses too. The commands "
          + "that apply the rule are printed at the end.",
        "The device and the panel must not be in use: stop the pad first, with 'systemctl stop paraphd'.",
      ],
      options: [
        Option(
          "output", short: "o", value: "FILE", values: .file(["rules"]),
          default: CalibrationRule.path,
          "Write the rule to FILE, and keep its rules for other devices."),
        Option(
          "tolerance", value: "MM", default: "4",
          "Accept touches up to this distance from a target, above 0 and up to 100 mm."),
        PadSettings.option,
      ],
      operands: [PadSettings.device],
      examples: [
        Command.Example(
          "paraph calibrate -o ./99-paraph-calibration.rules", "Calibrate without being root.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The rule is written."),
        Command.ExitCode(1, "The program was interrupted."),
        Command.ExitCode(2, "A target was not touched in time."),
        Command.ExitCode(65, "The touches do not match the targets."),
        Command.ExitCode(69, "There is no such touchscreen or no panel."),
        Command.ExitCode(73, "The rule cannot be written."),
        Command.ExitCode(75, "The device or the panel is in use."),
      ])
  }

  private let device: String?
  private let output: String
  private let tolerance: Double
  private let pad: PadSettings

  init(_ arguments: Arguments) throws(UsageError) {
    device = arguments.operands.first
    output = arguments.value("output") ?? CalibrationRule.path
    tolerance =
      try arguments.number("tolerance", "a number above 0 and up to 100") { $0 > 0 && $0 <= 100 }
      ?? 4
    pad = PadSettings(arguments)
  }

  func run() throws(ToolError) {
    let settings = try pad.read()
    var feed = try TouchFeed.open(device, settings)
    // Checked before the person touches the panel.
    let rules = try RuleFile(output)
    let result = try touches(&feed, settings)
    var lines = StandardOutput()
    try lines.line("LIBINPUT_CALIBRATION_MATRIX=\"\(result.matrix.text)\"")
    try lines.flush()
    Notice.write(
      "largest error: \(CalibrationSession.millimetres(result.residual)) in five touches, "
        + "\(CalibrationSession.millimetres(result.check)) in two more")
    try rules.add(CalibrationRule(result.matrix, for: feed.description))
    Notice.write("\(output): wrote the rule for \(feed.label)")
    Notice.write(
      "udevadm control --reload && udevadm trigger --action=change \(feed.path ?? "/dev/input/event*"), "
        + "then start the pad")
    if settings.touch.calibrationMatrix != nil {
      Notice.write("[touch] calibration-matrix in the configuration overrides the rule; remove it")
    }
  }

  /// Shows the targets until all touches match.
  private func touches(
    _ feed: inout TouchFeed, _ settings: PadConfiguration
  ) throws(ToolError) -> CalibrationCourse.Result {
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
        throw ToolError(.cancelled, "interrupted; nothing is written")
      }
      if poll.isReadable(feedPlace) || poll.isGone(feedPlace) {
        switch feed.read({ session.handle($0) }) {
        case .waiting: break
        case .over:
          poll.replace(feedPlace, with: -1)
          session.endOfTouches()
        case .gone(let reason):
          throw ToolError(.unavailable, "\(feed.label): device lost: \(reason.text)")
        }
      }
      if let result = try session.outcome(at: MonotonicClock.now) { return result }
    }
  }
}

/// The rules file of `paraph calibrate`, which is checked before the calibration.
struct RuleFile {
  private let path: String
  private let former: [UInt8]?

  init(_ path: String) throws(ToolError) {
    self.path = path
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
    guard unsafe access(folder.isEmpty ? "/" : folder, W_OK) == 0 else {
      let error = Errno.current
      throw ToolError(
        .cannotCreate,
        error.rawValue == ENOENT
          ? "\(folder): no such folder; create it, or choose another one with --output"
          : SystemError("write", path, error).text
            + "; run this as root, or choose another file with --output")
    }
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      guard let bytes = try file.readAll(limit: 1 << 20) else { throw Errno(EFBIG) }
      former = bytes
    } catch {
      guard error.rawValue == ENOENT else {
        throw ToolError(.cannotCreate, SystemError("read", path, error).text)
      }
      former = nil
    }
    let anything = CalibrationRule(.identity, for: DeviceDescription())
    guard anything.file(after: former) != nil else {
      throw ToolError(
        .cannotCreate, "\(path): not written by paraph calibrate; choose another file with --output"
      )
    }
  }

  /// Adds or replaces the rule of a device.
  func add(_ rule: CalibrationRule) throws(ToolError) {
    guard let text = rule.file(after: former) else { return }
    try OutputFile.write([UInt8](text.utf8), to: path)
  }
}
