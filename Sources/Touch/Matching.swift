internal import Ink

/// Who of the new contacts is who of the old ones: the pairs whose squared distances have the smallest
/// sum (the assignment problem, by Kuhn's and Munkres' method in its O(n³) form). The sum, not each
/// nearest pair: two fingers that follow one another by about their distance would be mistaken.
struct Matching: ~Copyable {
  private var oldOfNew: RigidArray<Int>
  private var isOldPaired: RigidArray<Bool>
  private var old: RigidArray<Int>
  private var new: RigidArray<Int>
  private var cost: RigidArray<Int64>
  private let limit: Int
  private var reach: Int64 = 0
  // The method's own: potentials of rows and columns, the row of each column, the way back, and the
  // least reduced cost; from 1, 0 is nobody.
  private var rowPotential: RigidArray<Int64>
  private var columnPotential: RigidArray<Int64>
  private var rowOfColumn: RigidArray<Int>
  private var way: RigidArray<Int>
  private var least: RigidArray<Int64>
  private var isVisited: RigidArray<Bool>

  init(limit: Int) {
    self.limit = limit
    oldOfNew = Matching.filled(limit, -1)
    isOldPaired = Matching.filled(limit, false)
    old = RigidArray(capacity: limit)
    new = RigidArray(capacity: limit)
    cost = Matching.filled(limit * limit, 0)
    rowPotential = Matching.filled(limit + 1, 0)
    columnPotential = Matching.filled(limit + 1, 0)
    rowOfColumn = Matching.filled(limit + 1, 0)
    way = Matching.filled(limit + 1, 0)
    least = Matching.filled(limit + 1, 0)
    isVisited = Matching.filled(limit + 1, false)
  }

  private static func filled<T: BitwiseCopyable>(_ count: Int, _ value: T) -> RigidArray<T> {
    var array = RigidArray<T>(capacity: count)
    for _ in 0..<count { array.append(value) }
    return array
  }

  /// Nobody is paired.
  mutating func reset() {
    for index in 0..<limit { (isOldPaired[index], oldOfNew[index]) = (false, -1) }
  }

  mutating func pair(old index: Int, new place: Int) {
    isOldPaired[index] = true
    oldOfNew[place] = index
  }

  func hasOld(_ index: Int) -> Bool { isOldPaired[index] }

  func old(of place: Int) -> Int? { oldOfNew[place] >= 0 ? oldOfNew[place] : nil }

  /// Begins to collect those who are still without a partner; a pair at `reach` or farther is none.
  mutating func beginRest(reach: Int64) {
    self.reach = reach
    old.removeAll()
    new.removeAll()
  }

  mutating func addOld(_ index: Int) { old.append(index) }
  mutating func addNew(_ place: Int) { new.append(place) }

  var restOld: Int { old.count }
  var restNew: Int { new.count }

  func rest(_ row: Int, _ column: Int) -> (old: Int, new: Int) { (old[row], new[column]) }

  mutating func setCost(_ row: Int, _ column: Int, _ value: Int64) {
    cost[row * limit + column] = min(value, reach)
  }

  /// Pairs the rest.
  mutating func pairRest() {
    let size = max(old.count, new.count)
    guard !(old.count == 0 || new.count == 0) else { return }
    for index in 0...size {
      (rowPotential[index], columnPotential[index], rowOfColumn[index]) = (0, 0, 0)
    }
    for row in 1...size { assign(row, size) }
    for column in 1...size {
      let row = rowOfColumn[column] - 1
      guard row < old.count, column - 1 < new.count else { continue }
      if price(row, column - 1) < reach { pair(old: old[row], new: new[column - 1]) }
    }
  }

  /// Who is alone on the other side costs as much as a pair that is none.
  private func price(_ row: Int, _ column: Int) -> Int64 {
    row < old.count && column < new.count ? cost[row * limit + column] : reach
  }

  /// Finds the cheapest way to give `row` a column, moving the rows before it where that is cheaper.
  private mutating func assign(_ row: Int, _ size: Int) {
    rowOfColumn[0] = row
    for column in 0...size { (least[column], isVisited[column]) = (.max, false) }
    var column = 0
    repeat { column = visit(column, size) } while rowOfColumn[column] != 0
    while column != 0 {
      rowOfColumn[column] = rowOfColumn[way[column]]
      column = way[column]
    }
  }

  /// One step along the cheapest edge; returns the column that it leads to.
  private mutating func visit(_ column: Int, _ size: Int) -> Int {
    isVisited[column] = true
    let row = rowOfColumn[column]
    var (step, next) = (Int64.max, 0)
    for other in 1...size where !isVisited[other] {
      let reduced = price(row - 1, other - 1) - rowPotential[row] - columnPotential[other]
      if reduced < least[other] { (least[other], way[other]) = (reduced, column) }
      if least[other] < step { (step, next) = (least[other], other) }
    }
    for other in 0...size {
      if isVisited[other] {
        rowPotential[rowOfColumn[other]] += step
        columnPotential[other] -= step
      } else if other > 0 {
        least[other] -= step
      }
    }
    return next
  }
}
