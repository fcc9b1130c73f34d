import Configuration
import Ink
import Linux
import Touch

/// A running calibration, which shows targets and evaluates taps.
struct CalibrationSession: ~Copyable {
  private enum Ending {
    case good(CalibrationCourse.Result)
    case bad(ToolError)
  }

  /// The time limit for a touch.
  private static let timeLimit: Int64 = 60_000_000_000
  /// The duration of the last picture.
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

  /// The descriptor for poll(2): readable when `show` must be called.
  var number: Int32 { sketch.number }

  /// Shows the drawing.
  mutating func show() throws(ToolError) { try sketch.show() }

  /// The time until the next deadline, in milliseconds.
  func milliseconds(at now: Int64) -> Int32 { Int32(clamping: max(0, until - now) / 1_000_000 + 1) }

  /// Handles an event of a contact.
  mutating func handle(_ event: ContactEvent) {
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

  /// Ends the calibration at the end of a recording.
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

/// The panel of `paraph calibrate`: the current target and the progress, without words.
struct CalibrationSketch: ~Copyable {
  /// The appearance of a target.
  enum Look {
    case plain
    /// A finger is on the glass.
    case pressed
    /// The last touch was rejected.
    case refused
  }

  /// The diameter of a target, larger than a fingertip so that its middle is recognisable.
  private static let diameter: Float = 12
  private static let (blue, green, red): (UInt32, UInt32, UInt32) = (0x0055CC, 0x007A5A, 0xCC2222)
  private static let grey: UInt32 = 0xC0C0C0

  private var sketch: Sketch

  init(_ wishes: DisplayConfiguration) throws(ToolError) {
    sketch = try Sketch(wishes)
    sketch.clear()
  }

  /// The descriptor for poll(2): readable when `show` must be called.
  var number: Int32 { sketch.number }

  /// The size of the picture in millimetres, and its rotation.
  var size: Point { sketch.size }
  var quarterTurns: Int { sketch.quarterTurns }

  /// Clears the panel and draws a target at a position in millimetres.
  mutating func draw(_ target: Point, _ look: Look, done: Int, of count: Int) {
    let colour =
      switch look {
      case .plain: Self.blue
      case .pressed: Self.green
      case .refused: Self.red
      }
    sketch.clear()
    progress(done, of: count)
    let arm = Self.diameter / 2
    sketch.ring(target, diameter: Self.diameter, width: 0.6, colour)
    sketch.line([target - Point(arm, 0), target + Point(arm, 0)], width: 0.3, Self.grey)
    sketch.line([target - Point(0, arm), target + Point(0, arm)], width: 0.3, Self.grey)
    sketch.disc(target, diameter: 2, colour)
  }

  /// Draws a check mark or a cross.
  mutating func drawEnd(isGood: Bool) {
    sketch.clear()
    let middle = size / 2
    let unit = min(size.x, size.y) / 3
    func place(_ x: Float, _ y: Float) -> Point { middle + Point(x, y) * unit }
    if isGood {
      sketch.line(
        [place(-0.5, 0.05), place(-0.15, 0.4), place(0.5, -0.35)], width: unit / 6, Self.green)
    } else {
      sketch.line([place(-0.4, -0.4), place(0.4, 0.4)], width: unit / 6, Self.red)
      sketch.line([place(-0.4, 0.4), place(0.4, -0.4)], width: unit / 6, Self.red)
    }
  }

  /// Draws a dot per target at the lower edge.
  private mutating func progress(_ done: Int, of count: Int) {
    for index in 0..<count {
      let x = size.x / 2 + (Float(index) - Float(count - 1) / 2) * 3
      let place = Point(x, size.y * 0.94)
      sketch.disc(place, diameter: 1.6, index < done ? Self.green : Self.grey)
    }
  }

  /// Shows the drawing.
  mutating func show() throws(ToolError) { try sketch.show() }

  /// Shows the drawing and waits for the panel.
  mutating func finish() throws(ToolError) { try sketch.finish() }
}
