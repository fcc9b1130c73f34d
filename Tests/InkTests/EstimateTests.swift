import SyntheticHand
import Testing

@testable import Ink

@Suite struct EstimateTests {
  /// One axis of a hand that is known to be at 0 and unknown in speed, and a report for each step.
  private struct Way {
    var steps: [Double] = []
    var reports: [Double] = []
    let error = 0.02, agility = 0.05

    init(seed: UInt64) {
      var random = SeededRandom(seed: seed)
      for _ in 0..<12 {
        steps.append(random.real(0.5...1.7))
        reports.append((reports.last ?? 0) + random.normal())
      }
    }
  }

  /// Position and velocity at each knot, given all reports up to `newest`: the smoother as its authors
  /// wrote it (Rauch, Tung, Striebel 1965), with 2 × 2 matrices.
  private func smoothed(_ way: Way, upTo newest: Int) -> [(Double, Double)] {
    var states = [(way.reports[0], (way.reports[0] - 0) / way.steps[0])]
    let slope = way.error / way.steps[0]
    var p = [[way.error, slope], [slope, slope / way.steps[0] + way.agility * way.steps[0] / 3]]
    var gains: [[[Double]]] = []
    var expectations: [(Double, Double)] = []
    for k in 1...newest {
      let h = way.steps[k]
      let q = way.agility
      let f = [[1, h], [0, 1]]
      let pf = product(p, transposed(f))
      var m = product(f, pf)
      m[0][0] += q * h * h * h / 3
      m[0][1] += q * h * h / 2
      m[1][0] += q * h * h / 2
      m[1][1] += q * h
      gains.append(product(pf, inverse(m)))
      let last = states[k - 1]
      let expected = (last.0 + h * last.1, last.1)
      expectations.append(expected)
      let off = (way.reports[k] - expected.0) / (m[0][0] + way.error)
      states.append((expected.0 + m[0][0] * off, expected.1 + m[1][0] * off))
      p = [0, 1].map { i in
        [0, 1].map { m[i][$0] - m[i][0] * m[0][$0] / (m[0][0] + way.error) }
      }
    }
    var result = states
    for k in stride(from: newest - 1, through: 0, by: -1) {
      let d = (result[k + 1].0 - expectations[k].0, result[k + 1].1 - expectations[k].1)
      let g = gains[k]
      result[k].0 += g[0][0] * d.0 + g[0][1] * d.1
      result[k].1 += g[1][0] * d.0 + g[1][1] * d.1
    }
    return result
  }

  private func transposed(_ a: [[Double]]) -> [[Double]] {
    [[a[0][0], a[1][0]], [a[0][1], a[1][1]]]
  }

  private func product(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
    [0, 1].map { (row: Int) -> [Double] in
      [0, 1].map { (column: Int) -> Double in
        a[row][0] * b[0][column] + a[row][1] * b[1][column]
      }
    }
  }

  private func inverse(_ a: [[Double]]) -> [[Double]] {
    let d = a[0][0] * a[1][1] - a[0][1] * a[1][0]
    return [[a[1][1] / d, -a[0][1] / d], [-a[1][0] / d, a[0][0] / d]]
  }

  @Test(arguments: 1...20)
  func `two further reports estimate a knot as well as smoothing over all reports`(seed: UInt64) {
    let way = Way(seed: seed)
    func place(_ k: Int) -> Point { Point(Float(way.reports[k]), Float(-way.reports[k])) }
    var estimate = Estimate(
      second: place(0), after: place(0), Step(Float(way.steps[0])), variance: Float(way.error),
      density: Float(way.agility))
    var older: (motion: Motion, covariance: LagCovariance)?
    for k in 1..<way.steps.count {
      let before = estimate
      let innovation = estimate.advance(
        to: place(k), after: Step(Float(way.steps[k])), variance: Float(way.error),
        density: Float(way.agility))
      let expected = smoothed(way, upTo: k)
      expect(estimate.motion, expected[k], seed)
      let once = before.motion + before.covariance.correction(by: innovation)
      expect(once, expected[k - 1], seed)
      if let older {
        expect(older.motion + older.covariance.correction(by: innovation), expected[k - 2], seed)
      }
      older = (once, before.covariance.updated(by: innovation))
    }
  }

  private func expect(_ motion: Motion, _ expected: (Double, Double), _ seed: UInt64) {
    let (p, v) = (Float(expected.0), Float(expected.1))
    #expect(abs(motion.position.x - p) < 2e-3 && abs(motion.position.y + p) < 2e-3, "seed \(seed)")
    #expect(abs(motion.velocity.x - v) < 2e-3 && abs(motion.velocity.y + v) < 2e-3, "seed \(seed)")
  }
}
