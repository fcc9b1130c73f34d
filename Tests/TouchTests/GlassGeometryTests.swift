import CLinux
import Ink
import SyntheticHand
import Testing
import Touch

@Suite struct GlassGeometryTests {
  private func device(x: ClosedRange<Int32>, y: ClosedRange<Int32>, resolution: Int32 = 0)
    -> DeviceDescription
  {
    var device = DeviceDescription()
    device.add(EV_KEY, BTN_TOUCH)
    device.describe(
      ABS_X, as: AxisRange(minimum: x.lowerBound, maximum: x.upperBound, resolution: resolution))
    device.describe(
      ABS_Y, as: AxisRange(minimum: y.lowerBound, maximum: y.upperBound, resolution: resolution))
    return device
  }

  private func close(_ a: Point, _ b: Point) -> Bool { (a - b).length < 1e-3 }

  @Test func `both ends of the range are on the glass`() {
    let geometry = GlassGeometry(
      device(x: 0...799, y: 0...479), on: .init(width: 160, height: 96))
    #expect(geometry.position(of: RawPosition(x: 0, y: 0)) == Point(0, 0))
    #expect(close(geometry.position(of: RawPosition(x: 400, y: 240)), Point(80, 48)))
    #expect(close(geometry.position(of: RawPosition(x: 799, y: 479)), Point(159.8, 95.8)))
  }

  @Test func `a range may begin anywhere`() {
    let geometry = GlassGeometry(
      device(x: 400...59599, y: -100...99), on: .init(width: 296, height: 100))
    #expect(close(geometry.position(of: RawPosition(x: 400, y: -100)), Point(0, 0)))
    #expect(close(geometry.position(of: RawPosition(x: 400 + 29600, y: 0)), Point(148, 50)))
  }

  @Test func `values beyond the range are on the edge`() {
    let geometry = GlassGeometry(
      device(x: 0...799, y: 0...479), on: .init(width: 160, height: 96))
    #expect(geometry.position(of: RawPosition(x: -7900, y: 9999)) == Point(0, 96))
    #expect(geometry.position(of: RawPosition(x: .max, y: .min)) == Point(160, 0))
  }

  /// The matrices of libinput's documentation, and where they put the corner (0, 0) and a place a quarter
  /// to the right of it.
  @Test(arguments: [
    ("1 0 0 0 1 0", Point(0, 0), Point(40, 0)),
    ("0 -1 1 1 0 0", Point(160, 0), Point(160, 24)),
    ("-1 0 1 0 -1 1", Point(160, 96), Point(120, 96)),
    ("0 1 0 -1 0 1", Point(0, 96), Point(0, 72)),
    ("-1 0 1 0 1 0", Point(160, 0), Point(120, 0)),
    ("2 0 0 0 3 0", Point(0, 0), Point(80, 0)),
    ("1 0 0.5 0 1 0.25", Point(80, 24), Point(120, 24)),
  ]) func `libinput's matrices have the same effect`(text: String, corner: Point, right: Point)
    throws
  {
    let geometry = GlassGeometry(
      device(x: 100...899, y: 0...479),
      on: .init(width: 160, height: 96, calibration: try #require(CalibrationMatrix(text))))
    #expect(close(geometry.position(of: RawPosition(x: 100, y: 0)), corner))
    #expect(close(geometry.position(of: RawPosition(x: 300, y: 0)), right))
  }

  /// The picture's left top corner and a place to its right, seen on the panel: turned clockwise by a
  /// quarter, the picture's top lies along the panel's right edge.
  @Test(arguments: [
    (0, Point(0, 0), Point(10, 0)), (1, Point(160, 0), Point(160, 10)),
    (2, Point(160, 96), Point(150, 96)), (3, Point(0, 96), Point(0, 86)),
  ]) func `touches are rotated as the picture`(turns: Int, corner: Point, right: Point) {
    let isTurned = turns & 1 != 0
    let geometry = GlassGeometry(
      device(x: 0...1599, y: 0...959),
      on: .init(
        width: isTurned ? 96 : 160, height: isTurned ? 160 : 96, quarterTurns: turns))
    func raw(_ panel: Point) -> RawPosition {
      RawPosition(x: Int32(panel.x * 10), y: Int32(panel.y * 10))
    }
    #expect(close(geometry.position(of: raw(corner)), Point(0, 0)))
    #expect(close(geometry.position(of: raw(right)), Point(10, 0)))
  }

  @Test func `a sensitive glass that is larger than the panel is mapped in its own size`() {
    let geometry = GlassGeometry(
      device(x: 0...999, y: 0...999),
      on: .init(width: 100, height: 50, sensitiveSize: Point(200, 100)))
    #expect(close(geometry.position(of: RawPosition(x: 250, y: 250)), Point(50, 25)))
    #expect(geometry.position(of: RawPosition(x: 750, y: 750)) == Point(100, 50))
  }

  @Test func `the sensitive size is ignored for a panel without width or height`() {
    for (width, height) in [(Float(0), Float(50)), (100, 0), (0, 0)] {
      func place(_ sensitiveSize: Point?) -> Point {
        GlassGeometry(
          device(x: 0...999, y: 0...999),
          on: .init(width: width, height: height, sensitiveSize: sensitiveSize)
        ).position(of: RawPosition(x: 250, y: 250))
      }
      #expect(place(Point(200, 100)) == place(nil))
    }
  }

  @Test(arguments: 0..<100) func `the combined mapping equals its steps`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let minimum = Int32.random(in: -5000...5000, using: &random)
    let span = Int32.random(in: 2...60000, using: &random)
    let matrix = CalibrationMatrix(
      number(-2...2), number(-2...2), number(-1...1), number(-2...2), number(-2...2), number(-1...1)
    )
    let (width, height) = (Float(number(20...500)), Float(number(20...500)))
    let turns = Int.random(in: 0...3, using: &random)
    let geometry = GlassGeometry(
      device(x: minimum...minimum + span - 1, y: 0...span - 1),
      on: .init(width: width, height: height, quarterTurns: turns, calibration: matrix))
    let raw = RawPosition(
      x: minimum + .random(in: 0..<span, using: &random), y: .random(in: 0..<span, using: &random))
    let x = Double(raw.x - minimum) / Double(span)
    let y = Double(raw.y) / Double(span)
    var place = (matrix.a * x + matrix.b * y + matrix.c, matrix.d * x + matrix.e * y + matrix.f)
    for _ in 0..<turns { place = (place.1, 1 - place.0) }
    let expected = Point(
      min(max(Float(place.0) * width, 0), width), min(max(Float(place.1) * height, 0), height))
    #expect((geometry.position(of: raw) - expected).length < 2e-3, "seed \(seed)")
  }

  @Test func `a pen beside fingers has its own axes and pressure`() {
    var device = TestDevice.slots.description
    device.add(EV_KEY, BTN_TOOL_PEN)
    device.describe(ABS_X, as: AxisRange(minimum: 100, maximum: 8099))
    device.describe(ABS_Y, as: AxisRange(minimum: 0, maximum: 4799))
    device.describe(ABS_PRESSURE, as: AxisRange(minimum: 0, maximum: 1000))
    let geometry = GlassGeometry(device, on: .init(width: 160, height: 96))
    #expect(close(geometry.position(of: RawPosition(x: 400, y: 240)), Point(80, 48)))
    #expect(
      close(geometry.position(of: RawPosition(x: 4100, y: 2400), isPoint: true), Point(80, 48)))
    #expect(geometry.pressure(of: 255) == 1)
    #expect(geometry.pressure(of: 250, isPoint: true) == 0.25)
  }

