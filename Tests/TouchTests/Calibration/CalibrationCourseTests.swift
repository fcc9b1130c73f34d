import Ink
import SyntheticHand
import Testing
import Touch

@Suite struct CalibrationCourseTests {
  private typealias Placement = GlassGeometry.Placement

  /// A device whose glass lies as badly as these matrices make it.
  private static let faults: [CalibrationMatrix] = [
    .identity, CalibrationMatrix(0.9, 0.02, 0.05, -0.01, -0.93, 0.97),
    CalibrationMatrix(0, 1, 0, -1, 0, 1), CalibrationMatrix(-1, 0, 1, 0, -1, 1),
    CalibrationMatrix(0.125, 0, 0, 0, 0.125, 0),
  ]

  /// Where the glass that is over a place of the picture is, from 0 to 1 of its sides.
  private func glass(_ target: Point, _ placement: Placement) -> SIMD2<Double> {
    let (x, y) = (Double(target.x / placement.width), Double(target.y / placement.height))
    let panel: (Double, Double) =
      switch placement.quarterTurns {
      case 1: (1 - y, x)
      case 2: (1 - x, 1 - y)
      case 3: (y, 1 - x)
      default: (x, y)
      }
    guard let size = placement.sensitiveSize else { return SIMD2(panel.0, panel.1) }
    let isTurned = placement.quarterTurns & 1 == 1
    let whole =
      isTurned
      ? Point(placement.height, placement.width) : Point(placement.width, placement.height)
    return SIMD2(panel.0 * Double(whole.x / size.x), panel.1 * Double(whole.y / size.y))
  }

  @Test(arguments: 0...3, [nil, Point(300, 180)] as [Point?])
  func `the calibrated touch is where the finger is, for any distortion`(
    turns: Int, size: Point?
  ) throws {
    // Of twice the panel's size only an eighth of the range would be too little.
    for fault in Self.faults where size == nil || fault.a != 0.125 {
      var placement = Placement(
        width: turns & 1 == 0 ? 154 : 86, height: turns & 1 == 0 ? 86 : 154, quarterTurns: turns,
        sensitiveSize: size)
      var course = CalibrationCourse(on: placement, tolerance: 4)
      var last = CalibrationCourse.Step.next
      while let target = course.target {
        let place = glass(target, placement)
        let told = fault.apply(x: place.x, y: place.y)
        last = course.touch(SIMD2(told.x, told.y))
        if last == .again { break }
      }
      guard case .done(let result) = last else {
        Issue.record("\(last) with \(fault)")
        continue
      }
      #expect(result.residual < 0.01 && result.check < 0.01)
      // The pad's own way from the device to the picture, with the matrix as it is written down.
      placement.calibration = try #require(CalibrationMatrix(result.matrix.text))
      var device = TestDevice.slots.description
      device.describe(0x35, as: AxisRange(minimum: 0, maximum: 1_048_575))
      device.describe(0x36, as: AxisRange(minimum: 0, maximum: 1_048_575))
      let geometry = GlassGeometry(device, on: placement)
      let here = Point(placement.width * 0.37, placement.height * 0.81)
      let place = glass(here, placement)
      let told = fault.apply(x: place.x, y: place.y)
      let raw = RawPosition(x: Int32(told.x * 1_048_576), y: Int32(told.y * 1_048_576))
      #expect((geometry.position(of: raw) - here).length < 0.02, "\(fault), \(turns)")
    }
  }

  private func play(_ beside: [(x: Double, y: Double)]) -> [CalibrationCourse.Step] {
    let placement = Placement(width: 100, height: 100)
    var course = CalibrationCourse(on: placement, tolerance: 4)
    return beside.compactMap { error in
      guard let target = course.target else { return nil }
      let place = glass(target, placement)
      return course.touch(SIMD2(place.x + error.x / 100, place.y + error.y / 100))
    }
  }

  @Test func `a slightly inaccurate hand is accepted, and its error reported`() {
    let steps = play([(1, 0), (-1, 1), (0, -1), (1, 1), (0, 0), (1, -1), (-1, 0)])
    guard case .done(let result) = steps.last else {
      Issue.record("\(steps)")
      return
    }
    #expect(result.residual > 0.1 && result.residual < 2)
    #expect(result.check > 0.5 && result.check < 3)
  }

  @Test func `a touch far off restarts the course, at most three times`() {
    let wrong: [(x: Double, y: Double)] = [(0, 0), (0, 0), (30, 20), (0, 0), (0, 0)]
    let steps = play(wrong + wrong + wrong)
    #expect(steps.count == 15)
    for place in [4, 9] {
      guard case .restart(let miss?) = steps[place] else {
        Issue.record("\(steps[place])")
        continue
      }
      #expect(miss > 4)
    }
    guard case .failed(_?) = steps[14] else {
      Issue.record("\(steps[14])")
      return
    }
  }

