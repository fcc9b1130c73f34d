public import Ink

/// The course of a calibration: five targets for the best matrix, two more to check it.
///
/// Touches that do not fit start it again, at most three times.
public struct CalibrationCourse: Sendable {
  /// The result of a touch.
  public enum Step: Sendable, Equatable {
    /// Touch the next target.
    case next
    /// The touch was rejected: touch the same target again.
    case again
    /// The touches do not fit: touch all targets again. `miss` is in millimetres; nil if they lie on one line.
    case restart(miss: Float?)
    /// The calibration succeeded.
    case done(Result)
    /// The calibration failed.
    case failed(miss: Float?)
  }

  /// A checked calibration.
  public struct Result: Sendable, Equatable {
    /// From the device's positions to those on the panel, as libinput applies it.
    public var matrix: CalibrationMatrix
    /// The largest error of the fitted targets, in millimetres.
    public var residual: Float
    /// The largest error of the checked targets, in millimetres.
    public var check: Float
  }

  private enum Stage: Sendable {
    case fitting([CalibrationFit.Pair])
    case checking(CalibrationFit, residual: Float, miss: Float, done: Int)
    case over
  }

  /// Far apart, and far from the edge, where fingers and panels are least exact.
  private static let fitTargets = [
    Point(0.12, 0.12), Point(0.88, 0.12), Point(0.88, 0.88), Point(0.12, 0.88), Point(0.5, 0.5),
  ]
  private static let checkTargets = [Point(0.3, 0.7), Point(0.7, 0.3)]
  private static let rounds = 3
  /// A touch nearer to the last one is the same finger again: targets are farther apart even on a
  /// panel that uses an eighth of its range.
  private static let leastDistance = 0.02

  private let placement: GlassGeometry.Placement
  private let tolerance: Float
  private var stage = Stage.fitting([])
  private var round = 1
  private var last: SIMD2<Double>?

  /// A course on a picture, whose own calibration is ignored.
  ///
  /// - Parameter tolerance: The largest error in millimetres.
  public init(on placement: GlassGeometry.Placement, tolerance: Float) {
    self.placement = placement
    self.tolerance = tolerance
  }

  /// The number of targets.
  public static var count: Int { fitTargets.count + checkTargets.count }

  /// The number of touched targets.
  public var done: Int {
    switch stage {
    case .fitting(let pairs): pairs.count
    case .checking(_, _, _, let done): CalibrationCourse.fitTargets.count + done
    case .over: CalibrationCourse.count
    }
  }

  /// The current target in millimetres of the picture; nil at the end.
  public var target: Point? { relativeTarget.map { $0 * Point(placement.width, placement.height) } }

  /// From 0 to 1 of the picture's sides.
  private var relativeTarget: Point? {
    switch stage {
    case .fitting(let pairs): CalibrationCourse.fitTargets[pairs.count]
    case .checking(_, _, _, let done): CalibrationCourse.checkTargets[done]
    case .over: nil
    }
  }

  /// Processes a touch of the target at a position from 0 to 1 of the device's axes.
  public mutating func touch(_ position: SIMD2<Double>) -> Step {
    guard let relativeTarget else { return .again }
    if let last,
      max(abs(position.x - last.x), abs(position.y - last.y)) < CalibrationCourse.leastDistance
    {
      return .again
    }
    last = position
    let target = placement.calibrated(relativeTarget)
    switch stage {
    case .fitting(let pairs):
      return fit(pairs + [CalibrationFit.Pair(target: target, touched: position)])
    case .checking(let fit, let residual, let miss, let done):
      let distance = distance(from: target, of: position, by: fit.matrix)
      return check(fit, residual, max(miss, distance), done + 1)
    case .over: return .again
    }
  }

  private mutating func fit(_ pairs: [CalibrationFit.Pair]) -> Step {
    stage = .fitting(pairs)
    guard pairs.count == CalibrationCourse.fitTargets.count else { return .next }
    guard let fit = CalibrationFit(pairs) else { return restart(nil) }
    let residual =
      pairs.map { distance(from: $0.target, of: $0.touched, by: fit.matrix) }.max() ?? 0
    guard residual <= tolerance else { return restart(residual) }
    stage = .checking(fit, residual: residual, miss: 0, done: 0)
    return .next
  }

  private mutating func check(
    _ fit: CalibrationFit, _ residual: Float, _ miss: Float, _ done: Int
  ) -> Step {
    guard miss <= tolerance else { return restart(miss) }
    guard done == CalibrationCourse.checkTargets.count else {
      stage = .checking(fit, residual: residual, miss: miss, done: done)
      return .next
    }
    stage = .over
    return .done(Result(matrix: fit.matrix, residual: residual, check: miss))
  }

