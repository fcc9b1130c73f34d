import Ink

/// The pixels whose middles are inside of paths by the non-zero rule. Slow and obvious.
struct NonZeroFill {
  let width, height: Int
  private var inked: [Bool]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    inked = Array(repeating: false, count: width * height)
  }

  /// Adds a path of closed polygons, in pixels.
  mutating func add(_ polygons: [[Point]]) {
    var crossings = [[(x: Float, winding: Int)]](repeating: [], count: height)
    for polygon in polygons {
      for index in polygon.indices {
        let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
        let (top, bottom) = a.y < b.y ? (a, b) : (b, a)
        var row = Int(max(0, (top.y - 0.5).rounded(.up)))
        while row < height, Float(row) + 0.5 < bottom.y {
          let share = (Float(row) + 0.5 - top.y) / (bottom.y - top.y)
          crossings[row].append((top.x + (bottom.x - top.x) * share, a.y < b.y ? 1 : -1))
          row += 1
        }
      }
    }
    for (row, all) in crossings.enumerated() { fill(row, all.sorted { $0.x < $1.x }) }
  }

  private mutating func fill(_ row: Int, _ crossings: [(x: Float, winding: Int)]) {
    var winding = 0
    for (crossing, next) in zip(crossings, crossings.dropFirst()) {
      winding += crossing.winding
      guard winding != 0 else { continue }
      let first = max(0, Int((crossing.x - 0.5).rounded(.up)))
      let end = min(width, Int((next.x - 0.5).rounded(.up)))
      for column in first..<max(first, end) { inked[row * width + column] = true }
    }
  }

  /// How many pixels are wrong that have all ink, or none, around them.
  func wrong(_ coverage: [UInt8]) -> (inside: Int, outside: Int) {
    var (inside, outside) = (0, 0)
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let at = y * width + x
        let level = coverage[at]
        guard level == 0 || level == 255, inked[at] != (level == 255) else { continue }
        let isAlike = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
          .allSatisfy { coverage[at + $0] == level }
        if isAlike, level == 255 { inside += 1 }
        if isAlike, level == 0 { outside += 1 }
      }
    }
    return (inside, outside)
  }
}
