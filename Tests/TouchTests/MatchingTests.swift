import SyntheticHand
import Testing

@testable import Touch

@Suite struct MatchingTests {
  /// Every way to pair, by recursion.
  private func leastSum(_ costs: [[Int64]], reach: Int64) -> Int64 {
    guard let row = costs.first else { return 0 }
    let rest = Array(costs.dropFirst())
    var least = reach + leastSum(rest, reach: reach)
    for column in row.indices where row[column] < reach {
      let without = rest.map { other in
        var other = other
        other[column] = reach
        return other
      }
      least = min(least, row[column] + leastSum(without, reach: reach))
    }
    return least
  }

  @Test(arguments: 0..<300) func `the pairs have the smallest sum of all ways to pair`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let (rows, columns) = (
      Int.random(in: 0...5, using: &random), Int.random(in: 0...5, using: &random)
    )
    let reach = Int64.random(in: 1...1000, using: &random)
    let costs = (0..<rows).map { _ in
      (0..<columns).map { _ in Int64.random(in: 0...1200, using: &random) }
    }
    var matching = Matching(limit: 6)
    matching.reset()
    matching.beginRest(reach: reach)
    for row in 0..<rows { matching.addOld(row) }
    for column in 0..<columns { matching.addNew(column) }
    for row in 0..<rows {
      for column in 0..<columns { matching.setCost(row, column, costs[row][column]) }
    }
    matching.pairRest()
    var sum = Int64(rows) * reach
    var used: Set<Int> = []
    for column in 0..<columns {
      guard let row = matching.old(of: column) else { continue }
      #expect(used.insert(row).inserted, "seed \(seed)")
      #expect(costs[row][column] < reach, "seed \(seed)")
      sum += costs[row][column] - reach
    }
    #expect(sum == leastSum(costs, reach: reach), "seed \(seed)")
  }
}
