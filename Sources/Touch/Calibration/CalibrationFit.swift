/// The matrix that leads from where somebody touched to where the target was, by least squares over all
/// targets, and how well it does.
public struct CalibrationFit: Sendable, Equatable {
  /// A target, and where it was touched, both from 0 to 1.
  public struct Pair: Sendable, Equatable {
    /// Where the target was.
    public var target: SIMD2<Double>
    /// Where the device says that it was touched, without any calibration.
    public var touched: SIMD2<Double>

    /// A target that was touched.
    public init(target: SIMD2<Double>, touched: SIMD2<Double>) {
      self.target = target
      self.touched = touched
    }
  }

  /// The matrix.
  public let matrix: CalibrationMatrix
  /// The longest distance between a target and where the matrix puts its touch, from 0 to 1 of the sides.
  public let worst: Double

  /// Fits at least three targets; nil where the touches lie on one line, or the same one was touched again
  /// and again.
  public init?(_ pairs: [Pair]) {
    guard pairs.count >= 3 else { return nil }
    var sums = NormalEquations()
    for pair in pairs { sums.add(pair) }
    guard let (first, second) = sums.solution else { return nil }
    let matrix = CalibrationMatrix(first.x, first.y, first.z, second.x, second.y, second.z)
    var worst = 0.0
    for pair in pairs {
      let place = matrix.apply(x: pair.touched.x, y: pair.touched.y)
      let miss = SIMD2(place.x, place.y) - pair.target
      worst = max(worst, (miss * miss).sum().squareRoot())
    }
    guard worst.isFinite else { return nil }
    self.matrix = matrix
    self.worst = worst
  }
}

/// Sums over the pairs whose solution is the best matrix: one symmetric matrix for both of its rows.
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

  /// By Cramer's rule; nil where the touches do not span the plane.
  var solution: (SIMD3<Double>, SIMD3<Double>)? {
    let columns = (SIMD3(xx, xy, x), SIMD3(xy, yy, y), SIMD3(x, y, n))
    let whole = determinant(columns.0, columns.1, columns.2)
    // Touches within a thousandth of a side of one line: every matrix would do.
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