  private mutating func restart(_ miss: Float?) -> Step {
    guard round < CalibrationCourse.rounds else {
      stage = .over
      return .failed(miss: miss)
    }
    round += 1
    stage = .fitting([])
    last = nil
    return .restart(miss: miss)
  }

  /// Millimetres between a target and a touch that a matrix transforms.
  private func distance(
    from target: SIMD2<Double>, of touch: SIMD2<Double>, by matrix: CalibrationMatrix
  ) -> Float {
    let (x, y) = matrix.apply(x: touch.x, y: touch.y)
    let size = placement.sensitiveGlass
    return Point(Float(x - target.x) * size.x, Float(y - target.y) * size.y).length
  }
}

extension GlassGeometry.Placement {
  /// Millimetres of the sensitive glass, along the device's axes.
  fileprivate var sensitiveGlass: Point { sensitiveSize ?? panelSize }

  /// The calibrated position that `GlassGeometry` maps to a position of the picture, both from 0 to 1.
  func calibrated(_ position: Point) -> SIMD2<Double> {
    let panel = CalibrationMatrix.upright(quarterTurns: -quarterTurns)
      .apply(x: Double(position.x), y: Double(position.y))
    let (size, glass) = (panelSize, sensitiveGlass)
    guard glass.x > 0, glass.y > 0 else { return SIMD2(panel.x, panel.y) }
    return SIMD2(panel.x * Double(size.x / glass.x), panel.y * Double(size.y / glass.y))
  }
}

/// The least-squares matrix from touches to their targets, and its error.
public struct CalibrationFit: Sendable, Equatable {
  /// A target and its touch, both from 0 to 1.
  public struct Pair: Sendable, Equatable {
    /// The target.
    public var target: SIMD2<Double>
    /// The touch as the device reports it, without calibration.
    public var touched: SIMD2<Double>

    /// A target and its touch.
    public init(target: SIMD2<Double>, touched: SIMD2<Double>) {
      self.target = target
      self.touched = touched
    }
  }

  /// The matrix.
  public let matrix: CalibrationMatrix
  /// The largest error, from 0 to 1 of the sides.
  public let worst: Double

  /// Fits at least three targets; nil if the touches lie on one line or coincide.
  public init?(_ pairs: [Pair]) {
    guard pairs.count >= 3 else { return nil }
    var sums = NormalEquations()
    for pair in pairs { sums.add(pair) }
    guard let (first, second) = sums.solution else { return nil }
    let matrix = CalibrationMatrix(first.x, first.y, first.z, second.x, second.y, second.z)
    var worst = 0.0
    for pair in pairs {
      let (x, y) = matrix.apply(x: pair.touched.x, y: pair.touched.y)
      let miss = SIMD2(x, y) - pair.target
      worst = max(worst, (miss * miss).sum().squareRoot())
    }
    guard worst.isFinite else { return nil }
    self.matrix = matrix
    self.worst = worst
  }
}

/// The normal equations of the fit: one symmetric matrix for both rows of the result.
private struct NormalEquations {
  private var xx = 0.0, xy = 0.0, x = 0.0, yy = 0.0, y = 0.0, n = 0.0
  private var first = SIMD3<Double>.zero
  private var second = SIMD3<Double>.zero

  mutating func add(_ pair: CalibrationFit.Pair) {
    let touched = SIMD3(pair.touched.x, pair.touched.y, 1)
    xx += touched.x * touched.x
    xy += touched.x * touched.y
    yy += touched.y * touched.y
    x += touched.x
    y += touched.y
    n += 1
    first += touched * pair.target.x
    second += touched * pair.target.y
  }

  /// The solution by Cramer's rule; nil if the touches do not span the plane.
  var solution: (SIMD3<Double>, SIMD3<Double>)? {
    let columns = (SIMD3(xx, xy, x), SIMD3(xy, yy, y), SIMD3(x, y, n))
    let whole = determinant(columns.0, columns.1, columns.2)
    // Within a thousandth of a side of one line, the solution is arbitrary.
    guard abs(whole) > 1e-6 * n else { return nil }
    func row(_ right: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(
        determinant(right, columns.1, columns.2), determinant(columns.0, right, columns.2),
        determinant(columns.0, columns.1, right)) / whole
    }
    return (row(first), row(second))
  }

  private func determinant(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>
  ) -> Double {
    a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) + c.x * (a.y * b.z - a.z * b.y)
  }
}