  @Test func `the idle pressure of a worn pen is subtracted`() {
    var device = device(x: 0...99, y: 0...99)
    device.describe(ABS_PRESSURE, as: AxisRange(minimum: 0, maximum: 1000))
    let geometry = GlassGeometry(device, on: .init(width: 10, height: 10))
    #expect(geometry.pressure(of: 200, above: 200) == 0)
    #expect(geometry.pressure(of: 600, above: 200) == 0.5)
    #expect(geometry.pressure(of: 1000, above: 200) == 1)
    #expect(geometry.pressure(of: 700, above: 400) == 0.5)
    #expect(geometry.pressure(of: 600, above: 500) == 0.6)
  }

  @Test func `pressure is a share of its range, or none`() {
    var description = device(x: 0...9, y: 0...9)
    let placement = GlassGeometry.Placement(width: 10, height: 10)
    #expect(GlassGeometry(description, on: placement).pressure(of: 5) == -1)
    description.describe(ABS_PRESSURE, as: AxisRange(minimum: 100, maximum: 300))
    let geometry = GlassGeometry(description, on: placement)
    #expect(geometry.pressure(of: 150) == 0.25)
    #expect(geometry.pressure(of: 900) == 1)
    #expect(geometry.pressure(of: -1) == 0)
    #expect(geometry.pressure(of: nil) == -1)
  }

  @Test func `hostile ranges and matrices give no NaN`() throws {
    for range in [Int32.min...Int32.max, 0...0, Int32.max...Int32.max] {
      for text in ["1e300 1e300 -1e300 1e300 -1e300 0", "0 0 0 0 0 0"] {
        let geometry = GlassGeometry(
          device(x: range, y: range),
          on: .init(width: 100, height: 50, calibration: try #require(CalibrationMatrix(text))))
        for value in [Int32.min, -1, 0, 1, .max] {
          let place = geometry.position(of: RawPosition(x: value, y: value))
          #expect(place.x >= 0 && place.x <= 100 && place.y >= 0 && place.y <= 50)
        }
      }
    }
  }

  @Test func `the units of a recording are the device's, on each axis`() {
    let known = device(x: 0...999, y: 0...999, resolution: 40)
    #expect(known.unitsPerMillimetre.map { [$0.x, $0.y] } == [40, 40])
    #expect(known.physicalSize == Point(25, 25))
    let unknown = device(x: 0...999, y: 0...999)
    #expect(unknown.unitsPerMillimetre == nil)
    #expect(unknown.physicalSize == nil)
    let geometry = GlassGeometry(known, unitsPerMillimetre: (40, 20))
    #expect(geometry.position(of: RawPosition(x: -80, y: 90)) == Point(-2, 4.5))
  }
}

@Suite struct CalibrationMatrixTests {
  @Test(arguments: [
    "", "1 0 0 0 1", "1 0 0 0 1 0 0", "1 0 0 0 1 x", "1,0,0,0,1,0", "1 0 0 0 1 0 0 0 1",
  ])
  func `a matrix has exactly six numbers`(text: String) {
    #expect(CalibrationMatrix(text) == nil)
  }

  @Test func `blanks and signs are read as sscanf does`() {
    #expect(
      CalibrationMatrix(" -0.998 0  1.01\t0 +1e-1 .5 ")
        == CalibrationMatrix(-0.998, 0, 1.01, 0, 0.1, 0.5))
  }
}