  @Test func `a fit that fails the check restarts the course`() {
    let steps = play([(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (9, 0)])
    guard case .restart(let miss?) = steps.last else {
      Issue.record("\(steps)")
      return
    }
    #expect(abs(miss - 9) < 0.1)
  }

  @Test func `a finger that touches twice counts once`() {
    var course = CalibrationCourse(on: Placement(width: 100, height: 100), tolerance: 4)
    #expect(course.touch(SIMD2(0.1, 0.1)) == .next)
    #expect(course.touch(SIMD2(0.105, 0.1)) == .again)
    #expect(course.done == 1)
    #expect(course.target == Point(88, 12))
  }

  @Test func `touches on one line give no matrix`() {
    var course = CalibrationCourse(on: Placement(width: 100, height: 100), tolerance: 4)
    for step in 0..<4 { #expect(course.touch(SIMD2(Double(step) / 10, 0.5)) == .next) }
    #expect(course.touch(SIMD2(0.8, 0.5)) == .restart(miss: nil))
  }
}

@Suite struct CalibrationFitTests {
  private let targets: [SIMD2<Double>] = [
    SIMD2(0.1, 0.1), SIMD2(0.9, 0.1), SIMD2(0.9, 0.9), SIMD2(0.1, 0.9), SIMD2(0.5, 0.5),
  ]

  /// Where a finger has to touch so that `matrix` puts it on `target`.
  private func touch(_ target: SIMD2<Double>, _ matrix: CalibrationMatrix) -> SIMD2<Double> {
    let determinant = matrix.a * matrix.e - matrix.b * matrix.d
    let (x, y) = (target.x - matrix.c, target.y - matrix.f)
    return SIMD2(matrix.e * x - matrix.b * y, matrix.a * y - matrix.d * x) / determinant
  }

  private func distance(_ a: CalibrationMatrix, _ b: CalibrationMatrix) -> Double {
    [a.a - b.a, a.b - b.b, a.c - b.c, a.d - b.d, a.e - b.e, a.f - b.f].map { abs($0) }.max() ?? 0
  }

  @Test(arguments: [
    "1 0 0 0 1 0", "0 -1 1 1 0 0", "-1 0 1 0 -1 1", "0 1 0 -1 0 1", "-1 0 1 0 1 0",
    "1.08 0.01 -0.04 -0.02 1.1 -0.05",
  ]) func `exact touches reproduce the matrix`(text: String) throws {
    let matrix = try #require(CalibrationMatrix(text))
    let fit = try #require(
      CalibrationFit(targets.map { .init(target: $0, touched: touch($0, matrix)) }))
    #expect(distance(fit.matrix, matrix) < 1e-9)
    #expect(fit.worst < 1e-9)
  }

  @Test(arguments: 0..<50) func `an unsteady hand is averaged, and its error reported`(seed: Int)
    throws
  {
    var random = SeededRandom(seed: UInt64(seed))
    let matrix = CalibrationMatrix(1.05, 0.02, -0.03, -0.01, 0.97, 0.02)
    let pairs = targets.map { target in
      let tremble = SIMD2(
        Double.random(in: -0.01...0.01, using: &random),
        Double.random(in: -0.01...0.01, using: &random))
      return CalibrationFit.Pair(target: target, touched: touch(target, matrix) + tremble)
    }
    let fit = try #require(CalibrationFit(pairs))
    #expect(distance(fit.matrix, matrix) < 0.05, "seed \(seed)")
    #expect(fit.worst > 0 && fit.worst < 0.04, "seed \(seed)")
  }

  @Test func `a missed target shows in the error`() throws {
    var pairs = targets.map { CalibrationFit.Pair(target: $0, touched: $0) }
    pairs[2].touched = SIMD2(0.5, 0.2)
    #expect(try #require(CalibrationFit(pairs)).worst > 0.1)
  }

  @Test func `touches that do not span the glass fit nothing`() {
    #expect(CalibrationFit([]) == nil)
    #expect(CalibrationFit(targets.prefix(2).map { .init(target: $0, touched: $0) }) == nil)
    #expect(CalibrationFit(targets.map { .init(target: $0, touched: SIMD2(0.5, 0.5)) }) == nil)
    #expect(
      CalibrationFit(targets.map { .init(target: $0, touched: SIMD2($0.x, 2 * $0.x)) }) == nil)
    #expect(
      CalibrationFit(targets.map { .init(target: $0, touched: SIMD2(.nan, $0.x)) }) == nil)
  }
}
