internal import Ink

/// Shapes of buttons and icons. All contours run the same way round, so that overlapping ones add up.
extension Path {
  /// Adds a rectangle with round corners.
  mutating func roundedRectangle(_ area: Area, radius: Float) {
    let (a, b) = (area.origin, area.end)
    // 4/3·(√2 − 1) of the radius from the corner: a cubic that is a quarter of a circle within 0.03 %.
    let k = radius * (1 - 0.5522847)
    move(to: Point(a.x + radius, a.y))
    line(to: Point(b.x - radius, a.y))
    cubic(Point(b.x - k, a.y), Point(b.x, a.y + k), to: Point(b.x, a.y + radius))
    line(to: Point(b.x, b.y - radius))
    cubic(Point(b.x, b.y - k), Point(b.x - k, b.y), to: Point(b.x - radius, b.y))
    line(to: Point(a.x + radius, b.y))
    cubic(Point(a.x + k, b.y), Point(a.x, b.y - k), to: Point(a.x, b.y - radius))
    line(to: Point(a.x, a.y + radius))
    cubic(Point(a.x, a.y + k), Point(a.x + k, a.y), to: Point(a.x + radius, a.y))
  }

  /// Adds a disc.
  mutating func disc(_ centre: Point, radius: Float) {
    roundedRectangle(
      Area(x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius),
      radius: radius)
  }

  /// Adds the outline of a line through points, with mitred corners and butt ends.
  mutating func polyline(_ points: [Point], width: Float) {
    guard points.count >= 2 else { return }
    let left = points.indices.map { points[$0] - Path.mitre(points, at: $0) * (width / 2) }
    let right = points.indices.map { points[$0] + Path.mitre(points, at: $0) * (width / 2) }
    move(to: left[0])
    for point in left.dropFirst() { line(to: point) }
    for point in right.reversed() { line(to: point) }
  }

  /// The offset from a corner of the line to the corner of its outline, for a half width of 1.
  private static func mitre(_ points: [Point], at index: Int) -> Point {
    let here = points[index]
    let into = index > 0 ? unit(here - points[index - 1]) : unit(points[index + 1] - here)
    let out = index < points.count - 1 ? unit(points[index + 1] - here) : into
    let sum = into.normal + out.normal
    let squared = sum.x * sum.x + sum.y * sum.y
    return squared > 0.01 ? sum * (2 / squared) : into.normal
  }

  private static func unit(_ vector: Point) -> Point {
    let length = vector.length
    return length > 0 ? vector / length : Point(1, 0)
  }
}
