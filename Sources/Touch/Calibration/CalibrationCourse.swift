public import Ink

/// The course of a calibration: targets that are touched one after the other, the matrix that fits them
/// best, and two more targets that check it. What does not fit begins anew, at most three times.
public struct CalibrationCourse: Sendable {
  /// What became of a touch.
  public enum Step: Sendable, Equatable {
    /// The next target is to be touched.
    case next
    /// It was not believed: the same target again.
    case again
    /// The touches do not fit: all targets again. `miss` in millimetres; nil: they lie on one line.
    case afresh(miss: Float?)
    /// It is over, and well.
    case done(Result)
    /// It is over, and nothing fits.
    case failed(miss: Float?)
  }

  /// A calibration that was checked.
  public struct Result: Sendable, Equatable {
    /// Leads from the places that the device states to those on the panel, as libinput applies it.
    public var matrix: CalibrationMatrix
    /// The longest distance between a target and where the matrix puts its touch, in millimetres.
    public var residual: Float
    /// The same of the targets that took no part in the fit.
    public var check: Float
  }

  private enum Stage: Sendable {
    case fitting([CalibrationFit.Pair])
    case checking(CalibrationFit, residual: Float, miss: Float, done: Int)
    case over
  }

  /// Far from the edge, where fingers and panels are at their worst, and far apart.
  private static let fitTargets = [
    Point(0.12, 0.12), Point(0.88, 0.12), Point(0.88, 0.88), Point(0.12, 0.88), Point(0.5, 0.5),
  ]
  private static let checkTargets = [Point(0.3, 0.7), Point(0.7, 0.3)]
  private static let rounds = 3
  /// Two touches that are nearer than this are one finger that touched twice: of targets which are
  /// far apart, even where the panel uses an eighth of its range.
  private static let twice = 0.02

  private let placement: GlassGeometry.Placement
  private let tolerance: Float
  private var stage = Stage.fitting([])
  private var round = 1
  private var last: SIMD2<Double>?

  /// For a picture; its own calibration does not matter. `tolerance` in millimetres.
  public init(on placement: GlassGeometry.Placement, tolerance: Float) {
    self.placement = placement
    self.tolerance = tolerance
  }

  /// How many targets there are.
  public static var count: Int { fitTargets.count + checkTargets.count }

  /// How many were touched.
  public var done: Int {
    switch stage {
    case .fitting(let pairs): pairs.count
    case .checking(_, _, _, let done): CalibrationCourse.fitTargets.count + done
    case .over: CalibrationCourse.count
    }
  }

  /// The target that is to be touched, in millimetres of the picture; nil when it is over.
  public var target: Point? { share.map { $0 * Point(placement.width, placement.height) } }

  private var share: Point? {
    switch stage {
    case .fitting(let pairs): CalibrationCourse.fitTargets[pairs.count]
    case .checking(_, _, _, let done): CalibrationCourse.checkTargets[done]
    case .over: nil
    }
  }

  /// The target was touched, where the device says: from 0 to 1 of its axes.
  public mutating func touch(_ place: SIMD2<Double>) -> Step {
    guard let share else { return .again }
    if let last, max(abs(place.x - last.x), abs(place.y - last.y)) < CalibrationCourse.twice {
      return .again
    }
    last = place
    let target = placement.calibrated(share)
    switch stage {
    case .fitting(let pairs):
      return fit(pairs + [CalibrationFit.Pair(target: target, touched: place)])
    case .checking(let fit, let residual, let miss, let done):
      let beside = distance(from: target, of: place, by: fit.matrix)
      return check(fit, residual, max(miss, beside), done + 1)
    case .over: return .again
    }
  }

  private mutating func fit(_ pairs: [CalibrationFit.Pair]) -> Step {
    stage = .fitting(pairs)
    guard pairs.count == CalibrationCourse.fitTargets.count else { return .next }
    guard let fit = CalibrationFit(pairs) else { return beginAnew(nil) }
    let residual =
      pairs.map { distance(from: $0.target, of: $0.touched, by: fit.matrix) }.max() ?? 0
    guard residual <= tolerance else { return beginAnew(residual) }
    stage = .checking(fit, residual: residual, miss: 0, done: 0)
    return .next
  }

  private mutating func check(
    _ fit: CalibrationFit, _ residual: Float, _ miss: Float, _ done: Int
  ) -> Step {
    guard miss <= tolerance else { return beginAnew(miss) }
    guard done == CalibrationCourse.checkTargets.count else {
      stage = .checking(fit, residual: residual, miss: miss, done: done)
      return .next
    }
    stage = .over
    return .done(Result(matrix: fit.matrix, residual: residual, check: miss))
  }

  private mutating func beginAnew(_ miss: Float?) -> Step {
    guard round < CalibrationCourse.rounds else {
      stage = .over
      return .failed(miss: miss)
    }
    round += 1
    stage = .fitting([])
    last = nil
    return .afresh(miss: miss)
  }

  /// Millimetres between a target and where a matrix puts a touch.
  private func distance(
    from target: SIMD2<Double>, of place: SIMD2<Double>, by matrix: CalibrationMatrix
  ) -> Float {
    let (x, y) = matrix.apply(x: place.x, y: place.y)
    let size = placement.sensitiveGlass
    return Point(Float(x - target.x) * size.x, Float(y - target.y) * size.y).length
  }
}
