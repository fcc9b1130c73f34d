import SyntheticHand
import Testing
import Touch

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
  ]) func `exact touches give the matrix back`(text: String) throws {
    let matrix = try #require(CalibrationMatrix(text))
    let fit = try #require(
      CalibrationFit(targets.map { .init(target: $0, touched: touch($0, matrix)) }))
    #expect(distance(fit.matrix, matrix) < 1e-9)
    #expect(fit.worst < 1e-9)
  }

  @Test(arguments: 0..<50) func `a trembling hand is averaged, and its error is told`(seed: Int)
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

  @Test func `a target that was missed shows`() throws {
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
