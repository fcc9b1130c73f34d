import Configuration
import Ink
import Pad
import Touch

/// The panel of `paraph watch --draw`: a dot for each report, where the pad would draw.
struct DotSketch: ~Copyable {
  private static let diameter: Float = 1.6
  /// Successive contacts differ, also without red or green.
  private static let colours: [UInt32] = [
    0x0055CC, 0xE07000, 0x007A5A, 0xC03080, 0x602090, 0x808000,
  ]
  private static let grey: UInt32 = 0xA0A0A0
  /// A contact that begins this long after the last one clears the page.
  private static let pause: Int64 = 2_000_000_000

  private var sketch: Sketch
  private let geometry: GlassGeometry
  private var down: Set<Int32> = []
  private var left: Int64?

  init(
    _ settings: PadConfiguration, _ device: DeviceDescription, _ properties: UdevProperties
  ) throws(ToolError) {
    sketch = try Sketch(settings.display)
    geometry = GlassGeometry(
      device, on: GlassGeometry.Placement(settings.touch, properties, on: sketch))
    sketch.clear()
  }

  /// For poll(2): readable when `show` has something to do.
  var number: Int32 { sketch.number }

  /// Draws an event of a contact.
  mutating func take(_ event: ContactEvent) {
    if event.isEnd {
      down.remove(event.contact)
      if down.isEmpty { left = event.time }
      return
    }
    if let left, down.isEmpty, event.time - left > Self.pause { sketch.clear() }
    down.insert(event.contact)
    guard let place = event.position else { return }
    let mayDraw =
      !event.isHovering && !event.isResting && (event.tool == .finger || event.tool == .pen)
    let colour = mayDraw ? Self.colours[Int(event.contact) % Self.colours.count] : Self.grey
    sketch.disc(
      geometry.position(of: place, isPoint: event.isPoint), diameter: Self.diameter, colour)
  }

  /// Shows the dots.
  mutating func show() throws(ToolError) { try sketch.show() }

  /// Shows the dots, and waits for the panel.
  mutating func finish() throws(ToolError) { try sketch.finish() }
}

extension GlassGeometry.Placement {
  /// How the touchscreen lies on the picture, as the pad computes it.
  init(_ touch: TouchConfiguration, _ properties: UdevProperties, on sketch: borrowing Sketch) {
    let size = sketch.size
    self.init(
      width: size.x, height: size.y, quarterTurns: sketch.quarterTurns,
      sensitiveSize: touch.size.map { Point($0.width, $0.height) })
    if let numbers = touch.calibrationMatrix?.map({ Double($0) }), numbers.count == 6 {
      calibration = CalibrationMatrix(
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    } else if let matrix = properties["LIBINPUT_CALIBRATION_MATRIX"].flatMap({
      CalibrationMatrix($0)
    }) {
      calibration = matrix
    }
  }
}
