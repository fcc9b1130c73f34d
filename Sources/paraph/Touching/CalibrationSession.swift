import Configuration
import Ink
import Linux
import Touch

/// A running calibration: taps in, targets on the panel.
struct CalibrationSession: ~Copyable {
  private enum Ending {
    case good(CalibrationCourse.Result)
    case bad(ToolError)
  }

  /// The time limit for a touch.
  private static let timeLimit: Int64 = 60_000_000_000
  /// How long the last picture is shown.
  private static let pause: Int64 = 1_500_000_000

  private var sketch: CalibrationSketch
  private var course: CalibrationCourse
  private var taps: TapReader
  private var look = CalibrationSketch.Look.plain
  private var ending: Ending?
  private var until: Int64

  init(_ settings: PadConfiguration, _ device: DeviceDescription, tolerance: Float)
    throws(ToolError)
  {
    sketch = try CalibrationSketch(settings.display)
    let placement = GlassGeometry.Placement(
      width: sketch.size.x, height: sketch.size.y, quarterTurns: sketch.quarterTurns,
      sensitiveSize: settings.touch.size.map { Point($0.width, $0.height) })
    course = CalibrationCourse(on: placement, tolerance: tolerance)
    taps = TapReader(device)
    until = MonotonicClock.now + Self.timeLimit
    draw()
  }

  /// For poll(2): readable when `show` has something to do.
  var number: Int32 { sketch.number }

  /// Shows what was drawn.
  mutating func show() throws(ToolError) { try sketch.show() }

  /// The time until the next deadline.
  func milliseconds(at now: Int64) -> Int32 { Int32(clamping: max(0, until - now) / 1_000_000 + 1) }

  /// Handles an event of a contact.
  mutating func take(_ event: ContactEvent) {
    guard ending == nil, let signal = taps.process(event) else { return }
    until = MonotonicClock.now + Self.timeLimit
    switch signal {
    case .pressed: look = .pressed
    case .refused: look = .refused
    case .tapped(let place): touched(course.touch(place))
    }
    if ending == nil { draw() }
  }

  private mutating func touched(_ step: CalibrationCourse.Step) {
    look = .refused
    switch step {
    case .next: look = .plain
    case .again: break
    case .restart(let miss): Notice.write("\(Self.text(miss)): starting again")
    case .done(let result): end(.good(result))
    case .failed(let miss):
      end(
        .bad(
          ToolError(
            .data, "\(Self.text(miss)), three times; is this the touchscreen of this panel?")))
    }
  }

  /// A length with one decimal, such as "0.3 mm".
  static func millimetres(_ value: Float) -> String {
    let tenths = Int((min(max(value, 0), 1_000_000) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) mm"
  }

  private static func text(_ miss: Float?) -> String {
    guard let miss else { return "all touches are on one line" }
    return "a touch is \(millimetres(miss)) beside its target"
  }

  private mutating func end(_ ending: Ending) {
    self.ending = ending
    if case .good = ending { sketch.drawEnd(isGood: true) } else { sketch.drawEnd(isGood: false) }
    until = MonotonicClock.now + Self.pause
  }

  /// No touch will come any more.
  mutating func endOfTouches() { if ending == nil { until = MonotonicClock.now } }

  private mutating func draw() {
    guard let target = course.target else { return }
    sketch.draw(target, look, done: course.done, of: CalibrationCourse.count)
  }

  /// The result, after the last picture was shown.
  mutating func outcome(at now: Int64) throws(ToolError) -> CalibrationCourse.Result? {
    guard now >= until else { return nil }
    try sketch.finish()
    switch ending {
    case .good(let result): return result
    case .bad(let error): throw error
    case nil:
      throw ToolError(
        .timedOut, "target \(course.done + 1) was not touched in time; nothing is written")
    }
  }
}
